import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '@helioport/contract/durations';
import {
  addDays,
  calendarOfZone,
  dayText,
  yearOf,
} from '../../packages/server/src/platform/calendar/plant-calendar.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createSqliteDatabase, describeEngines, type TestDatabase } from '../support/engines.ts';
import {
  energiesOf,
  importTo,
  ingestOn,
  readingsOfHouse,
  startHouse,
  totalsOf,
  ZONE,
  type House,
} from './account-there.ts';

const DAYS = 45;
const OWN_DAYS = 10;

describeEngines('an import beside readings of one’s own', (database) => {
  let thereDatabase: TestDatabase;
  let [there, here]: [House, House] = [] as never;
  const now = systemClock.now();
  const calendar = calendarOfZone(ZONE);
  const today = calendar.dayOf(now);
  const times = { today, years: [yearOf(today) - 1, yearOf(today)] };
  const all = readingsOfHouse(DAYS, now);
  // From the middle of a day on, with an hour of silence somewhere.
  const ownSince = calendar.dayWindow(addDays(today, -OWN_DAYS)).startAt + DAY_MS / 2;
  const own = all.filter(({ sn, at }) => sn === 'INV-STRING' && at >= ownSince);

  beforeAll(async () => {
    thereDatabase = await createSqliteDatabase();
    there = await startHouse(thereDatabase);
    await ingestOn(thereDatabase)('operator', all);
    here = await startHouse(database());
    await ingestOn(database())('operator', own);
  }, 240_000);
  afterAll(async () => {
    await there.stop();
    await here.stop();
    await thereDatabase.drop();
  });

  const samples = async (sn: string, sinceAt: number): Promise<unknown[]> =>
    database()
      .db.selectFrom('sample')
      .innerJoin('device', 'device.series', 'sample.series')
      .select(['sample.at', 'sample.values', 'sample.fields'])
      .where('sn', '=', sn)
      .where('at', '>=', sinceAt)
      .orderBy('at')
      .execute();
  const ofString = (house: House) => energiesOf(house, times, ['INV-STRING']);
  type Energies = Record<string, Record<string, Record<string, unknown>>>;

  test(
    'fills the days before them, and leaves them as they are',
    { timeout: 240_000 },
    async () => {
      const ownDay = calendar.dayWindow(addDays(today, -OWN_DAYS)).startAt;
      const before = {
        samples: await samples('INV-STRING', ownDay),
        totals: await totalsOf(here, 'INV-STRING'),
        energies: (await ofString(here)) as Energies,
      };
      const outcome = await importTo(database(), there, '--json');
      expect(outcome.exitCode).toBe(0);
      expect(await samples('INV-STRING', ownDay)).toEqual(before.samples);
      expect(await totalsOf(here, 'INV-STRING')).toEqual(before.totals);
      const after = (await ofString(here)) as Energies;
      const old = (await ofString(there)) as Energies;
      for (const [month, days] of Object.entries(after['INV-STRING']!)) {
        if (!/^\d{4}-\d\d$/.test(month)) continue;
        for (const [date, energies] of Object.entries(days))
          expect([date, energies]).toEqual([
            date,
            (date >= dayText(addDays(today, -OWN_DAYS)) ? before.energies : old)['INV-STRING']![
              month
            ]![date],
          ]);
      }
      expect(Object.keys(after['INV-STRING']![dayText(today).slice(0, 7)]!)).toEqual(
        Object.keys(old['INV-STRING']![dayText(today).slice(0, 7)]!),
      );
    },
  );

  test('brings the curve of each day, and sets it beside the energy of the day', async () => {
    const day = { time: dayText(addDays(today, -20)), sn: 'INV-HYBRID', money: 'EUR' };
    const [old, taken] = await Promise.all(
      [there, here].map(({ client }) => client.call('inverterDay', day)),
    );
    const measured = (rows: typeof old & {}): unknown[] =>
      rows
        .filter(({ pac }) => pac !== undefined)
        .map(({ dataTimestamp, pac, uPv1, batteryPower, batteryCapacitySoc }) => [
          dataTimestamp,
          pac,
          uPv1,
          batteryPower,
          batteryCapacitySoc,
        ]);
    expect(measured(old!).length).toBeGreaterThan(6);
    expect(measured(taken!)).toEqual(measured(old!));
  });

  test('done twice is done once', { timeout: 240_000 }, async () => {
    const before = [await samples('INV-STRING', 0), await samples('INV-HYBRID', 0)];
    const outcome = await importTo(database(), there, '--json');
    expect(outcome.exitCode).toBe(0);
    expect([await samples('INV-STRING', 0), await samples('INV-HYBRID', 0)]).toEqual(before);
  });

  test('readings of one’s own go on from what was imported', async () => {
    await ingestOn(database())(
      'operator',
      all.filter(({ sn, at }) => sn === 'INV-HYBRID' && at >= calendar.dayWindow(today).startAt),
    );
    const [[total, soFar], [old, oldSoFar]] = [
      await totalsOf(here, 'INV-HYBRID'),
      await totalsOf(there, 'INV-HYBRID'),
    ];
    // The account tells totals above 1 MWh in steps of 1 kWh.
    expect(Math.abs(total - old)).toBeLessThanOrEqual(0.5);
    expect(soFar).toBe(oldSoFar);
    const hybrid = (house: House) => energiesOf(house, times, ['INV-HYBRID']);
    expect((await hybrid(here))['INV-HYBRID']).toEqual((await hybrid(there))['INV-HYBRID']);
  });
});
