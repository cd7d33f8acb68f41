// What the portal's list of plants costs an installer: 10,000 plants compared with 1,000, measured in turns, by everything that it can be sorted by.
// HELIOPORT_BENCH_PLANTS makes the large fleet smaller; HELIOPORT_BENCH_ENGINES=sqlite (or postgres) omits the other engine.
import process from 'node:process';
import { plantOrders } from '@helioport/contract';
import { createFigureCaches } from '../packages/server/src/measurements/figures/sources.ts';
import { createRankingFigures } from '../packages/server/src/measurements/figures/plant/ranking-figures.ts';
import { createSqlSeries } from '../packages/server/src/measurements/series/sql/sql-series.ts';
import type { Storage } from '../packages/server/src/platform/storage/open.ts';
import { createTelemetry } from '../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../packages/server/src/measurements/ingest/settled-reads.ts';
import { runOf } from '../test/support/runs.ts';
import { createDesk, percentile, type Ask } from './fleet/desk.ts';
import { wantedEngines, type Engine } from './fleet/engines.ts';
import { clock, DEVICES_PER_PLANT, install } from './fleet/installation.ts';
import { writeResults } from './support/results.ts';

const LARGE_PLANTS = Number(process.env['HELIOPORT_BENCH_PLANTS'] ?? 10_000);
const SMALL_PLANTS = 1_000;
const ROUNDS = 40;

interface Fleet {
  readonly storage: Storage;
  readonly ask: (body: Record<string, unknown>, id?: Parameters<Ask>[1]) => Promise<unknown>;
  /** The time in which the figures of one plant were worked out, ms. */
  readonly settledMs: number;
}

async function makeFleet(engine: Engine, plants: number): Promise<Fleet> {
  const { storage, bulk } = await engine.open();
  const { installer } = await install(storage.db, bulk, plants);
  const { db } = storage;
  const logger = { error: (fault: object): never => Promise.reject(fault) as never };
  const standings = createRankingFigures({
    db,
    clock,
    telemetry: createTelemetry(settledReads(db, createSqlSeries(db))),
    caches: createFigureCaches(),
    logger,
  });
  const begun = performance.now();
  while (await standings.run(runOf(db, '')));
  const settledMs = (performance.now() - begun) / plants;
  console.log(
    `${engine.name}: ${plants} plants, the figures of each worked out in ${settledMs.toFixed(2)} ms`,
  );
  const desk = createDesk(db);
  return { storage, settledMs, ask: (body, id = 'plant/ranking') => desk(installer, id, body) };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

const questions: [what: string, body: Record<string, unknown>, id?: Parameters<Ask>[1]][] = [
  ...plantOrders.map((sort): [string, Record<string, unknown>] => [
    `by ${sort}, first page`,
    { sort },
  ]),
  ['by power, page in the middle', { sort: 'power', page: 'middle' }],
  ['by power, last page', { sort: 'power', page: 'last' }],
  ['by day, page in the middle', { sort: 'day', page: 'middle' }],
  ['by day, last page', { sort: 'day', page: 'last' }],
  ['by day, states online and alarm', { sort: 'day', states: 'online,alarm' }],
  ['searched by name', { search: 'plant 77' }],
  ['all added up', {}, 'plant/overview'],
  ['all on the map', {}, 'plant/positions'],
];

async function measure(engine: Engine): Promise<string> {
  const [small, large] = [
    await makeFleet(engine, SMALL_PLANTS),
    await makeFleet(engine, LARGE_PLANTS),
  ];
  const lines: string[] = [];
  for (const [what, { page, ...body }, id] of questions) {
    const of = (plants: number) =>
      page ? { ...body, pageNo: plants / (page === 'middle' ? 40 : 20) } : body;
    const times: { small: number[]; large: number[] } = { small: [], large: [] };
    for (let round = -5; round < ROUNDS; round++) {
      const a = await timed(() => small.ask(of(SMALL_PLANTS), id));
      const b = await timed(() => large.ask(of(LARGE_PLANTS), id));
      if (round < 0) continue;
      times.small.push(a);
      times.large.push(b);
    }
    const [a, b] = [times.small, times.large].map((all) => all.toSorted((x, y) => x - y));
    const [p50, p99, before] = [percentile(b!, 0.5), percentile(b!, 0.99), percentile(a!, 0.5)];
    lines.push(
      `| ${what} | ${p50.toFixed(2)} | ${p99.toFixed(1)} | ${before.toFixed(2)} | ${(p50 / before).toFixed(2)} |`,
    );
    console.log(engine.name, lines.at(-1));
  }
  await small.storage.close();
  await large.storage.close();
  return `#### ${engine.name}

The figures of a plant with ${DEVICES_PER_PLANT} devices are worked out in ${large.settledMs.toFixed(2)} ms, every two minutes while it reports.

| question | p50 ms | p99 ms | p50 with ${SMALL_PLANTS.toLocaleString('en')} plants | ratio |
|---|---|---|---|---|
${lines.join('\n')}`;
}

const parts: string[] = [];
for await (const engine of wantedEngines()) parts.push(await measure(engine));
writeResults(
  'Portal list',
  'portal-list',
  `An installer's list of ${LARGE_PLANTS.toLocaleString('en')} plants compared with one of ${SMALL_PLANTS.toLocaleString('en')}, 20 on a page, in turns, ${ROUNDS} of each. An answer is computed as a listener does it:
read the request, call the handler, project. Target: a page sorted by anything takes at most 1.25 times as long in the large fleet, from either end. On the way
to the middle, the database passes by half of the plants. Searching, adding up and the map go through the whole fleet.

${parts.join('\n\n')}`,
);
