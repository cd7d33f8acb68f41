import { expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';

const HOUR_MS = 3_600_000;

/** From six to six on a UTC day, every five minutes, as many W/m² as given at noon and less towards the ends. */
const sunny = (
  day: string,
  noonWm2: number,
  of: (wm2: number) => Measurements,
): [number, Measurements][] =>
  Array.from({ length: 145 }, (_, i) => [
    Date.parse(`${day}T06:00:00Z`) + i * 300_000,
    of(noonWm2 * Math.sin((Math.PI * i) / 144)),
  ]);

/** The integral of the same curve: 2/pi of a rectangle of twelve hours. */
const kwhm2 = (noonWm2: number): number => (noonWm2 / 1000) * 12 * (2 / Math.PI);

describeEngines('weather stations', (database) => {
  const clock = settableClock(0);
  const fleet = createFleet(database, clock);

  const setUp = async () => {
    clock.at = Date.parse('2026-05-01T00:00:00Z');
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { timeZone: 'UTC' });
    return {
      plantId,
      caller: userCaller(owner.id),
      station: await fleet.device(plantId, { kind: 'weather' }),
    };
  };

  test('irradiance adds up to the irradiation of days, months and years of the plant', async () => {
    const { plantId, caller, station } = await setUp();
    clock.at = Date.parse('2026-07-01T20:00:00Z');
    for (const [day, wm2] of [
      ['2026-06-29', 800],
      ['2026-06-30', 500],
      ['2026-07-01', 900],
    ] as const) {
      await fleet.report(
        station.sn,
        sunny(day, wm2, (irradianceWm2) => ({
          irradianceWm2,
          directIrradianceWm2: irradianceWm2 / 2,
          diffuseIrradianceWm2: irradianceWm2 / 4,
        })),
      );
    }
    const near = (wm2: number) => ({
      totalR: expect.closeTo(kwhm2(wm2), 2),
      directR: expect.closeTo(kwhm2(wm2 / 2), 2),
    });
    expect(
      await fleet.wire('stationMonth', caller, { id: plantId, month: '2026-06' }),
    ).toMatchObject([
      { dateStr: '2026-06-29', ...near(800) },
      { dateStr: '2026-06-30', ...near(500) },
    ]);
    expect(await fleet.wire('stationYear', caller, { id: plantId })).toMatchObject([
      near(1300),
      near(900),
    ]);
    expect(await fleet.wire('stationAll', caller, { id: plantId })).toMatchObject([near(2200)]);
    expect((await fleet.wire('stationDayEnergyList', caller)).records).toMatchObject([near(900)]);
    expect(
      (await fleet.wire('stationMonthEnergyList', caller, { time: '2026-06' })).records,
    ).toMatchObject([near(1300)]);
    const today = {
      totalRday: expect.closeTo(kwhm2(900), 2),
      directRday: expect.closeTo(kwhm2(450), 2),
      scatteredRday: expect.closeTo(kwhm2(225), 2),
    };
    expect(await fleet.wire('weatherDetail', caller, { sn: station.sn })).toMatchObject(today);
    expect((await fleet.wire('weatherList', caller)).page.records).toMatchObject([today]);
  });

  test('a station’s own counter of the day counts before its irradiance; global irradiance counts where nothing else is measured', async () => {
    const { plantId, caller, station } = await setUp();
    const other = await fleet.plant(caller.accountId, { timeZone: 'UTC' });
    const { sn } = await fleet.device(other, { kind: 'weather' });
    clock.at = Date.parse('2026-06-10T20:00:00Z');
    let sum = 0;
    await fleet.report(
      station.sn,
      sunny('2026-06-10', 800, (irradianceWm2) => ({
        irradianceWm2,
        irradiationTodayKwhm2: (sum += irradianceWm2 / 12_000 / 2),
      })),
    );
    await fleet.report(
      sn,
      sunny('2026-06-10', 600, (globalIrradianceWm2) => ({ globalIrradianceWm2 })),
    );
    const { records } = await fleet.wire('stationDayEnergyList', caller);
    expect(records).toMatchObject([
      { id: plantId, totalR: expect.closeTo(kwhm2(400), 1) },
      { id: other, totalR: expect.closeTo(kwhm2(600), 1) },
    ]);
    expect(records[0]).not.toHaveProperty('directR');
  });

  test('two stations do not make twice the sun: the one that measured most of the day counts', async () => {
    const { plantId, caller, station } = await setUp();
    const second = await fleet.device(plantId, { kind: 'weather' });
    clock.at = Date.parse('2026-06-10T20:00:00Z');
    const curve = (wm2: number) => sunny('2026-06-10', wm2, (irradianceWm2) => ({ irradianceWm2 }));
    await fleet.report(station.sn, curve(1000).slice(72));
    await fleet.report(second.sn, curve(700));
    expect(await fleet.wire('stationMonth', caller, { id: plantId })).toMatchObject([
      { totalR: expect.closeTo(kwhm2(700), 2) },
    ]);
  });

  test('sunshine is direct irradiance above 120 W/m²; without direct irradiance nothing is said of it', async () => {
    const { caller, station } = await setUp();
    clock.at = Date.parse('2026-06-10T20:00:00Z');
    const at = (hour: number) => Date.parse('2026-06-10T00:00:00Z') + hour * HOUR_MS;
    await fleet.report(station.sn, [[at(5), { irradianceWm2: 900 }]]);
    const detail = () => fleet.wire('weatherDetail', caller, { sn: station.sn });
    expect(await detail()).not.toHaveProperty('sunshineTim');
    await fleet.report(station.sn, [
      [at(-1), { directIrradianceWm2: 900 }],
      [at(6), { directIrradianceWm2: 120 }],
      [at(7), { directIrradianceWm2: 121 }],
      [at(7.5), { directIrradianceWm2: 400 }],
      // A gap of two hours tells of one.
      [at(9.5), { directIrradianceWm2: 10 }],
      [at(10), { directIrradianceWm2: 800 }],
    ]);
    expect(await detail()).toMatchObject({ sunshineTim: 1.5, sunshineTimStr: '1h30m' });
  });
});
