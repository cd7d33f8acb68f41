import { expect, test } from 'vitest';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';

const MINUTE_MS = 60_000;
const TEN = Date.parse('2026-06-10T10:00:00Z');

/** One reading every so many minutes from 10:00 on. */
const every = (
  minutes: number,
  count: number,
  values: Measurements,
  from = TEN,
): [number, Measurements][] =>
  Array.from({ length: count }, (_, i) => [from + i * minutes * MINUTE_MS, values]);

describeEngines('the day of a plant', (database) => {
  const clock = settableClock('2026-06-10T14:00:00Z');
  const fleet = createFleet(database, clock);

  const setUp = async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id);
    const day = () =>
      fleet.ask('stationDay', userCaller(owner.id), { id: plantId, time: '2026-06-10' });
    return { plantId, day, caller: userCaller(owner.id) };
  };
  const clockOf = (at: number): string => new Date(at).toISOString().slice(11, 16);

  test('adds up devices that report at different paces, each value until the next one or for an hour', async () => {
    const { plantId, day } = await setUp();
    const [quick, slow] = [await fleet.device(plantId), await fleet.device(plantId)];
    await fleet.report(quick.sn, every(5, 25, { acPowerW: 100 }));
    await fleet.report(slow.sn, every(15, 3, { acPowerW: 1000 }));
    const rows = await day();
    expect(rows.map(({ at }) => clockOf(at)).slice(0, 3)).toEqual(['10:00', '10:05', '10:10']);
    expect(rows).toHaveLength(25);
    // The slow one's last reading is that of 10:30.
    expect(rows.map(({ at, values }) => [clockOf(at), values.acPowerW])).toEqual(
      rows.map(({ at }) => [clockOf(at), at <= TEN + 90 * MINUTE_MS ? 1100 : 100]),
    );
  });

  test('takes the last reading of five minutes and leaves out points at which nothing was read', async () => {
    const { plantId, day } = await setUp();
    const { sn } = await fleet.device(plantId);
    await fleet.report(sn, [
      ['2026-06-10T10:00:10Z', { acPowerW: 1 }],
      ['2026-06-10T10:02:10Z', { acPowerW: 2 }],
      ['2026-06-10T10:04:59Z', { acPowerW: 3 }],
      ['2026-06-10T10:20:00Z', { acPowerW: 4 }],
    ]);
    expect((await day()).map(({ at, values }) => [clockOf(at), values.acPowerW])).toEqual([
      ['10:00', 3],
      ['10:20', 4],
    ]);
  });

  test('asks the meter for the grid as long as it reports, and the inverters when it does not', async () => {
    const { plantId, day } = await setUp();
    const [inverter, epm] = [
      await fleet.device(plantId),
      await fleet.device(plantId, { kind: 'epm' }),
    ];
    await fleet.report(
      inverter.sn,
      every(30, 6, { acPowerW: 2000, gridPowerW: 700, batterySocPercent: 40 }),
    );
    await fleet.report(epm.sn, every(30, 2, { gridPowerW: 500 }));
    expect((await day()).map(({ at, values }) => [clockOf(at), values.gridPowerW])).toEqual([
      ['10:00', 500],
      ['10:30', 500],
      ['11:00', 500],
      ['11:30', 500],
      ['12:00', 700],
      ['12:30', 700],
    ]);
  });

  test('has the mean of what cannot be added', async () => {
    const { plantId, day } = await setUp();
    const [first, second, station] = [
      await fleet.device(plantId),
      await fleet.device(plantId),
      await fleet.device(plantId, { kind: 'weather' }),
    ];
    await fleet.report(first.sn, every(5, 1, { batterySocPercent: 20, batteryPowerW: 300 }));
    await fleet.report(second.sn, every(5, 1, { batterySocPercent: 60, batteryPowerW: -100 }));
    await fleet.report(station.sn, every(5, 1, { irradianceWm2: 800 }));
    expect((await day())[0]!.values).toEqual({
      batterySocPercent: 40,
      batteryPowerW: 200,
      irradianceWm2: 800,
    });
  });

  test('of a collector shows its signal, and its record counts what reports through it', async () => {
    const { plantId, caller } = await setUp();
    const collector = await fleet.device(plantId, { kind: 'collector' });
    for (let i = 0; i < 3; i++) {
      const { id } = await fleet.device(plantId);
      await fleet.write((trx) => assignCollector(trx, id, collector.id));
    }
    await fleet.report(collector.sn, [
      ...every(60, 2, { signalDbm: -55 }),
      ...every(60, 1, { signalDbm: -85 }, TEN + 3 * 3_600_000),
    ]);
    expect(await fleet.wire('collectorDetail', caller, { sn: collector.sn })).toMatchObject({
      actualNumber: 3,
      rssi: -85,
      rssiLevel: 1,
      stationId: plantId,
    });
    const points = await fleet.wire('collector/day', caller, {
      sn: collector.sn,
      time: '2026-06-10',
    });
    expect(
      points.map(({ timeStr, rssi, rssiLevel }: Record<string, unknown>) => [
        timeStr,
        rssi,
        rssiLevel,
      ]),
    ).toEqual([
      ['10:00:00', -55, 4],
      ['11:00:00', -55, 4],
      ['13:00:00', -85, 1],
    ]);
  });
});
