import { expect, test } from 'vitest';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const SOUTH = { tiltDegrees: 30, azimuthDegrees: 180, capacityKwp: 4.2 };

describeEngines('the arrays of a plant', (database) => {
  const fleet = createFleet(database, settableClock('2026-06-01T12:00:00Z'));

  const furnish = async (facts: object = {}) => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { capacityKwp: 10, ...facts });
    return { owner, plantId, caller: userCaller(owner.id), inverter: await fleet.device(plantId) };
  };

  test('are as they were entered, each with its inverter and input', async () => {
    const { plantId, caller, inverter } = await furnish();
    expect(await fleet.ask('plant/arrays', caller, { plantId })).toEqual({
      source: 'plant',
      estimated: [],
      arrays: [],
    });
    const arrays = [
      { ...SOUTH, sn: inverter.sn, input: 2 },
      { tiltDegrees: 0, azimuthDegrees: 360, capacityKwp: 1 },
    ];
    await fleet.ask('plant/setArrays', caller, { plantId, arrays });
    expect(await fleet.ask('plant/arrays', caller, { plantId })).toEqual({
      source: 'entered',
      estimated: [],
      arrays,
    });
    await fleet.ask('plant/setArrays', userCaller(caller.accountId), { plantId, arrays: [] });
    expect((await fleet.ask('plant/arrays', caller, { plantId })).source).toBe('plant');
  });

  test('without any, are one as the plant as a whole is described', async () => {
    const { plantId, caller } = await furnish({ tiltDegrees: 25, azimuthDegrees: -90 });
    expect(await fleet.ask('plant/arrays', caller, { plantId })).toEqual({
      source: 'plant',
      estimated: [],
      arrays: [{ tiltDegrees: 25, azimuthDegrees: 270, capacityKwp: 10 }],
    });
  });

  test.each<[string, object]>([
    ['arrays[0].tiltDegrees', { ...SOUTH, tiltDegrees: 91 }],
    ['arrays[0].tiltDegrees', { azimuthDegrees: 180, capacityKwp: 4 }],
    ['arrays[0].azimuthDegrees', { ...SOUTH, azimuthDegrees: -1 }],
    ['arrays[0].azimuthDegrees', { ...SOUTH, azimuthDegrees: '180' }],
    ['arrays[0].capacityKwp', { ...SOUTH, capacityKwp: 0 }],
    ['arrays[0].capacityKwp', { ...SOUTH, capacityKwp: 1e9 }],
    ['arrays[0].sn', { ...SOUTH, sn: 7 }],
    ['arrays[0].sn', { ...SOUTH, sn: 'UNKNOWN-1' }],
    ['arrays[0].sn', { ...SOUTH, input: 1 }],
    ['arrays[0].input', { ...SOUTH, sn: 'UNKNOWN-1', input: 0 }],
    ['arrays[0]', { ...SOUTH, slope: 30 }],
  ])('name what is wrong: %s of %o', async (field, array) => {
    const { plantId, caller } = await furnish();
    await expect(
      fleet.ask('plant/setArrays', caller, { plantId, arrays: [array] }),
    ).rejects.toMatchObject({ code: 'invalidValue', data: { field } });
    expect((await fleet.ask('plant/arrays', caller, { plantId })).arrays).toEqual([]);
  });

  test('feed no inverter of another plant', async () => {
    const { owner, plantId, caller } = await furnish();
    const other = await fleet.device(await fleet.plant(owner.id));
    const meter = await fleet.device(plantId, { kind: 'ammeter' });
    for (const { sn } of [other, meter])
      await expect(
        fleet.ask('plant/setArrays', caller, { plantId, arrays: [SOUTH, { ...SOUTH, sn }] }),
      ).rejects.toMatchObject({ code: 'invalidValue', data: { field: 'arrays[1].sn' } });
  });

  test('are seen by those who may see the plant, and changed by its owner alone', async () => {
    const { plantId, caller } = await furnish();
    const [guest, stranger] = [await fleet.person(), await fleet.person()];
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, guest.email, 'control'));
    await fleet.ask('plant/setArrays', caller, { plantId, arrays: [SOUTH] });
    const seen = await fleet.ask('plant/arrays', userCaller(guest.id), { plantId });
    expect(seen.arrays).toEqual([SOUTH]);
    for (const { id } of [guest, stranger])
      await expect(
        fleet.ask('plant/setArrays', userCaller(id), { plantId, arrays: [] }),
      ).rejects.toMatchObject({ code: 'noPermission' });
    await expect(
      fleet.ask('plant/arrays', userCaller(stranger.id), { plantId }),
    ).rejects.toMatchObject({ code: 'noPermission' });
  });

  test('stand in the audit trail and among the changes of the plant, once', async () => {
    const { owner, plantId, caller } = await furnish();
    const set = () =>
      fleet.ask('plant/setArrays', userCaller(owner.id), { plantId, arrays: [SOUTH] });
    await set();
    await set();
    const changes = (await fleet.ask('user/events', caller)).filter(
      ({ kind }) => kind === 'plant.changed',
    );
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({
      data: { plantId, before: { arrays: null }, after: { arrays: JSON.stringify([SOUTH]) } },
    });
  });
});
