import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { createMemorySeries, type MemorySeries } from '../support/memory-series.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { postReadings } from '../telemetry/post-readings.ts';

let database: TestDatabase;
let series: MemorySeries;
let app: RunningApp;
let device: Installation;
const world = createReportingWorld(
  () => database,
  settableClock(Date.now()),
  () => series,
);

beforeAll(async () => {
  database = await createSqliteDatabase();
  series = createMemorySeries(createFieldLists(database.db));
  device = await world.install();
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

const report = async (minutesAgo: number): Promise<string> => {
  const answer = await postReadings(app.addresses.gateway!, device, [
    { at: Date.now() - minutesAgo * 60_000, values: { acPowerW: 1000 } },
  ]);
  return `${answer.status} ${answer.headers.get('retry-after')}`;
};
const statusOf = async (path: string): Promise<number> =>
  (await fetch(`${app.addresses.gateway}${path}`)).status;

test('a start makes anew what was left half-written', async () => {
  // Yesterday noon in the plant's zone (UTC): both samples are of one day, whenever the test runs.
  const at = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000;
  await world.report(device, [{ at, values: { acPowerW: 1000 } }]);
  // Samples without their day, as a killed process leaves them.
  const [sample] = await series.range(database.db, device.series, 0, Infinity);
  const day = [...(await series.newestDays(database.db, [device.binding])).keys()];
  expect(day).toEqual([device.binding]);
  await series.mark([{ binding: device.binding, day: 20000101, attempt: 'killed' }]);
  await series.put(database.db, {
    samples: [{ seriesId: device.series, sample: { ...sample!, at: at + 600_000 } }],
  });
  app = await startApp(database, {}, () => series);
  expect(await series.marks()).toEqual([]);
  expect(
    (await series.newestDays(database.db, [device.binding])).get(device.binding)!.state,
  ).toMatchObject({ samples: 2, last: { at: at + 600_000 } });
});

test('while the engine of the series is away the server is not ready, and reports are answered 503 with Retry-After', async () => {
  expect([await statusOf('/readyz'), await report(30)]).toEqual([200, '200 null']);
  series.away = true;
  expect([await statusOf('/healthz'), await statusOf('/readyz'), await report(20)]).toEqual([
    200,
    503,
    '503 5',
  ]);
  series.away = false;
  expect([await statusOf('/readyz'), await report(20)]).toEqual([200, '200 null']);
});
