import { expect, test } from 'vitest';
import { sunPosition } from '../../packages/server/src/fleet/devices/sun.ts';
import { clearSkyWm2 } from '../../packages/server/src/measurements/energy/clear-sky.ts';
import {
  acPower,
  dcPower,
  moduleTemperature,
} from '../../packages/server/src/measurements/expected/array-power.ts';
import { createFigureCaches } from '../../packages/server/src/measurements/figures/sources.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { createLossesLane } from '../../packages/server/src/outbound/performance/lane.ts';
import type { CommandTable } from '../../packages/server/src/platform/storage/database.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { runOf } from '../support/runs.ts';
import { settableClock, userCaller } from '../support/world.ts';

const NOW = '2026-06-12T18:00:00Z';
const BERLIN = { latitude: 52.5, longitude: 13.4, timeZone: 'Europe/Berlin' };
const SOUTH = { tiltDegrees: 30, azimuthDegrees: 180, capacityKwp: 10 };
const [STEP_MS, HOUR] = [300_000, 3_600_000];
const DAYS = [
  '2026-06-05',
  '2026-06-06',
  '2026-06-07',
  '2026-06-08',
  '2026-06-09',
  '2026-06-10',
] as const;
const LAST = '2026-06-10';
const midnight = (day: string): number => Date.parse(`${day}T00:00:00+02:00`);
const numberOf = (day: string): number => Number(day.replaceAll('-', ''));

const lightAt = (at: number): number => 0.8 * clearSkyWm2(sunPosition(BERLIN, at).elevation);
const couldW = (at: number): number =>
  acPower(dcPower(10_000, lightAt(at), moduleTemperature(lightAt(at), 20, 1)), 10_000).powerW;

type Measure = (at: number) => Measurements | undefined;
const dayOf = (day: string, measure: Measure): (readonly [number, Measurements])[] =>
  Array.from({ length: 288 }, (_, i) => midnight(day) + i * STEP_MS).flatMap((at) => {
    const values = measure(at);
    return values ? [[at, values] as const] : [];
  });

const weather: Measure = (at) => ({
  irradianceWm2: lightAt(at),
  globalIrradianceWm2: lightAt(at),
  ambientTemperatureC: 20,
  windSpeedMs: 1,
});
const whole: Measure = (at) => ({ acPowerW: couldW(at) });
/** Does something else between two hours of the day. */
const between =
  (from: number, to: number, other: Measure): Measure =>
  (at) => {
    const hour = ((at - midnight(LAST)) / HOUR + 24 * 10) % 24;
    return hour >= from && hour < to ? other(at) : whole(at);
  };
const nothing: Measure = () => ({ acPowerW: 0 });
/** What was possible between two hours, kWh. */
const possible = (day: string, from: number, to: number): number => {
  let sum = 0;
  for (let at = midnight(day) + from * HOUR; at < midnight(day) + to * HOUR; at += STEP_MS)
    sum += couldW(at + STEP_MS / 2) / 12_000;
  return sum;
};

describeEngines('what a plant lost, and why', (database) => {
  const clock = settableClock(NOW);
  const fleet = createFleet(database, clock);
  const db = () => database().db;

  /** A plant with inverters and a weather station. */
  const furnish = async (inverters: number, days: readonly string[] = [LAST]) => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, {
      capacityKwp: 10 * inverters,
      pricePerKwh: 0.1,
      ...BERLIN,
    });
    const devices = [];
    for (let i = 0; i < inverters; i++)
      devices.push(await fleet.device(plantId, { ratedPowerW: 10_000 }));
    const caller = userCaller(owner.id);
    const arrays = devices.map(({ sn }) => ({ ...SOUTH, sn }));
    await fleet.ask('plant/setArrays', caller, { plantId, arrays });
    const station = await fleet.device(plantId, { kind: 'weather' });
    for (const day of days) await fleet.report(station.sn, dayOf(day, weather));
    return { owner, plantId, devices, caller, station };
  };
  type Home = Awaited<ReturnType<typeof furnish>>;
  const reports = async (
    { devices }: Home,
    i: number,
    measure: Measure,
    days: readonly string[] = [LAST],
  ) => {
    for (const day of days) await fleet.report(devices[i]!.sn, dayOf(day, measure));
  };
  const lossesOn = async ({ caller, plantId }: Home, day = LAST) => {
    const rows = await fleet.ask('performance/losses', caller, {
      plantId,
      each: 'day',
      month: day.slice(0, 7),
    });
    const row = rows.find((each) => each.day === numberOf(day))!;
    if (row.lostKwh !== undefined) {
      const sum = row.losses.reduce((all, { kwh }) => all + kwh, 0);
      expect(sum).toBeCloseTo(row.lostKwh!, 2);
      expect(row.lostKwh).toBeCloseTo(row.expectedKwh! + row.clippedKwh! - row.producedKwh!, 2);
    }
    return row;
  };
  const named = (row: Awaited<ReturnType<typeof lossesOn>>) =>
    row.losses.filter(({ cause }) => cause !== 'unexplained');

  /** A write to the first inverter that was carried out. */
  const set = (
    { plantId, devices }: Pick<Home, 'plantId' | 'devices'>,
    parameter: string,
    value: string,
    at: number,
  ) =>
    db()
      .insertInto('command')
      .values({
        id: fleet.newId(),
        deviceId: devices[0]!.id,
        plantId,
        action: 'write',
        parameter,
        value,
        state: 'verified',
        step: 'verify',
        nextAt: at,
        expiresAt: at + HOUR,
        queuedAt: at,
        sentAt: at,
        confirmedAt: at,
        endedAt: at,
        actor: 'account:1234',
        door: 'portal',
      } as Partial<CommandTable> as never)
      .execute();

  test('is nothing for a plant without faults, and follows late readings', async () => {
    const home = await furnish(1);
    await reports(
      home,
      0,
      between(8, 12, () => undefined),
    );
    const before = await lossesOn(home);
    expect(before.missing).toBeUndefined();
    await reports(home, 0, whole);
    const row = await lossesOn(home);
    expect(named(row)).toEqual([]);
    expect(Math.abs(row.lostKwh!)).toBeLessThan(0.01 * row.expectedKwh!);
    expect(before.lostKwh).toBeGreaterThan(5 * Math.abs(row.lostKwh!));
    expect(row).toMatchObject({ days: 1, currency: 'EUR' });
  });

  test('is a standstill while others produce, with its value at the prices of each hour', async () => {
    const home = await furnish(2);
    await fleet.ask('tariff/set', home.caller, {
      plantId: home.plantId,
      use: 'production',
      from: 'beginning',
      pricePerKwh: 0.1,
      windows: [{ start: '12:00', end: '14:00', pricePerKwh: 0.5 }],
    });
    await reports(home, 0, whole);
    await reports(home, 1, between(10, 14, nothing));
    const row = await lossesOn(home);
    const [loss, ...others] = named(row);
    expect(others).toEqual([]);
    expect(loss).toMatchObject({ cause: 'standstill', sn: home.devices[1]!.sn, days: 1 });
    expect(loss!.confidence).toBe('high');
    expect(Math.abs(loss!.kwh / possible(LAST, 10, 14) - 1)).toBeLessThan(0.03);
    const worth = 0.1 * possible(LAST, 10, 12) + 0.5 * possible(LAST, 12, 14);
    expect(Math.abs(loss!.amount! / worth - 1)).toBeLessThan(0.04);
    expect(row.lostAmount).toBe(loss!.amount);
  });

  test('is a limit that was forgotten, with who set it and when', async () => {
    const home = await furnish(1, DAYS);
    const setAt = midnight('2026-06-07') + 11 * HOUR;
    const limited: Measure = (at) => ({
      acPowerW: at < setAt ? couldW(at) : Math.min(3000, couldW(at)),
    });
    await reports(home, 0, limited, DAYS);
    await set(home, '15', '30', setAt);
    expect(named(await lossesOn(home, '2026-06-06'))).toEqual([]);
    const row = await lossesOn(home);
    expect(named(row)).toMatchObject([
      { cause: 'limit', limitW: 3000, setBy: 'account:1234', setAt, parameter: '15' },
    ]);
    const truth =
      possible(LAST, 0, 24) -
      Array.from({ length: 288 }, (_, i) => midnight(LAST) + i * STEP_MS).reduce(
        (sum, at) => sum + Math.min(3000, couldW(at)) / 12_000,
        0,
      );
    expect(Math.abs(named(row)[0]!.kwh / truth - 1)).toBeLessThan(0.05);
    // Also by what the inverter itself reports, without any command.
    const other = await furnish(1);
    await reports(other, 0, (at) => ({
      acPowerW: Math.min(3000, couldW(at)),
      powerLimitPercent: 30,
    }));
    expect(named(await lossesOn(other))).toMatchObject([
      { cause: 'limit', limitW: 3000, confidence: 'high' },
    ]);
  });

  test('is a limit only while it is in force: until it is taken back, or another one is set', async () => {
    const home = await furnish(1, DAYS);
    const [setAt, endAt] = [midnight('2026-06-06'), midnight('2026-06-08')];
    const limited: Measure = (at) => ({
      acPowerW: at >= setAt && at < endAt ? Math.min(3000, couldW(at)) : couldW(at),
    });
    await reports(home, 0, limited, DAYS);
    await set(home, '15', '30', setAt);
    await set(home, '15', '100', endAt);
    const causes = async (day: string) =>
      named(await lossesOn(home, day)).map(({ cause }) => cause);
    expect(await causes('2026-06-05')).toEqual([]);
    expect(await causes('2026-06-07')).toEqual(['limit']);
    expect(await causes('2026-06-08')).toEqual([]);
    // What has ended is worth no visit.
    await fleet.ask('performance/losses', home.caller, { plantId: home.plantId, each: 'day' });
    expect(await fleet.ask('performance/visits', home.caller)).toHaveLength(1);
    clock.at = midnight('2026-06-20') + 20 * HOUR;
    const later = [12, 13, 14, 15, 16, 17, 18, 19].map((day) => `2026-06-${day}`);
    await reports(home, 0, whole, later);
    for (const day of later) await fleet.report(home.station.sn, dayOf(day, weather));
    await fleet.ask('performance/losses', home.caller, { plantId: home.plantId, each: 'day' });
    expect(await fleet.ask('performance/visits', home.caller)).toEqual([]);
    clock.at = Date.parse(NOW);
  });

  test('is a limit of what is fed in, while the meter shows that it is reached', async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, {
      capacityKwp: 10,
      tiltDegrees: 30,
      azimuthDegrees: 180,
      ...BERLIN,
    });
    const inverter = await fleet.device(plantId, { ratedPowerW: 10_000, model: 'HS-8K-ES' });
    const meter = await fleet.device(plantId, { kind: 'epm' });
    const station = await fleet.device(plantId, { kind: 'weather' });
    const home = { plantId, devices: [inverter], caller: userCaller(owner.id) };
    await set(home, '499', '2000', midnight('2026-06-01'));
    await fleet.report(station.sn, dayOf(LAST, weather));
    // The house takes 500 W.
    const outW = (at: number): number => Math.min(2500, couldW(at));
    await fleet.report(
      inverter.sn,
      dayOf(LAST, (at) => ({ acPowerW: outW(at) })),
    );
    await fleet.report(
      meter.sn,
      dayOf(LAST, (at) => ({ gridPowerW: outW(at) - 500 })),
    );
    const row = await lossesOn(home as never);
    expect(named(row)).toMatchObject([
      { cause: 'exportLimit', limitW: 2000, setBy: 'account:1234', parameter: '499' },
    ]);
    expect(named(row)[0]!.kwh / row.lostKwh!).toBeGreaterThan(0.9);
  });

  test('is the silence of a device, until its counter says that it went on', async () => {
    const home = await furnish(1, ['2026-06-09', LAST]);
    let total = 1000;
    const counting: Measure = (at) => ({
      acPowerW: couldW(at),
      energyTotalKwh: (total += couldW(at) / 12_000),
    });
    await reports(home, 0, counting, ['2026-06-09']);
    const beforeGap = total;
    const silent: Measure = (at) =>
      at < midnight(LAST) + 9 * HOUR ? counting(at) : void counting(at);
    await reports(home, 0, silent);
    expect(named(await lossesOn(home))).toMatchObject([{ cause: 'silent', confidence: 'low' }]);
    expect(named(await lossesOn(home))[0]!.kwh).toBeGreaterThan(0.6 * (total - beforeGap));
    await fleet.report(home.devices[0]!.sn, [
      [midnight(LAST) + 23.5 * HOUR, { acPowerW: 0, energyTotalKwh: total }],
    ]);
    const row = await lossesOn(home);
    expect(named(row)).toEqual([]);
    expect(Math.abs(row.lostKwh!)).toBeLessThan(0.02 * row.expectedKwh!);
  });

  test('counts a day on which a plant did not report at all, once it had reported', async () => {
    const home = await furnish(1, ['2026-06-09', LAST]);
    expect((await lossesOn(home)).missing).toBe('production');
    await reports(home, 0, whole, ['2026-06-09']);
    const row = await lossesOn(home);
    expect(named(row)).toMatchObject([{ cause: 'silent', sn: home.devices[0]!.sn }]);
    expect(row).toMatchObject({ producedKwh: 0, days: 1 });
  });

  test('is the grid while an alarm says so, and the input that lags behind the others', async () => {
    const home = await furnish(2);
    await reports(home, 0, between(11, 13, nothing));
    await db()
      .insertInto('alarm')
      .values({
        id: fleet.newId(),
        deviceId: home.devices[0]!.id,
        plantId: home.plantId,
        sn: home.devices[0]!.sn,
        kind: 'inverter',
        code: 'H104',
        level: 2,
        message: 'out of range',
        beginAt: midnight(LAST) + 11 * HOUR,
        beginDay: numberOf(LAST),
        endAt: midnight(LAST) + 13 * HOUR,
        endDay: numberOf(LAST),
        state: 2,
      } as never)
      .execute();
    await reports(home, 1, (at) => {
      const ofInput = couldW(at) / 2 / 0.96;
      return {
        acPowerW: couldW(at) / 2,
        dcVoltage1V: 400,
        dcPower1W: ofInput,
        dcVoltage2V: 400,
        dcPower2W: 0,
      };
    });
    const losses = named(await lossesOn(home)).toSorted((a, b) => (a.cause < b.cause ? -1 : 1));
    expect(losses).toMatchObject([
      { cause: 'grid', sn: home.devices[0]!.sn, alarmCode: 'H104' },
      { cause: 'string', sn: home.devices[1]!.sn, input: 2, sharePercent: 0 },
    ]);
    expect(Math.abs(losses[0]!.kwh / possible(LAST, 11, 13) - 1)).toBeLessThan(0.05);
    expect(Math.abs(losses[1]!.kwh / (possible(LAST, 0, 24) / 2) - 1)).toBeLessThan(0.1);
  });

  test('adds up over months, and is not changed by a stranger’s plant', async () => {
    const home = await furnish(2, DAYS);
    await reports(home, 0, whole, DAYS);
    await reports(home, 1, whole, DAYS.slice(0, 2));
    await reports(home, 1, nothing, DAYS.slice(2));
    const asked = () =>
      Promise.all([
        fleet.ask('performance/losses', home.caller, {
          plantId: home.plantId,
          each: 'month',
          year: '2026',
        }),
        fleet.ask('performance/losses', home.caller, { plantId: home.plantId, each: 'day' }),
        fleet.ask('performance/visits', home.caller),
      ]);
    // A year is worked out in pieces.
    for (let i = 0; i < 7; i++) await asked();
    const [months, days, visits] = await asked();
    const june = months.at(-1)!;
    expect(june).toMatchObject({ day: 20_260_601, days: 6 });
    expect(june.pendingDays).toBeUndefined();
    const daily = days.flatMap((row) => named(row));
    expect(daily).toHaveLength(4);
    expect(named(june)).toHaveLength(1);
    expect(named(june)[0]).toMatchObject({ cause: 'standstill', days: 4 });
    expect(named(june)[0]!.kwh).toBeCloseTo(
      daily.reduce((sum, { kwh }) => sum + kwh, 0),
      1,
    );
    expect(visits).toMatchObject([
      {
        plantId: home.plantId,
        cause: 'standstill',
        sn: home.devices[1]!.sn,
        since: 20_260_607,
        days: 4,
      },
    ]);
    // Half of what the plant should produce in a year, some 1,000 kWh for each kWp in such weather.
    expect(visits[0]!.kwhPerYear).toBeGreaterThan(5_000);
    expect(visits[0]!.kwhPerYear).toBeLessThan(25_000);
    expect(visits[0]!.amountPerYear! / visits[0]!.kwhPerYear).toBeCloseTo(0.1, 2);
    const stranger = await furnish(2, DAYS);
    await reports(stranger, 0, nothing, DAYS);
    await reports(stranger, 1, whole, DAYS);
    await fleet.ask('performance/losses', stranger.caller, {
      plantId: stranger.plantId,
      each: 'day',
    });
    expect(await asked()).toEqual([months, days, visits]);
    await expect(
      fleet.ask('performance/losses', stranger.caller, { plantId: home.plantId, each: 'day' }),
    ).rejects.toMatchObject({ code: 'noPermission' });
  });

  test('is kept current in the background, without anybody asking', async () => {
    const home = await furnish(2, DAYS);
    await reports(home, 0, whole, DAYS);
    await reports(home, 1, nothing, DAYS);
    const telemetry = createTelemetry(settledReads(db(), createSqlSeries(db())));
    const errors: unknown[] = [];
    const lane = createLossesLane({
      db: db(),
      clock,
      telemetry,
      caches: createFigureCaches(),
      logger: { error: (fault: unknown) => void errors.push(fault) } as never,
    });
    const dueAt = async () =>
      (
        await db()
          .selectFrom('plantStanding')
          .select('lossesDueAt')
          .where('plantId', '=', home.plantId)
          .executeTakeFirstOrThrow()
      ).lossesDueAt;
    const work = async () => {
      while ((await dueAt()) <= clock.now()) await lane.run(runOf(db(), ''));
    };
    await work();
    expect(errors).toEqual([]);
    // Of a plant that was created just now, the history may be arriving.
    expect(await dueAt()).toBe(Date.parse(NOW) + 10_000);
    await db().updateTable('plant').set({ createdAt: 0 }).where('id', '=', home.plantId).execute();
    clock.at += 10_000;
    await work();
    clock.at = Date.parse(NOW);
    // Two hours after the plant's midnight.
    expect(await dueAt()).toBe(midnight('2026-06-13') + 2 * HOUR);
    const kept = () =>
      db()
        .selectFrom('performanceLoss')
        .select(['day', 'cause', 'sn'])
        .where('plantId', '=', home.plantId)
        .orderBy('day')
        .execute();
    expect(await kept()).toEqual(
      DAYS.map((day) => ({
        day: numberOf(day),
        cause: 'standstill',
        sn: home.devices[1]!.sn,
      })),
    );
    // What arrives late is seen the next night.
    await reports(home, 1, whole, [LAST]);
    clock.at = midnight('2026-06-13') + 3 * HOUR;
    await work();
    clock.at = Date.parse(NOW);
    expect(await kept()).toHaveLength(DAYS.length - 1);
  });
});
