import { once } from 'node:events';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createSignedAccount } from '../../packages/server/src/interfaces/cli/history/signed-account.ts';
import { HistoryDoubts } from '../../packages/server/src/measurements/ingest/history/account.ts';
import { importHistory } from '../../packages/server/src/measurements/ingest/history/import-history.ts';
import { planHistory } from '../../packages/server/src/measurements/ingest/history/plan.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import {
  calendarOfZone,
  yearOf,
} from '../../packages/server/src/platform/calendar/plant-calendar.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createSqliteDatabase, settingsOf, type TestDatabase } from '../support/engines.ts';
import { spawnHelioport } from '../support/server-process.ts';
import { temporaryFolder } from '../clients/temporary-folder.ts';
import {
  energiesOf,
  importTo,
  ingestOn,
  readingsOfHouse,
  startHouse,
  ZONE,
  type House,
} from './account-there.ts';
import { startProxy, TROUBLES } from './proxy.ts';

const DAYS = 40;
const SNS = ['INV-STRING', 'EPM-1'];

let thereDatabase: TestDatabase;
let there: House;
const now = systemClock.now();
const today = calendarOfZone(ZONE).dayOf(now);
const times = { today, years: [yearOf(today) - 1, yearOf(today)] };

beforeAll(async () => {
  thereDatabase = await createSqliteDatabase();
  there = await startHouse(thereDatabase);
  await ingestOn(thereDatabase)('operator', readingsOfHouse(DAYS, now));
}, 240_000);
afterAll(async () => {
  await there.stop();
  await thereDatabase.drop();
});

async function newHouse(): Promise<[TestDatabase, House]> {
  const database = await createSqliteDatabase();
  const house = await startHouse(database, SNS);
  onTestFinished(async () => {
    await house.stop();
    await database.drop();
  });
  return [database, house];
}

const energiesIn = (house: House) => energiesOf(house, times, SNS);
const devices = ({ plant: _, ...rest }: Awaited<ReturnType<typeof energiesOf>>) => rest;

test(
  'an account that limits requests, fails or cuts off is waited for',
  { timeout: 240_000 },
  async () => {
    const [database, here] = await newHouse();
    // Every third request goes wrong, in another way each time.
    const proxy = await startProxy(there.baseUrl, (count) =>
      count > 1 && count % 3 === 0 ? TROUBLES[(count / 3) % TROUBLES.length] : undefined,
    );
    onTestFinished(proxy.close);
    const notes: string[] = [];
    const waited: number[] = [];
    const account = createSignedAccount({
      baseUrl: proxy.url,
      ...there.key,
      perSecond: 100,
      clock: systemClock,
      pause: async (ms) => void waited.push(ms),
      signal: new AbortController().signal,
      note: (text) => void notes.push(text),
    });
    const { db } = database;
    const series = createSqlSeries(db);
    const doubts = new HistoryDoubts();
    const plan = await planHistory({ account, db, series, now, doubts });
    const result = await importHistory(
      { account, db, series, ingest: ingestOn(database), clock: systemClock, doubts },
      plan.devices.map(({ device }) => device!),
      { onProgress: () => {} },
    );
    expect([result.refused, doubts.list()]).toEqual([[], []]);
    expect(devices(await energiesIn(here))).toEqual(devices(await energiesIn(there)));
    expect(result.curves).toBe(result.days);
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^waiting until \d\d:\d\d UTC, 60 s: .*too many request 200 times in 1DAYS/,
      ),
    );
    expect(Math.max(...waited)).toBeGreaterThanOrEqual(60_000);
  },
);

test('killed at any moment, it goes on where it was', { timeout: 240_000 }, async () => {
  const [database, here] = await newHouse();
  let kill = (): void => {};
  let killAt = Infinity;
  const proxy = await startProxy(there.baseUrl, (count) => {
    if (count === killAt) setImmediate(kill);
    return undefined;
  });
  onTestFinished(proxy.close);
  const environment = { ...settingsOf(database), HELIOPORT_KEY_SECRET: there.key.keySecret };
  for (const after of [9, 14, 40]) {
    killAt = proxy.count() + after;
    const child = spawnHelioport(
      temporaryFolder(),
      [
        'history',
        'import',
        '--from',
        proxy.url,
        '--key-id',
        there.key.keyId,
        '--per-second',
        '100',
      ],
      environment,
    );
    kill = () => void child.kill('SIGKILL');
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  }
  const before = proxy.count();
  const outcome = await importTo(database, { baseUrl: proxy.url, key: there.key }, '--json');
  expect([outcome.exitCode, outcome.json().doubts]).toEqual([0, []]);
  const inTheEnd = proxy.count() - before;
  expect(devices(await energiesIn(here))).toEqual(devices(await energiesIn(there)));
  // It did not begin anew: the whole takes a request for each day of each device.
  expect(inTheEnd).toBeLessThan(outcome.json().imported.days);
});
