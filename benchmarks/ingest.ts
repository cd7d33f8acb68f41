// Throughput of ingest with all roll-ups compared with bare upserts, and the disk space of a sample.
import { createIngest } from '../packages/server/src/measurements/ingest/ingest.ts';
import type { IngestReading } from '../packages/server/src/measurements/ingest/readings/reading.ts';
import { createSqlSeries } from '../packages/server/src/measurements/series/sql/sql-series.ts';
import { onEngines, type BenchEngine } from './ingest/engines.ts';
import { bareRow, clock, makeFleet, readingText } from './ingest/fleet.ts';
import { median, quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const BATCH = 500;
const ROUNDS = 15;
const BATCHES_A_ROUND = 20;

/** What a batch of 500 samples consists of. */
const shapes = [
  { name: '10 devices x 50 (a collector after a break)', devices: 10 },
  { name: '20 devices x 25', devices: 20 },
  { name: '100 devices x 5', devices: 100 },
  { name: '500 devices x 1 (one round of a fleet)', devices: 500 },
];

const rateLines: string[] = [];
const sizeLines: string[] = [];
const ranBoth = await onEngines(async (engine) => {
  for (const shape of shapes) rateLines.push(await measureRate(engine, shape));
  sizeLines.push(await measureSize(engine));
});
if (ranBoth) writeResults('Ingest', 'ingest', report());

async function measureRate(
  engine: BenchEngine,
  shape: { name: string; devices: number },
): Promise<string> {
  const storage = await engine.open();
  const sns = await makeFleet(storage.db, shape.devices);
  await engine.analyze(storage);
  const ingest = createIngest({ db: storage.db, clock, series: createSqlSeries(storage.db) });
  const each = BATCH / shape.devices;
  let next = 0;
  const batch = (): IngestReading[] => {
    const from = next;
    next += each;
    return JSON.parse(
      `[${sns.flatMap((sn) => Array.from({ length: each }, (_, i) => readingText(sn, from + i))).join(',')}]`,
    ) as IngestReading[];
  };
  // The references write series of their own, so that their tables grow at the same rate.
  const rowsOf = (readings: readonly IngestReading[], offset: number) =>
    readings.map((reading, i) => bareRow(offset + Math.floor(i / each), reading));
  const rounds: { ours: number; bare: number; copy: number | undefined }[] = [];
  const offset = (shapes.indexOf(shape) + 1) * 10_000;
  for (let round = -2; round < ROUNDS; round++) {
    const batches = Array.from({ length: BATCHES_A_ROUND }, batch);
    const rows = batches.map((readings) => rowsOf(readings, offset));
    const ways: [keyof (typeof rounds)[number], () => Promise<number>][] = [
      ['ours', () => rate(batches, async (readings) => void (await ingest('operator', readings)))],
      ['bare', () => rate(rows, engine.bare)],
      ...(engine.copy
        ? [['copy', () => rate(rows, engine.copy!)] as ['copy', () => Promise<number>]]
        : []),
    ];
    const figures = { ours: 0, bare: 0, copy: undefined as number | undefined };
    // In alternating order, so that none always follows the same other one.
    for (const [way, measure] of round % 2 === 0 ? ways : ways.toReversed())
      figures[way] = await measure();
    if (round >= 0) rounds.push(figures);
  }
  await storage.close();
  const ours = median(rounds.map((r) => r.ours));
  const bare = median(rounds.map((r) => r.bare));
  const ratios = rounds.map((r) => r.ours / r.bare);
  const copy =
    rounds[0]!.copy === undefined ? '' : median(rounds.map((r) => r.ours / r.copy!)).toFixed(2);
  const middle = `${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)}`;
  const line = `| ${engine.name} | ${shape.name} | ${thousands(ours)} | ${thousands(bare)} | **${median(ratios).toFixed(2)}** | ${middle} | ${copy} |`;
  console.log(line);
  return line;
}

function thousands(perSecond: number): string {
  return `${(perSecond / 1000).toFixed(1)} k`;
}

async function rate<T>(batches: readonly T[], store: (batch: T) => Promise<void>): Promise<number> {
  const begun = performance.now();
  for (const batch of batches) await store(batch);
  return (batches.length * BATCH * 1000) / (performance.now() - begun);
}

/** A fleet that reports every five minutes for some days; each batch is one round of all devices. */
async function measureSize(engine: BenchEngine): Promise<string> {
  const devices = 500;
  const days = 3;
  const storage = await engine.open();
  const sns = await makeFleet(storage.db, devices);
  const ingest = createIngest({ db: storage.db, clock, series: createSqlSeries(storage.db) });
  const before = await engine.bytes(storage);
  for (let n = 0; n < days * 288; n++)
    await ingest(
      'operator',
      JSON.parse(`[${sns.map((sn) => readingText(sn, n)).join(',')}]`) as IngestReading[],
    );
  const perSample = ((await engine.bytes(storage)) - before) / (devices * days * 288);
  await storage.close();
  const line = `| ${engine.name} | ${perSample.toFixed(1)} | ${engine.name === 'SQLite' ? 140 : 195} |`;
  console.log(line);
  return line;
}

function report(): string {
  return `### Durable samples per second

Batches of ${BATCH} samples of 12 values through \`ingest\` (validation, lookup of devices and plants, duplicates, daily roll-ups of energy
and newest values, one durable transaction) compared with bare upserts of the same rows, prepared beforehand: ${BATCH} rows per statement on
PostgreSQL, a prepared statement in one transaction on SQLite. One batch at a time, fsync on; medians of ${ROUNDS} interleaved rounds
of ${BATCHES_A_ROUND} batches. Target: at least 0.5.

| engine | batch | ingest | bare | ingest / bare | middle half | ingest / COPY |
|---|---|---|---|---|---|---|
${rateLines.join('\n')}

What limits batches in which each sample comes from a different device: with every sample, the device's row of the day (about 250 bytes) is
read, updated and rewritten, so the engine writes twice as many rows as the bare upsert, after looking up 500 devices. On PostgreSQL that is five round trips
instead of one: begin, devices with their locks (2.2 ms for 500), newest days (1.2 ms), one statement for samples and days, commit. Collectors
report for few devices at a time; a fleet sends many such reports, which are processed in parallel.

### Bytes on disk per sample

500 devices that report every five minutes, interleaved, for three days; indexes and roll-ups included.

| engine | bytes per sample | target |
|---|---|---|
${sizeLines.join('\n')}`;
}
