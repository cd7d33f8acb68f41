// How response times grow with the fleet: 1,000,000 devices in 100,000 plants compared with 1,000 devices, measured in turns.
// HELIOPORT_BENCH_PLANTS makes the large fleet smaller; HELIOPORT_BENCH_ENGINES=sqlite (or postgres) omits the other engine. Each engine
// has its own section in RESULTS.md, written as soon as there are results.
import process from 'node:process';
import type { OperationId } from '@helioport/contract';
import type { Storage } from '../packages/server/src/platform/storage/open.ts';
import { listening } from '../test/support/listening.ts';
import { wantedEngines, type Engine } from './fleet/engines.ts';
import { createDesk, percentile, tablesOf, type Ask } from './fleet/desk.ts';
import {
  ALARMS_PER_PLANT,
  DEVICES_PER_PLANT,
  install,
  PLANTS_PER_OWNER,
  type Installation,
} from './fleet/installation.ts';
import { filteredOf, perPlant, questionsOf } from './fleet/questions.ts';
import { writeResults } from './support/results.ts';

const LARGE_PLANTS = Number(process.env['HELIOPORT_BENCH_PLANTS'] ?? 100_000);
const SMALL_PLANTS = 100;
const ROUNDS = 150;
const FLEET_ROUNDS = 20;

interface Fleet {
  readonly storage: Storage;
  readonly installation: Installation;
  readonly ask: Ask;
}

async function makeFleet(engine: Engine, plants: number): Promise<Fleet> {
  const begun = performance.now();
  const { storage, bulk } = await engine.open();
  const installation = await install(storage.db, bulk, plants);
  console.log(
    `${engine.name}: ${plants * DEVICES_PER_PLANT} devices in ${plants} plants, written in ${Math.round((performance.now() - begun) / 1000)} s`,
  );
  return { storage, installation, ask: createDesk(storage.db) };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));
const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

async function smallCaller(engine: Engine, small: Fleet, large: Fleet): Promise<string> {
  const lines: string[] = [];
  for (const [i, [id, body]] of questionsOf(large.installation).entries()) {
    const [, smallBody] = questionsOf(small.installation)[i]!;
    const times: { small: number[]; large: number[] } = { small: [], large: [] };
    for (let round = -10; round < ROUNDS; round++) {
      const a = await timed(() => small.ask(small.installation.owner, id, smallBody));
      const b = await timed(() => large.ask(large.installation.owner, id, body));
      if (round < 0) continue;
      times.small.push(a);
      times.large.push(b);
    }
    const [a, b] = [sorted(times.small), sorted(times.large)];
    const tap = listening(large.storage.db);
    const tapped = createDesk(tap.db);
    await tapped(large.installation.owner, id, body);
    tap.texts.length = 0;
    await tapped(large.installation.owner, id, body);
    const ratio = percentile(b, 0.5) / percentile(a, 0.5);
    const statements = countedStatements(tap.texts);
    lines.push(
      `| ${id} | ${ms(percentile(b, 0.5))} | ${ms(percentile(b, 0.99))} | ${ms(percentile(a, 0.5))} | ${ratio.toFixed(2)} | ${tap.texts.length} | ${statements} |`,
    );
    console.log(engine.name, id, ms(percentile(b, 0.5)), ratio.toFixed(2), tap.texts.length);
  }
  return [
    `#### A caller with ${PLANTS_PER_OWNER} plants`,
    '',
    '| operation | p50 ms | p99 ms | p50 with 1,000 devices | ratio | statements | which read |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

function countedStatements(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(tablesOf(text), (counts.get(tablesOf(text)) ?? 0) + 1);
  return [...counts]
    .map(([tables, count]) => (count === 1 ? tables : `${count} x ${tables}`))
    .join(', ');
}

async function largeCaller(engine: Engine, { installation, ask }: Fleet): Promise<string> {
  const lines: string[] = [];
  for (const [id, body] of questionsOf(installation).filter(
    ([one]) => perPlant[one] !== undefined,
  )) {
    const total = installation.plants * perPlant[id]!;
    const cells: string[] = [];
    for (const [pageNo, pageSize] of pagesOf(total)) {
      cells.push(
        await timesOf(async () =>
          checkPage(
            id,
            await ask(installation.installer, id, { ...body, pageNo, pageSize }),
            total,
            pageSize,
          ),
        ),
      );
    }
    lines.push(`| ${id} | ${cells.join(' | ')} |`);
    console.log(engine.name, id, ...cells);
  }
  for (const [what, id, body] of filteredOf(installation)) {
    const cell = await timesOf(() => ask(installation.installer, id, body));
    lines.push(`| ${id}, ${what} | ${cell} | | | |`);
    console.log(engine.name, id, what, cell);
  }
  return [
    `#### A caller with all ${installation.plants.toLocaleString('en')} plants`,
    '',
    '| operation | first page of 20, p50 / p99 ms | first page of 100 | page in the middle | last page |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

async function timesOf(run: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = -2; round < FLEET_ROUNDS; round++) {
    const time = await timed(run);
    if (round >= 0) times.push(time);
  }
  const all = sorted(times);
  return `${ms(percentile(all, 0.5))} / ${ms(percentile(all, 0.99))}`;
}

const pagesOf = (total: number): [pageNo: number, pageSize: number][] => [
  [1, 20],
  [1, 100],
  [Math.max(1, Math.floor(total / 40)), 20],
  [Math.ceil(total / 20), 20],
];

function checkPage(id: OperationId, data: any, total: number, pageSize: number): void {
  const page = data.page ?? data;
  if (page.total !== total || page.records.length !== Math.min(pageSize, total))
    throw new Error(`${id}: ${page.records.length} of ${page.total}`);
}

for await (const engine of wantedEngines()) {
  const [small, large] = [
    await makeFleet(engine, SMALL_PLANTS),
    await makeFleet(engine, LARGE_PLANTS),
  ];
  const ofSmall = await smallCaller(engine, small, large);
  write(engine, ofSmall);
  write(engine, ofSmall, await largeCaller(engine, large));
  await small.storage.close();
  await large.storage.close();
}

function write({ name }: Engine, ...parts: readonly string[]): void {
  writeResults(
    `Fleet on ${name}`,
    'fleet',
    `${(LARGE_PLANTS * DEVICES_PER_PLANT).toLocaleString('en')} devices in ${LARGE_PLANTS.toLocaleString('en')} plants of ${(LARGE_PLANTS / PLANTS_PER_OWNER).toLocaleString('en')} owners, each plant with a collector, six
inverters, an EPM unit, a weather station, an ammeter and ${ALARMS_PER_PLANT} alarms, compared with ${SMALL_PLANTS * DEVICES_PER_PLANT} devices in ${SMALL_PLANTS} plants: the same requests in turns, ${ROUNDS} of each. An
answer is computed as a listener does it: read the request, call the handler, project; for signature and transport see "Signed list". Lists are
requested with their defaults, charts for today, this month and this year. Target: p50 at most 1.25 times that with 1,000 devices.

${parts.join('\n\n')}`,
  );
}
