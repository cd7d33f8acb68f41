import { expect, test } from 'vitest';
import type { ParameterRecord } from '@helioport/contract';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { userCaller } from '../support/world.ts';
import { describeEngines } from '../support/engines.ts';
import { createControlScene, type Home } from './scene.ts';

describeEngines('the parameters of an inverter', (database) => {
  const scene = createControlScene(database);
  const { clock, home } = scene;
  const parametersOf = async ({ sn, owner }: Home): Promise<ReadonlyMap<string, ParameterRecord>> =>
    new Map(
      (await scene.ask('command/parameters', owner, { sn })).map((one: ParameterRecord) => [
        one.parameter,
        one,
      ]),
    );

  test('are listed with their names, ranges and options, and with what may go wrong', async () => {
    const parameters = await parametersOf(await home({ facts: { displayVersion: '4b00' } }));
    expect(parameters.get('157')).toEqual({
      parameter: '157',
      name: 'state of charge kept for backup',
      form: 'number',
      writable: true,
      reason: null,
      unit: '%',
      min: 0,
      max: 100,
      step: 1,
      scale: 1,
      options: null,
      needsOldValue: false,
      canCutSupply: false,
      cutsSupplyAtMost: null,
      cutsSupplyAtLeast: null,
      cutsSupplyTurnedOn: null,
      cutsSupplyTurnedOff: null,
      effectiveWith: '636',
      effectiveOption: '16',
      writesPerDay: 24,
      holdSeconds: null,
      note: null,
      value: null,
      raw: null,
      readAt: null,
    });
    expect(parameters.get('636')!.options).toContainEqual({
      value: '16',
      name: 'backup',
      settable: true,
      exclusive: false,
    });
    expect(parameters.get('15')).toMatchObject({
      canCutSupply: true,
      cutsSupplyAtMost: 11,
      cutsSupplyAtLeast: null,
    });
    expect(parameters.get('469')).toMatchObject({
      canCutSupply: true,
      cutsSupplyAtMost: null,
      cutsSupplyAtLeast: 90,
    });
    expect(parameters.get('636')).toMatchObject({
      canCutSupply: true,
      cutsSupplyTurnedOn: '1932',
      cutsSupplyTurnedOff: '1948',
    });
    expect(parameters.get('54')).toMatchObject({
      form: 'choice',
      canCutSupply: true,
      options: [
        { value: '190', name: 'on', settable: false, exclusive: false },
        { value: '222', name: 'off', settable: true, exclusive: false },
      ],
    });
    expect(
      parameters
        .get('636')!
        .options!.filter(({ exclusive }) => exclusive)
        .map(({ value }) => value),
    ).toEqual(['1', '64']);
    expect(parameters.get('4643')).toMatchObject({
      form: 'text',
      writable: false,
      writesPerDay: 0,
    });
    expect(parameters.get('5916')).toMatchObject({ needsOldValue: true });
  });

  test('are those of the display’s firmware; with an unknown version, those that depend on it cannot be written', async () => {
    const [older, newer, unknown] = [
      await home({ facts: { displayVersion: '4a00' } }),
      await home({ facts: { displayVersion: '4b00' } }),
      await home(),
    ];
    const ids = async (here: Home) =>
      [...(await parametersOf(here)).keys()].filter((id) => id === '103' || id === '5946');
    expect([await ids(older), await ids(newer), await ids(unknown)]).toEqual([
      ['103'],
      ['5946'],
      ['103', '5946'],
    ]);
    const reason =
      'it needs a device that has reported the version of its display, on which charge slot 1, time depends';
    expect((await parametersOf(unknown)).get('5946')).toMatchObject({ writable: false, reason });
    expect((await parametersOf(older)).get('103')).toMatchObject({ writable: true, reason: null });
  });

  test('of a model that nobody knows can only be read', async () => {
    const parameters = await parametersOf(await home({ model: 'XY-1' }));
    expect(parameters.size).toBeGreaterThan(50);
    expect([...parameters.values()].filter(({ writable }) => writable)).toEqual([]);
  });

  test('have the value that was last read, no matter who read it; what failed changes nothing', async () => {
    const here = await home();
    await scene.queueFor(here.owner, here, '157', undefined);
    await here.box.obey();
    const readAt = clock.now();
    clock.at += 60_000;
    await scene.queueFor(here.owner, here, '999999', undefined).catch(() => {});
    await scene.queueFor(here.owner, here, '7226', undefined);
    await here.box.obey();
    const parameters = await parametersOf(here);
    expect(parameters.get('157')).toMatchObject({ value: '30', raw: '30', readAt });
    expect(parameters.get('7226')).toMatchObject({ value: null, readAt: null });
    await scene.send(here, '157', '41');
    const [check] = await here.box.fetch();
    await here.box.report(here.box.carryOut(check!));
    // It has been read before the write, which is not over yet.
    expect((await parametersOf(here)).get('157')).toMatchObject({ value: '30', readAt });
    await here.box.obey();
    expect((await parametersOf(here)).get('157')).toMatchObject({
      value: '41',
      readAt: clock.now(),
    });
  });

  test('have no value from the device’s time in another plant', async () => {
    const here = await home();
    await scene.queueFor(here.owner, here, '157', undefined);
    await here.box.obey();
    const elsewhere = await scene.plant(here.ownerId);
    await scene.ask(
      'device/move',
      { kind: 'operator', accountId: null, plantIds: null },
      { sn: here.sn, plantId: elsewhere },
    );
    expect((await parametersOf(here)).get('157')).toMatchObject({ value: null, readAt: null });
  });

  test('may be written by those whom the owner lets: control/state says so before they try', async () => {
    const here = await home();
    const [controls, reads] = [await scene.person(), await scene.person()];
    await scene.write(async (trx) => {
      await sharePlant(trx, scene.act(), here.plantId, controls.email, 'control');
      await sharePlant(trx, scene.act(), here.plantId, reads.email, 'read');
    });
    const stateFor = (caller: Home['owner']) =>
      scene.ask('control/state', caller, { plantId: here.plantId });
    const states = () =>
      Promise.all(
        [
          here.owner,
          userCaller(controls.id),
          userCaller(reads.id),
          userCaller(here.ownerId, { canControl: false }),
        ].map(stateFor),
      );
    const may = (
      mayRead: boolean,
      mayWrite: boolean,
      mayManage: boolean,
      stoppedAt: number | null = null,
    ) => ({ mayRead, mayWrite, mayManage, stoppedAt });
    expect(await states()).toEqual([
      may(true, true, true),
      may(true, true, false),
      may(false, false, false),
      may(false, false, false),
    ]);
    await scene.ask('control/stop', here.owner, { plantId: here.plantId });
    const at = clock.now();
    expect(await states()).toEqual([
      may(true, true, true, at),
      may(true, false, false, at),
      may(false, false, false, at),
      may(false, false, false, at),
    ]);
    await expect(scene.send(here, '157', '20', {}, userCaller(controls.id))).rejects.toMatchObject({
      code: 'controlStopped',
    });
    await scene.ask('control/release', here.owner, { plantId: here.plantId });
    expect(await states()).toEqual([
      may(true, true, true),
      may(true, true, false),
      may(false, false, false),
      may(false, false, false),
    ]);
  });
});
