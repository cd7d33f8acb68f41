import { expect, test } from 'vitest';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

describeEngines('what a plant produces', (database) => {
  const clock = settableClock('2026-06-10T10:07:00Z');
  const fleet = createFleet(database, clock);

  test.each<[string, number[], number]>([
    ['an inverter charges its battery from the grid', [-3000], 0],
    ['an inverter charges from the grid beside one that produces', [-3000, 5000], 5000],
    ['inverters draw what they need at night', [-4, -6], 0],
    ['inverters produce', [1000, 500], 1500],
  ])('is never negative anywhere while %s', async (_, powers, produced) => {
    const owner = await fleet.person();
    const caller = userCaller(owner.id);
    const plantId = await fleet.plant(owner.id);
    for (const acPowerW of powers) {
      const { sn } = await fleet.device(plantId);
      await fleet.report(sn, [
        ['2026-06-10T10:00:00Z', { acPowerW, gridPowerW: acPowerW }],
        ['2026-06-10T10:05:00Z', { acPowerW, gridPowerW: acPowerW }],
      ]);
    }
    const list = await fleet.wire('userStationList', caller, {});
    const detail = await fleet.wire('stationDetail', caller, { id: plantId });
    expect(list.page.records.map(({ power }: any) => power)).toEqual([produced / 1000]);
    expect(detail).toMatchObject({ power: produced / 1000 });
    expect(detail.dayEnergy).toBeGreaterThanOrEqual(0);
    const day = await fleet.wire('stationDay', caller, { id: plantId, time: '2026-06-10' });
    expect(day.map(({ power }: any) => power)).toEqual([produced, produced]);
    const [curve] = await fleet.ask('plant/curves', caller, { plantIds: [plantId] });
    expect(curve!.powerW.filter((power) => power !== null)).toEqual([produced]);
    expect(await fleet.ask('plant/overview', caller, {})).toMatchObject({ powerW: produced });
  });
});
