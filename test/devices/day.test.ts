import { expect, test } from 'vitest';
import { bindDevice, unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

describeEngines('the readings of a day', (database) => {
  const clock = settableClock('2026-06-02T12:00:00Z');
  const fleet = createFleet(database, clock);
  const ask = (owner: string, id: string, day?: string) =>
    fleet.ask('device/day', userCaller(owner), { id, ...(day && { day }) });

  test.each(['ammeter', 'weather', 'inverter'] as const)(
    'of a device of the kind %s are columns of what it measured, on the day of its plant',
    async (kind) => {
      const { id: owner } = await fleet.person();
      const plantId = await fleet.plant(owner, { timeZone: 'Europe/Berlin' });
      const { id, sn } = await fleet.device(plantId, { kind });
      await fleet.report(sn, [
        ['2026-06-01T21:55:00Z', { gridPowerW: 1 }],
        ['2026-06-01T22:00:00Z', { gridPowerW: -700, ambientTemperatureC: 20.5 }],
        ['2026-06-02T11:00:00Z', { gridPowerW: 1250, irradianceWm2: 800 }],
      ]);
      expect(await ask(owner, id)).toEqual({
        times: [Date.parse('2026-06-01T22:00:00Z'), Date.parse('2026-06-02T11:00:00Z')],
        values: {
          gridPowerW: [-700, 1250],
          ambientTemperatureC: [20.5, null],
          irradianceWm2: [null, 800],
        },
        dayKwh: kind === 'inverter' ? { gridImport: [0, 0], gridExport: [0, 0] } : {},
      });
      expect(await ask(owner, id, '2026-06-01')).toEqual({
        times: [Date.parse('2026-06-01T21:55:00Z')],
        values: { gridPowerW: [1] },
        dayKwh: kind === 'inverter' ? { gridImport: [0.029], gridExport: [0] } : {},
      });
      expect(await ask(owner, id, '2026-05-31')).toEqual({ times: [], values: {}, dayKwh: {} });
      const { id: stranger } = await fleet.person();
      await expect(ask(stranger, id)).rejects.toMatchObject({ code: 'noPermission' });
    },
  );

  test('of an inverter have its energies of the day, and all energy', async () => {
    const { id: owner } = await fleet.person();
    const plantId = await fleet.plant(owner);
    const { id, sn } = await fleet.device(plantId);
    await fleet.report(sn, [
      ['2026-06-02T10:00:00Z', { acPowerW: 2000.12345, energyTotalKwh: 100 }],
      ['2026-06-02T10:30:00Z', { acPowerW: 2000, energyTotalKwh: 101.25 }],
    ]);
    expect(await ask(owner, id)).toMatchObject({
      values: { acPowerW: [2000.123, 2000], energyTotalKwh: [100, 101.25] },
      dayKwh: { production: [0, 1.25] },
    });
  });

  test('of a device that came from another owner do not go with it, nor are they shown of a device that stands nowhere', async () => {
    const [former, next] = [await fleet.person(), await fleet.person()];
    const [before, after] = [await fleet.plant(former.id), await fleet.plant(next.id)];
    const { id, sn } = await fleet.device(before, { kind: 'ammeter' });
    await fleet.report(sn, [['2026-06-02T11:00:00Z', { gridPowerW: 5 }]]);
    await fleet.write((trx) => unbindDevice(trx, fleet.act(), id, before));
    await expect(ask(former.id, id)).rejects.toMatchObject({ code: 'noPermission' });
    await fleet.write((trx) => bindDevice(trx, fleet.act(), id, after));
    expect(await ask(next.id, id)).toEqual({ times: [], values: {}, dayKwh: {} });
    await expect(ask(former.id, id)).rejects.toMatchObject({ code: 'noPermission' });
  });
});
