// Late readings between known ones of a dense day, compared with as many in order: a collector that was cut off for a while in each hour.
import process from 'node:process';
import { createIngest } from '../packages/server/src/measurements/ingest/ingest.ts';
import type { IngestReading } from '../packages/server/src/measurements/ingest/readings/reading.ts';
import { createSqlSeries } from '../packages/server/src/measurements/series/sql/sql-series.ts';
import { onEngines, type BenchEngine } from './ingest/engines.ts';
import { clock, FIRST_AT, makeFleet, readingText } from './ingest/fleet.ts';
import { median, quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const DEVICES = 10;
const LATE_EACH = 50;
const ROUNDS = Number(process.env['HELIOPORT_BENCH_ROUNDS'] ?? 15);
const DAY_MS = 86_400_000;
const LINES: readonly { samples: number; target: number }[] = [
  { samples: 288, target: 2 },
  { samples: 2_880, target: 4 },
];

const lines: string[] = [];
const ranBoth = await onEngines(async (engine) => {
  for (const { samples, target } of LINES) lines.push(await measure(engine, samples, target));
});
if (ranBoth && ROUNDS >= 15) writeResults('Late readings', 'late', report());

async function measure(engine: BenchEngine, samples: number, target: number): Promise<string> {
  const storage = await engine.open();
  const sns = await makeFleet(storage.db, DEVICES);
  await engine.analyze(storage);
  const ingest = createIngest({ db: storage.db, clock, series: createSqlSeries(storage.db) });
  const everyMs = DAY_MS / samples;
  const textOf = (sn: string, n: number): string =>
    readingText(sn, n).replace(/"at":\d+/, `"at":${FIRST_AT + n * everyMs}`);
  const readingsOf = (numbers: readonly number[]): IngestReading[] =>
    JSON.parse(
      `[${sns.flatMap((sn) => numbers.map((n) => textOf(sn, n))).join(',')}]`,
    ) as IngestReading[];
  const timed = async (numbers: readonly number[]): Promise<number> => {
    const readings = readingsOf(numbers);
    const begun = performance.now();
    const { accepted } = await ingest('operator', readings);
    if (accepted !== readings.length) throw new Error(`${accepted} of ${readings.length} accepted`);
    return performance.now() - begun;
  };
  const inParts = async (numbers: readonly number[]): Promise<void> => {
    for (let from = 0; from < numbers.length; from += 200)
      await ingest('operator', readingsOf(numbers.slice(from, from + 200)));
  };
  const rounds: { inOrder: number; late: number; lateBefore: number }[] = [];
  const step = samples / LATE_EACH;
  for (let round = -3; round < ROUNDS; round++) {
    // The days of the plants, which are two hours ahead of UTC.
    const first = (round + 3) * 2 * samples - samples / 12;
    const day = (from: number): { known: number[]; late: number[] } => {
      const late = new Set(
        Array.from({ length: LATE_EACH }, (_, i) => from + Math.floor((i + 0.5) * step)),
      );
      const all = Array.from({ length: samples }, (_, i) => from + i);
      return { known: all.filter((n) => !late.has(n)), late: [...late] };
    };
    const [one, other] = [day(first), day(first + samples)];
    await inParts(one.known);
    const late = await timed(one.late);
    // The second day goes on in order, with its late readings left out; they come when a third day has begun.
    const begun = other.known.slice(0, -LATE_EACH);
    await inParts(begun);
    const inOrder = await timed(other.known.slice(-LATE_EACH));
    await inParts([first + 2 * samples]);
    const lateBefore = await timed(other.late);
    if (round >= 0) rounds.push({ inOrder, late, lateBefore });
  }
  await storage.close();
  const ms = (read: (round: (typeof rounds)[number]) => number): string =>
    median(rounds.map(read)).toFixed(1);
  const ratio = (read: (round: (typeof rounds)[number]) => number): string => {
    const all = rounds.map((round) => read(round) / round.inOrder);
    return `**${median(all).toFixed(1)}** (${quantile(all, 0.25).toFixed(1)} to ${quantile(all, 0.75).toFixed(1)})`;
  };
  const cells = [
    engine.name,
    samples.toLocaleString('en'),
    ms(({ inOrder }) => inOrder),
    ms(({ late }) => late),
    ratio(({ late }) => late),
    ms(({ lateBefore }) => lateBefore),
    ratio(({ lateBefore }) => lateBefore),
    target,
  ];
  const line = `| ${cells.join(' | ')} |`;
  console.log(line);
  return line;
}

function report(): string {
  return `Batches of ${LATE_EACH} readings of 12 values of each of ${DEVICES} devices through \`ingest\`: in order at the end of a dense day, and late, spread over a dense day of
which everything else is known, which is the current day or the one before it. Ratios are times of late readings to times in order, medians of
${ROUNDS} interleaved rounds with the middle half. *Before*: 0.1.0, in a run of its own.

| engine | samples of the day | in order, ms | late today, ms | to in order | late yesterday, ms | to in order | target |
|---|---|---|---|---|---|---|---|
| SQLite, before | 288 | 2.4 | 11.6 | **5.4** (4.7 to 5.7) | 12.6 | **4.8** (4.4 to 5.7) | 2 |
| SQLite, before | 2,880 | 2.1 | 60.7 | **28.1** (27.6 to 30.2) | 68.6 | **29.5** (25.7 to 32.9) | 4 |
| PostgreSQL, before | 288 | 6.4 | 57.6 | **9.1** (8.4 to 10.7) | 64.6 | **10.4** (7.7 to 13.4) | 2 |
| PostgreSQL, before | 2,880 | 3.9 | 81.2 | **19.0** (18.5 to 22.5) | 96.1 | **24.2** (21.3 to 27.5) | 4 |
${lines.join('\n')}

Between 2,880 samples, late readings are added from the three samples around each of them. Of the CPU time of a batch on SQLite, about a third is the
commit, since each row lies on a page of its own, a fifth the look-up of the neighbours, and an eighth the inserts. In order, rows share pages, and nothing is looked up.
Between 288 samples, so many readings are close to all of the day: it is read and folded, and if it was closed, its month is added up again.
In this fleet, a dense day yields more than the devices can, so that power decides: late readings change its energy, and the sums of its month.`;
}
