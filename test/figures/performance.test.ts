import { expect, test } from 'vitest';
import { sunPosition } from '../../packages/server/src/fleet/devices/sun.ts';
import { clearSkyWm2 } from '../../packages/server/src/measurements/energy/clear-sky.ts';
import {
  acPower,
  dcPower,
  moduleTemperature,
} from '../../packages/server/src/measurements/expected/array-power.ts';
import { getPlant } from '../../packages/server/src/fleet/plants/access.ts';
import { performanceRows } from '../../packages/server/src/measurements/figures/performance/performance-rows.ts';
import { operationSources } from '../support/operations.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const NOW = '2026-06-12T18:00:00Z';
const BERLIN = { latitude: 52.5, longitude: 13.4, timeZone: 'Europe/Berlin' };
const SOUTH = { tiltDegrees: 30, azimuthDegrees: 180, capacityKwp: 10 };
const STEP_MS = 300_000;
const midnight = (day: string): number => Date.parse(`${day}T00:00:00+02:00`);

/** The light in the plane of modules on a bright day. */
const lightAt = (at: number): number => 0.8 * clearSkyWm2(sunPosition(BERLIN, at).elevation);

/** Readings of a day, every five minutes. */
const dayOf = (
  day: string,
  measure: (at: number) => Measurements | undefined,
): (readonly [number, Measurements])[] =>
  Array.from({ length: 288 }, (_, i) => midnight(day) + i * STEP_MS).flatMap((at) => {
    const values = at <= Date.parse(NOW) ? measure(at) : undefined;
    return values ? [[at, values] as const] : [];
  });

const weather = (at: number): Measurements => ({
  irradianceWm2: lightAt(at),
  globalIrradianceWm2: lightAt(at),
  ambientTemperatureC: 20,
  windSpeedMs: 1,
});

/** What a share of an inverter without faults delivers in that light. */
const inverter =
  (share = 1) =>
  (at: number): Measurements => {
    const light = lightAt(at);
    const dcW = dcPower(10_000, light, moduleTemperature(light, 20, 1));
    return { acPowerW: share * acPower(dcW, 10_000).powerW, dcPowerW: share * dcW };
  };

describeEngines('what a plant should have produced', (database) => {
  const fleet = createFleet(database, settableClock(NOW));

  const sources = () => operationSources(database().db, fleet.clock, fleet.newId);
  const furnish = async (facts: object = BERLIN) => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { capacityKwp: 10, ...facts });
    const { sn } = await fleet.device(plantId, { ratedPowerW: 10_000 });
    const caller = userCaller(owner.id);
    await fleet.ask('plant/setArrays', userCaller(owner.id), { plantId, arrays: [SOUTH] });
    return { owner, plantId, sn, caller };
  };
  const station = async (
    plantId: string,
    days: readonly string[],
    measure: (at: number) => Measurements | undefined = weather,
  ) => {
    const { sn } = await fleet.device(plantId, { kind: 'weather' });
    for (const day of days) await fleet.report(sn, dayOf(day, measure));
    return sn;
  };
  type Caller = ReturnType<typeof userCaller>;
  const dayRow = async (caller: Caller, plantId: string, day: number) =>
    (
      await fleet.ask('performance/energy', caller, { plantId, each: 'day', month: '2026-06' })
    ).find((row) => row.day === day)!;

  test('is what a plant without faults produced, with the figures of the standard', async () => {
    const { plantId, sn, caller } = await furnish();
    await station(plantId, ['2026-06-10']);
    await fleet.report(sn, dayOf('2026-06-10', inverter()));
    const row = await dayRow(caller, plantId, 20_260_610);
    expect(row).toMatchObject({ verdict: 'normal', method: 'plane', stationKm: 0, days: 1 });
    expect(row.sharePercent).toBeGreaterThan(99);
    expect(row.sharePercent).toBeLessThan(101);
    expect(row.uncertaintyPercent).toBeCloseTo(Math.hypot(5, 2, 5), 1);
    expect(row.coveragePercent).toBe(100);
    let irradiation = 0;
    for (let at = midnight('2026-06-10'); at < midnight('2026-06-11'); at += STEP_MS)
      irradiation += lightAt(at) / 12_000;
    expect(row.referenceYieldHours).toBeCloseTo(irradiation, 1);
    expect(row.finalYieldHours).toBeCloseTo(row.producedKwh! / 10, 3);
    expect(row.performanceRatioPercent! / 100).toBeCloseTo(
      row.finalYieldHours! / row.referenceYieldHours!,
      2,
    );
    // The modules are warmer than 25 °C.
    expect(row.correctedRatioPercent).toBeGreaterThan(row.performanceRatioPercent! + 2);
  });

  test('is known of a plant that delivers less, and late readings count', async () => {
    const { plantId, sn, caller } = await furnish();
    await fleet.report(sn, dayOf('2026-06-10', inverter(0.7)));
    const weatherSn = await station(plantId, ['2026-06-09']);
    expect(await dayRow(caller, plantId, 20_260_610)).toEqual({
      plantId,
      day: 20_260_610,
      days: 0,
      missing: 'irradiance',
    });
    await fleet.report(weatherSn, dayOf('2026-06-10', weather));
    const row = await dayRow(caller, plantId, 20_260_610);
    expect(row.verdict).toBe('low');
    expect(row.sharePercent).toBeGreaterThan(69);
    expect(row.sharePercent).toBeLessThan(71);
    expect((await dayRow(caller, plantId, 20_260_609)).missing).toBe('production');
  });

  test('is not known where more than a twentieth of the daylight is not known', async () => {
    const { plantId, sn, caller } = await furnish();
    await fleet.report(sn, dayOf('2026-06-10', inverter()));
    const gap = (fromHour: number, toHour: number) => (at: number) => {
      const hour = (at - midnight('2026-06-10')) / 3_600_000;
      return hour > fromHour && hour < toHour ? undefined : weather(at);
    };
    const { sn: weatherSn } = await fleet.device(plantId, { kind: 'weather' });
    await fleet.report(weatherSn, dayOf('2026-06-10', gap(10, 12.5)));
    expect(await dayRow(caller, plantId, 20_260_610)).toEqual({
      plantId,
      day: 20_260_610,
      days: 0,
      missing: 'gaps',
    });
    // A gap of an hour is bridged, as everywhere.
    await fleet.report(weatherSn, dayOf('2026-06-10', gap(10, 10.99)));
    expect((await dayRow(caller, plantId, 20_260_610)).verdict).toBe('normal');
  });

  test('asks a few stations of a day, whichever there are, and knows each day by one that covers it', async () => {
    const { plantId, sn, caller } = await furnish();
    await fleet.report(sn, dayOf('2026-06-10', inverter()));
    const noon = (day: string) => (at: number) =>
      Math.abs(at - midnight(day) - 43_200_000) < 3_600_000 ? weather(at) : undefined;
    for (let i = 0; i < 3; i++) await station(plantId, ['2026-06-10'], noon('2026-06-10'));
    await station(plantId, ['2026-06-10']);
    const asked: number[] = [];
    const { telemetry } = sources();
    const counting = {
      ...telemetry,
      readingPages: (...parameters: Parameters<typeof telemetry.readingPages>) => {
        asked.push(parameters[1]);
        return telemetry.readingPages(...parameters);
      },
    };
    const look = async () => {
      asked.length = 0;
      const plant = await getPlant(database().db, caller, plantId, 'read');
      const row = (
        await performanceRows({ ...sources(), telemetry: counting }, plant, {
          each: 'day',
          month: 202_606,
        })
      ).find(({ day }) => day === 20_260_610);
      return row!;
    };
    expect((await look()).verdict).toBe('normal');
    const there = new Set(asked).size;
    for (let i = 0; i < 10; i++) await station(plantId, ['2026-06-10'], noon('2026-06-10'));
    await look();
    expect(there).toBe(4);
    expect(new Set(asked).size).toBe(4);
  });

  test('says what would have to be known', async () => {
    const unmounted = await furnish();
    await fleet.ask('plant/setArrays', userCaller(unmounted.owner.id), {
      plantId: unmounted.plantId,
      arrays: [],
    });
    const nowhere = await furnish({ timeZone: 'Europe/Berlin' });
    const dark = await furnish();
    for (const [{ plantId, caller }, missing] of [
      [unmounted, 'arrays'],
      [nowhere, 'position'],
      [dark, 'irradiance'],
    ] as const) {
      const { figures, times } = await fleet.ask('performance/day', caller, { plantId });
      expect([figures.missing, times]).toEqual([missing, []]);
      expect(await dayRow(caller, plantId, 20_260_610)).toMatchObject({ missing });
    }
  });

  test('takes the station of another plant of the same owner near by, and no stranger’s', async () => {
    const { owner, plantId, sn, caller } = await furnish();
    await fleet.report(sn, dayOf('2026-06-10', inverter()));
    const asked = () =>
      Promise.all([
        dayRow(caller, plantId, 20_260_610),
        fleet.ask('performance/day', caller, { plantId, day: '2026-06-10' }),
        fleet.ask('performance/energy', caller, { plantId, each: 'month', year: '2026' }),
      ]);
    const alone = await asked();
    expect(alone[0].missing).toBe('irradiance');
    const stranger = await fleet.person();
    const [next, far] = [
      await fleet.plant(stranger.id, { ...BERLIN, capacityKwp: 5 }),
      await fleet.plant(owner.id, { ...BERLIN, latitude: 52.8, capacityKwp: 5 }),
    ];
    await station(next, ['2026-06-10']);
    await station(far, ['2026-06-10']);
    expect(await asked()).toEqual(alone);
    const near = await fleet.plant(owner.id, { ...BERLIN, latitude: 52.6, capacityKwp: 5 });
    await station(near, ['2026-06-10']);
    const row = await dayRow(caller, plantId, 20_260_610);
    expect(row).toMatchObject({ method: 'global', stationKm: 11.1 });
    expect(row.uncertaintyPercent).toBeGreaterThan(Math.hypot(8, 5, 2));
  });

  test('of a month counts its days that are over, if enough of them are known', async () => {
    const { plantId, sn, caller } = await furnish();
    const days = Array.from({ length: 11 }, (_, i) => `2026-06-${String(i + 1).padStart(2, '0')}`);
    await station(plantId, [...days, '2026-06-12']);
    for (const day of [...days, '2026-06-12']) await fleet.report(sn, dayOf(day, inverter(0.9)));
    const months = await fleet.ask('performance/energy', caller, {
      plantId,
      each: 'month',
      year: '2026',
    });
    expect(months.filter(({ missing }) => missing === undefined)).toHaveLength(1);
    const june = months.at(-1)!;
    expect(june).toMatchObject({ day: 20_260_601, days: 11, verdict: 'low', coveragePercent: 100 });
    const rows = await fleet.ask('performance/energy', caller, { plantId, each: 'day' });
    const sum = rows.slice(0, 11).reduce((all, { expectedKwh }) => all + expectedKwh!, 0);
    expect(june.expectedKwh).toBeCloseTo(sum, 1);
    expect(june.sharePercent).toBeCloseTo(90, 0);
    expect(rows).toHaveLength(12);
    expect(rows.at(-1)).toMatchObject({ day: 20_260_612, days: 1 });
  });

  test('shows each inverter with what it should have delivered, and how long it ran', async () => {
    const { plantId, sn, caller } = await furnish();
    const { sn: second } = await fleet.device(plantId, { ratedPowerW: 10_000 });
    await fleet.ask('plant/setArrays', userCaller(caller.accountId), {
      plantId,
      arrays: [
        { ...SOUTH, sn },
        { ...SOUTH, sn: second },
      ],
    });
    await station(plantId, ['2026-06-10']);
    const noon = midnight('2026-06-10') + 13 * 3_600_000;
    await fleet.report(sn, dayOf('2026-06-10', inverter()));
    await fleet.report(
      second,
      dayOf('2026-06-10', (at) => (at < noon ? inverter()(at) : { acPowerW: 0, dcPowerW: 0 })),
    );
    const day = await fleet.ask('performance/day', caller, { plantId, day: '2026-06-10' });
    expect(day.devices.map((each) => each.sn)).toEqual([sn, second]);
    const [whole, half] = day.devices;
    expect(whole).toMatchObject({ timeAvailabilityPercent: 100, energyAvailabilityPercent: 100 });
    expect(whole!.sharePercent).toBeGreaterThan(98);
    expect(half!.timeAvailabilityPercent).toBeGreaterThan(40);
    expect(half!.timeAvailabilityPercent).toBeLessThan(60);
    expect(half!.sharePercent).toBeLessThan(60);
    expect(whole!.arrayYieldHours).toBeGreaterThan(whole!.producedKwh! / 10);
    expect(day.times).toHaveLength(96);
    const at13 = 13 * 4 - 2;
    expect(day.expectedW[at13]).toBeGreaterThan(day.lowW[at13]!);
    expect(day.expectedW[at13]).toBeLessThan(day.highW[at13]!);
    expect(day.expectedW[0]).toBe(0);
    expect(Math.abs(day.producedW[at13]! / day.expectedW[at13]! - 1)).toBeLessThan(0.02);
    expect(day.producedW[at13 + 6]! / day.expectedW[at13 + 6]!).toBeCloseTo(0.5, 1);
  });

  test('ends today with the last whole step', async () => {
    const { plantId, sn, caller } = await furnish();
    await station(plantId, ['2026-06-12']);
    await fleet.report(sn, dayOf('2026-06-12', inverter()));
    const { figures, times } = await fleet.ask('performance/day', caller, { plantId });
    expect(times.at(-1)).toBe(Date.parse(NOW) - 900_000);
    expect(figures.verdict).toBe('normal');
  });
});
