import { expect, test } from 'vitest';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from '../operations/fleet.ts';

describeEngines('a device that moves between plants', (database) => {
  const clock = settableClock('2026-06-01T00:00:00Z');
  const fleet = createFleet(database, clock);

  test('leaves its history with the former owner and shows the new one only what follows', async () => {
    const [former, next] = [await fleet.person(), await fleet.person()];
    const [before, after] = [await fleet.plant(former.id), await fleet.plant(next.id)];
    const { id, sn } = await fleet.device(before);
    clock.at = Date.parse('2026-06-01T12:00:00Z');
    await fleet.report(sn, [
      ['2026-06-01T10:00:00Z', { energyTotalKwh: 100, acPowerW: 1000 }],
      ['2026-06-01T11:00:00Z', { energyTotalKwh: 104, acPowerW: 1000 }],
    ]);
    await fleet.write(async (trx) => {
      await endBinding(trx, fleet.act(), id, before);
      await bindDevice(trx, fleet.act(), id, after);
    });
    clock.at = Date.parse('2026-06-01T16:00:00Z');
    await fleet.report(sn, [
      ['2026-06-01T14:00:00Z', { energyTotalKwh: 105, acPowerW: 2000 }],
      ['2026-06-01T15:55:00Z', { energyTotalKwh: 108, acPowerW: 2000 }],
      // Late, of the time when it still stood in the first plant.
      ['2026-06-01T11:30:00Z', { energyTotalKwh: 104.5, acPowerW: 1000 }],
    ]);

    const formerPlant = await fleet.ask('stationDetail', userCaller(former.id), { id: before });
    expect(formerPlant.energies.production).toEqual({
      todayKwh: 4.5,
      monthKwh: 4.5,
      yearKwh: 4.5,
      totalKwh: 104.5,
    });
    expect(formerPlant).toMatchObject({
      state: 'offline',
      inverterCount: 0,
      values: {},
      lastReportAt: Date.parse('2026-06-01T11:30:00Z'),
    });
    expect((await fleet.ask('inverterList', userCaller(former.id))).page).toMatchObject({
      records: [],
      total: 0,
    });
    await expect(fleet.ask('inverterDetail', userCaller(former.id), { sn })).rejects.toMatchObject({
      code: 'noPermission',
    });

    const newPlant = await fleet.ask('stationDetail', userCaller(next.id), { id: after });
    // With what it grew on the way, and without what it had counted before.
    expect(newPlant.energies.production!.totalKwh).toBe(3.5);
    expect(newPlant).toMatchObject({
      state: 'online',
      inverterCount: 1,
      values: { acPowerW: 2000 },
    });
    const detail = await fleet.ask('inverterDetail', userCaller(next.id), { sn });
    expect(detail.energies.production).toMatchObject({ todayKwh: 3.5, totalKwh: 3.5 });
    const rows = await fleet.ask('inverterDay', userCaller(next.id), { sn, time: '2026-06-01' });
    expect(rows.map(({ at }) => new Date(at).toISOString().slice(11, 16))).toEqual([
      '14:00',
      '15:55',
    ]);
  });

  test('and comes back, has one day there with both stretches', async () => {
    clock.at = Date.parse('2026-07-01T00:00:00Z');
    const owner = await fleet.person();
    const [home, elsewhere] = [await fleet.plant(owner.id), await fleet.plant(owner.id)];
    const { id, sn } = await fleet.device(home);
    const caller = userCaller(owner.id);
    const move = (from: string, to: string) =>
      fleet.write(async (trx) => {
        await endBinding(trx, fleet.act(), id, from);
        await bindDevice(trx, fleet.act(), id, to);
      });
    clock.at = Date.parse('2026-07-01T10:00:00Z');
    await move(home, elsewhere);
    clock.at = Date.parse('2026-07-01T12:00:00Z');
    await move(elsewhere, home);
    clock.at = Date.parse('2026-07-01T15:00:00Z');
    const hours = [8, 9, 10, 11, 12, 13, 14];
    await fleet.report(
      sn,
      hours.map(
        (hour) =>
          [`2026-07-01T${String(hour).padStart(2, '0')}:30:00Z`, { acPowerW: 1000 }] as const,
      ),
    );
    const rows = await fleet.ask('inverterDay', caller, { sn });
    expect(rows.map(({ at }) => new Date(at).getUTCHours())).toEqual([8, 9, 12, 13, 14]);
    expect(rows.map(({ energies }) => energies.production!.todayKwh)).toEqual([0, 1, 2, 3, 4]);
    const detail = await fleet.ask('inverterDetail', caller, { sn });
    expect(detail.energies.production).toMatchObject({ todayKwh: 4, totalKwh: 4 });
    // Each hour on the way is the later plant's: all six are in one of the two.
    expect(
      (await fleet.ask('stationDetail', caller, { id: home })).energies.production!.todayKwh,
    ).toBe(4);
    expect(
      (await fleet.ask('stationDetail', caller, { id: elsewhere })).energies.production!.todayKwh,
    ).toBe(2);
  });
});
