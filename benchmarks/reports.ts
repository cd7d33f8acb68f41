// A fleet that sends many small reports: 32 collectors with three devices each, one reading of 12 values of each device in a report, each collector
// sending the next one as soon as the last one was answered. Beside it, a bare Fastify that takes the same bytes and stores nothing, and one that reads the JSON.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { migrate } from '../packages/server/src/platform/storage/migrate.ts';
import { openStorage } from '../packages/server/src/platform/storage/open.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { serve, type ServerProcess } from '../test/support/server-process.ts';
import { addFleet, type FleetCollector } from './collectors/fleet.ts';
import { driveReports, type Client, type Driven } from './reports/drive.ts';
import { median, quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';
import { startServer, type BenchServer } from './support/servers.ts';

const COLLECTORS = 32;
const ROUNDS = Number(process.env['HELIOPORT_BENCH_ROUNDS'] ?? 15);
const MILLISECONDS = 1_500;
const CLIENTS: readonly Client[] = ['http', 'ready'];
/** Of version 0.1.0, by the same benchmark in a run of its own. */
const BEFORE: Readonly<Record<Client, readonly string[]>> = {
  http: [
    '| SQLite, before | 2302 | 21090 | 0.108 | 0.107 to 0.117 | 22589 | 0.102 | 12.4 | 32.3 | 481 | 27 |',
    '| PostgreSQL, before | 748 | 20421 | 0.036 | 0.036 to 0.038 | 22126 | 0.034 | 39.8 | 79.4 | 1168 | 27 |',
  ],
  ready: [
    '| SQLite, before | 2355 | 49226 | 0.048 | 0.046 to 0.050 | 38135 | 0.062 | 11.7 | 35.1 | 484 | 18 |',
    '| PostgreSQL, before | 926 | 47422 | 0.019 | 0.018 to 0.020 | 38588 | 0.025 | 31.1 | 76.5 | 978 | 18 |',
  ],
};

const only = process.env['HELIOPORT_BENCH_ENGINE'];

type Side = 'ours' | 'bare' | 'reading';
type Round = Record<Side, Driven & { readonly cpuMicroseconds: number }>;

const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
const lines: Record<Client, string[]> = { http: [], ready: [] };
try {
  if (only !== 'postgres') await measure('SQLite', join(folder, 'data', 'helioport.db'), {});
  if (only !== 'sqlite') {
    const postgres = await startPostgres({ durable: true });
    try {
      await measure('PostgreSQL', postgres.url, { HELIOPORT_DATABASE_URL: postgres.url });
    } finally {
      await postgres.stop();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (only === undefined) writeResults('Reports', 'reports', report());

async function measure(
  name: string,
  address: string,
  environment: Record<string, string>,
): Promise<void> {
  const fleet = await install(address, name === 'PostgreSQL');
  const server = serve(folder, {
    ...environment,
    HELIOPORT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HELIOPORT_ROLES: 'gateway',
    HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
  });
  const script = new URL('reports/bare.ts', import.meta.url);
  const [bare, reading] = [await startServer(script, []), await startServer(script, ['reading'])];
  try {
    // Each round goes on behind the last one.
    let from = 0;
    for (const client of CLIENTS) {
      const measured = await measureRounds(server, { bare, reading }, { fleet, client, from });
      from = measured.next;
      lines[client].push(lineOf(name, measured.rounds));
      console.log(client, lines[client].at(-1));
    }
  } finally {
    bare.stop();
    reading.stop();
    server.kill('SIGTERM');
    await server.ended;
  }
}

async function install(address: string, isAnalyzed: boolean): Promise<FleetCollector[]> {
  const { db, engine, close } = openStorage(address);
  await migrate(db, engine, 0);
  const fleet = await addFleet(db, COLLECTORS);
  if (isAnalyzed) await db.executeQuery({ sql: 'vacuum analyze', parameters: [] } as never);
  await close();
  return fleet;
}

interface Load {
  readonly fleet: readonly FleetCollector[];
  readonly client: Client;
  readonly from: number;
}

async function measureRounds(
  server: ServerProcess,
  references: Record<'bare' | 'reading', BenchServer>,
  { fleet, client, from }: Load,
): Promise<{ rounds: Round[]; next: number }> {
  const addresses = await server.started;
  const port = Number(new URL(addresses['gateway']!).port);
  const rounds: Round[] = [];
  let next = from;
  for (let round = -3; round < ROUNDS; round++) {
    const sides: [Side, () => Promise<number>, number][] = [
      ['ours', () => cpuOf(addresses['ops']!), port],
      ['bare', () => references.bare.cpu(), references.bare.port],
      ['reading', () => references.reading.cpu(), references.reading.port],
    ];
    const figures = {} as Round;
    // In alternating order, so that none always follows the other.
    for (const [side, cpu, at] of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = await cpu();
      const driven = await driveReports({
        port: at,
        fleet,
        milliseconds: MILLISECONDS,
        from: next,
        client,
      });
      figures[side] = { ...driven, cpuMicroseconds: ((await cpu()) - before) / driven.reports };
    }
    next += Math.max(...fleet.map(() => Math.ceil(figures.ours.reports / fleet.length))) + 100;
    if (round >= 0) rounds.push(figures);
  }
  return { rounds, next };
}

/** CPU time that the server has used so far by its own metrics, microseconds. */
async function cpuOf(ops: string): Promise<number> {
  const text = await (await fetch(`${ops}/metrics`)).text();
  return 1e6 * Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

function lineOf(name: string, rounds: readonly Round[]): string {
  const middle = (read: (round: Round) => number, q = 0.5): number => quantile(rounds.map(read), q);
  const ratio = (to: 'bare' | 'reading') => (round: Round) =>
    round.ours.perSecond / round[to].perSecond;
  const cells = [
    name,
    middle(({ ours }) => ours.perSecond).toFixed(0),
    middle(({ bare }) => bare.perSecond).toFixed(0),
    `**${middle(ratio('bare')).toFixed(3)}**`,
    `${middle(ratio('bare'), 0.25).toFixed(3)} to ${middle(ratio('bare'), 0.75).toFixed(3)}`,
    middle(({ reading }) => reading.perSecond).toFixed(0),
    middle(ratio('reading')).toFixed(3),
    middle(({ ours }) => median(ours.milliseconds)).toFixed(1),
    middle(({ ours }) => quantile(ours.milliseconds, 0.99)).toFixed(1),
    middle(({ ours }) => ours.cpuMicroseconds).toFixed(0),
    middle(({ bare }) => bare.cpuMicroseconds).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

function report(): string {
  return `${COLLECTORS} collectors with three devices each; a report has one reading of 12 values of each device, and each collector sends the next one as soon as
the last one was answered. The server is the product with its role \`gateway\` and without the limit of a collector's reports. *Bare*: Fastify that takes
the same bytes and stores nothing (\`benchmarks/reports/bare.ts\`). *Reading*: Fastify as it comes, which reads the JSON and stores nothing. Medians of ${ROUNDS} rounds
of ${MILLISECONDS / 1000} s, the three one after the other in each. Client, server and database share the machine. Target: 0.25 of bare on SQLite, 0.15 on PostgreSQL.
The targets were set where a bare Fastify answered 16,400 requests/s and version 0.1.0 stored 1,470 and 740 reports/s, 0.09 and 0.045 of that.

### From Node's own HTTP client, which makes each report when it is due

${table('http')}

Missed by some 30 % on both engines. Since 0.1.0, the rate is 1.6 times as high on SQLite and 2.9 times on PostgreSQL. To reach 0.25 on
SQLite, a report would have to take 190 µs of CPU time instead of 263: for 36 values of three devices, their days, six rows and its share of a durable commit. Of the time of the server's main thread
(\`node --cpu-prof\`, waiting for requests not counted), on SQLite 32 % are commits, which reach the disk, 22 % other statements, 14 % HTTP with the answer, 12 % reading and judging
the report, 10 % collecting garbage and 7 % the devices' days; on PostgreSQL 36 % are statements, most of it writing to the sockets of the database, 23 % HTTP, 19 % collecting garbage, 12 %
reading and judging and 4 % the days. A commit is shared by all reports that have arrived by then ([0069](../docs/adr/0069-performance.md)); with 32 collectors that wait for their answers, there are no more.

### From a client that writes requests made before

Such a client leaves more of the two cores to every server, and most to one that does nothing.

${table('ready')}

Against this reference the targets are out of reach: it answers in 20 µs, so a report with three readings would have 80 µs on SQLite for reading 36 values, three
devices, their days, six rows and a durable commit.`;
}

function table(client: Client): string {
  const head = [
    'engine',
    'reports/s',
    'bare',
    'Helioport / bare',
    'middle half',
    'reading',
    'Helioport / reading',
    'p50 ms',
    'p99 ms',
    'CPU µs per report',
    'bare',
  ];
  return [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...BEFORE[client],
    ...lines[client],
  ].join('\n');
}
