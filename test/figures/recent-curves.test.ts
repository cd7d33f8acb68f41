import { expect, test } from 'vitest';
import { CURVE_DEVICES_AT_MOST } from '../../packages/server/src/measurements/figures/plant/recent-curves.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

describeEngines('the curves of the last 24 hours', (database) => {
  const clock = settableClock('2026-06-02T10:07:00Z');
  const fleet = createFleet(database, clock);
  const START = Date.parse('2026-06-01T10:15:00Z');
  const step = (time: string): number => Math.floor((Date.parse(time) - START) / 900_000);

  const setUp = async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id);
    return { owner, caller: userCaller(owner.id), plantId };
  };
  const curveOf = async (caller: ReturnType<typeof userCaller>, plantId: string) =>
    (await fleet.ask('plant/curves', caller, { plantIds: [plantId] }))[0]!;

  test('are means of quarters of an hour, added up over inverters; one that is late counts for an hour with its last power', async () => {
    const { caller, plantId } = await setUp();
    const [one, two] = [await fleet.device(plantId), await fleet.device(plantId)];
    await fleet.report(one.sn, [
      ['2026-06-01T10:14:00Z', { acPowerW: 9000 }],
      ['2026-06-01T10:15:00Z', { acPowerW: 500 }],
      ['2026-06-02T08:00:00Z', { acPowerW: 1000 }],
      ['2026-06-02T08:10:00Z', { acPowerW: 2001 }],
      ['2026-06-02T10:05:00Z', { acPowerW: 3000, gridPowerW: 2 }],
    ]);
    await fleet.report(two.sn, [
      ['2026-06-02T08:05:00Z', { acPowerW: 100 }],
      ['2026-06-02T09:00:00Z', { acPowerW: 300 }],
      ['2026-06-02T09:10:00Z', { gridFrequencyHz: 50 }],
      ['2026-06-02T10:00:00Z', { acPowerW: 400 }],
    ]);
    const { id, startAt, powerW } = await curveOf(caller, plantId);
    expect([id, startAt, powerW.length]).toEqual([plantId, START, 96]);
    const known = Object.fromEntries(
      powerW.flatMap((power, i) => (power === null ? [] : [[i, power]])),
    );
    expect(known).toEqual({
      0: 500,
      [step('2026-06-02T08:00:00Z')]: 1601,
      // The other one reported an hour before: it is not held any longer.
      [step('2026-06-02T09:00:00Z')]: 300,
      [step('2026-06-02T10:00:00Z')]: 3400,
    });
    await fleet.report(two.sn, [['2026-06-02T08:50:00Z', { acPowerW: 200 }]]);
    expect((await curveOf(caller, plantId)).powerW[step('2026-06-02T08:45:00Z')]).toBe(1701);
  });

  test('are those of a meter where no inverter measures', async () => {
    const { caller, plantId } = await setUp();
    const [inverter, meter] = [
      await fleet.device(plantId),
      await fleet.device(plantId, { kind: 'epm' }),
    ];
    await fleet.report(meter.sn, [['2026-06-02T09:00:00Z', { acPowerW: 700 }]]);
    expect((await curveOf(caller, plantId)).powerW[step('2026-06-02T09:00:00Z')]).toBe(700);
    await fleet.report(inverter.sn, [['2026-06-02T09:05:00Z', { acPowerW: 650 }]]);
    expect((await curveOf(caller, plantId)).powerW[step('2026-06-02T09:00:00Z')]).toBe(650);
  });

  test('are shown to everybody who sees the plant, and leave out the plants of others and those with very many devices', async () => {
    const [mine, foreign] = [await setUp(), await setUp()];
    const ids = async (): Promise<string[]> =>
      (
        await fleet.ask('plant/curves', mine.caller, { plantIds: [mine.plantId, foreign.plantId] })
      ).map(({ id }) => id);
    expect(await ids()).toEqual([mine.plantId]);
    await fleet.write((trx) =>
      sharePlant(trx, fleet.act(), foreign.plantId, mine.owner.email, 'read'),
    );
    expect((await ids()).toSorted()).toEqual([mine.plantId, foreign.plantId].toSorted());
    await fleet.device(foreign.plantId);
    for (let i = 1; i < CURVE_DEVICES_AT_MOST; i++) await fleet.device(mine.plantId);
    expect(await ids()).toHaveLength(2);
    await fleet.device(mine.plantId);
    expect(await ids()).toEqual([foreign.plantId]);
  });
});
