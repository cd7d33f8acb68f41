import { expect, test } from 'vitest';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

describeEngines('this month and year against those before', (database) => {
  const clock = settableClock('2024-12-31T12:00:00Z');
  const fleet = createFleet(database, clock);

  /** A plant of somebody that produced so many kWh on each of some days, in their order. */
  const plantWith = async (ownerId: string, days: readonly (readonly [string, number])[]) => {
    clock.at = Date.parse(`${days[0]![0]}T06:00:00Z`);
    const id = await fleet.plant(ownerId);
    const { sn } = await fleet.device(id);
    let total = 1000;
    for (const [day, kwh] of days) {
      clock.at = Date.parse(`${day}T12:00:00Z`);
      total += kwh;
      await fleet.report(sn, [
        [`${day}T11:00:00Z`, { energyTodayKwh: kwh, energyTotalKwh: total }],
      ]);
    }
    return id;
  };

  const OLD = [
    ['2024-12-31', 5],
    ['2025-05-10', 7],
    ['2025-06-01', 10],
    ['2025-06-02', 20],
    ['2026-05-20', 14],
    ['2026-06-01', 15],
    ['2026-06-02', 9],
  ] as const;

  test('are compared on days that are over, of one plant and of all that reach back far enough', async () => {
    const owner = await fleet.person();
    const caller = userCaller(owner.id);
    const plantId = await plantWith(owner.id, OLD);
    const own = { monthKwh: 15, monthBeforeKwh: 10, yearKwh: 29, yearBeforeKwh: 17 };
    expect(await fleet.ask('plant/yearBefore', caller, { plantId })).toEqual(own);
    // One whose record began within the year before has a month to compare, but no year.
    await plantWith(owner.id, [
      ['2025-05-31', 3],
      ['2025-06-01', 4],
      ['2026-06-01', 6],
      ['2026-06-02', 1],
    ]);
    // Nor has one that is new anything.
    await plantWith(owner.id, [['2026-06-01', 100]]);
    clock.at = Date.parse('2026-06-02T12:00:00Z');
    expect(await fleet.ask('plant/yearBefore', caller, {})).toEqual({
      ...own,
      monthKwh: 21,
      monthBeforeKwh: 14,
    });
  });

  test('have nothing on the first of a month; on the first of a year, neither has the year', async () => {
    const owner = await fleet.person();
    const caller = userCaller(owner.id);
    const plantId = await plantWith(owner.id, OLD);
    clock.at = Date.parse('2026-07-01T12:00:00Z');
    expect(await fleet.ask('plant/yearBefore', caller, { plantId })).toEqual({
      yearKwh: 38,
      yearBeforeKwh: 37,
    });
    clock.at = Date.parse('2027-01-01T12:00:00Z');
    expect(await fleet.ask('plant/yearBefore', caller, { plantId })).toEqual({});
  });
});
