import { expect, inject, test } from 'vitest';
import { createFieldLists } from '../../packages/server/src/series/field-lists.ts';
import { bindDevice, unbindDevice } from '../../packages/server/src/plants/bindings.ts';
import { setTariff } from '../../packages/server/src/plants/tariffs/prices.ts';
import { createSqlSeries } from '../../packages/server/src/series/sql/sql-series.ts';
import { createPostgresDatabase, createSqliteDatabase, type SeriesOf, type TestDatabase } from '../support/engines.ts';
import { createMemorySeries } from '../support/memory-series.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';
import { createRichScene, questions, SCENE_NOW, type QueryId } from '../operations/scene.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Ids are drawn by chance, and a plant's number is made of its id: each is called by when it was first met. */
function withoutIds(text: string): string {
  const met = new Map<string, string>();
  return text.replaceAll(/\b\d{19}\b|(?<="sno":")\d+/g, (id) => {
    if (!met.has(id)) met.set(id, `id ${met.size}`);
    return met.get(id)!;
  });
}

/** Every answer about an installation with some history: late and corrected readings, a price, a device that moved. */
async function answersOver(database: TestDatabase, seriesOf: SeriesOf): Promise<[question: string, answer: string][]> {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(() => database, clock, seriesOf);
  const scene = await createRichScene(fleet);
  const now = clock.now();
  const { sn, id } = scene.devices.inverter;
  const hourly = (from: number, count: number, values: (i: number) => Measurements) =>
    Array.from({ length: count }, (_, i) => [from + i * HOUR, values(i)] as const);
  await fleet.report(
    sn,
    hourly(now - 70 * DAY, 60, (i) => ({ acPowerW: (i % 24) * 100, gridExportTotalKwh: i })),
  );
  await fleet.report(
    sn,
    hourly(now - 3 * DAY, 30, (i) => ({ acPowerW: 700, batteryPowerW: i % 2 ? 50 : -50 })),
  );
  await fleet.report(sn, [[now - 69 * DAY, { acPowerW: 5000, temperatureC: 30 }]]);
  await fleet.write((trx) => setTariff(trx, fleet.act(), scene.plantId, 'production', { fromAt: now - 69 * DAY, pricePerKwh: 0.3 }));
  await fleet.runWork();
  const elsewhere = await fleet.plant(scene.owner);
  await fleet.write(async (trx) => {
    await unbindDevice(trx, fleet.act(), id, scene.plantId);
    await bindDevice(trx, fleet.act(), id, elsewhere);
  });
  clock.at += HOUR;
  await fleet.report(sn, [
    [now - 2 * DAY, { acPowerW: 4000 }],
    [now + HOUR / 2, { acPowerW: 300, energyTotalKwh: 200 }],
  ]);
  await fleet.watch();
  const answers: [string, string][] = [];
  for (const [question, asks] of Object.entries(questions) as [QueryId, (typeof questions)[QueryId]][]) {
    for (const ask of asks) {
      for (const plantId of [scene.plantId, elsewhere]) {
        const body = ask({ ...scene, plantId });
        const answer = await fleet.wire(question, userCaller(scene.owner), body).catch((error: unknown) => String(error));
        answers.push([withoutIds(`${question} ${JSON.stringify(body)}`), withoutIds(JSON.stringify(answer))]);
      }
    }
  }
  return answers;
}

test('the same history is answered the same by every engine, in every answer that there is', { timeout: 120_000 }, async () => {
  const engines: [create: () => Promise<TestDatabase>, seriesOf: () => SeriesOf][] = [
    [createSqliteDatabase, () => (db) => createSqlSeries(db)],
    [
      createSqliteDatabase,
      () => {
        let made: ReturnType<SeriesOf> | undefined;
        return (db) => (made ??= createMemorySeries(createFieldLists(db)));
      },
    ],
  ];
  if (inject('postgresUrl') !== '') engines.push([createPostgresDatabase, () => (db) => createSqlSeries(db)]);
  const all: [string, string][][] = [];
  for (const [create, seriesOf] of engines) {
    const database = await create();
    try {
      all.push(await answersOver(database, seriesOf()));
    } finally {
      await database.drop();
    }
  }
  const [first, ...others] = all;
  expect(first!.length).toBeGreaterThan(80);
  // They tell of what was measured.
  expect(first!.filter(([, answer]) => answer.includes('4000') || answer.includes('"0.3')).length).toBeGreaterThan(0);
  for (const other of others) {
    expect(other.length).toBe(first!.length);
    // One at a time: all of them would be too much to read.
    for (const [i, answer] of other.entries()) expect(answer).toEqual(first![i]);
  }
});
