// CPU time of a request with one and with two processes, and how evenly the processes share the load.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../packages/server/src/platform/storage/migrate.ts';
import { openStorage } from '../packages/server/src/platform/storage/open.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { addFleet, DEVICES_EACH, type FleetCollector } from './collectors/fleet.ts';
import { readingText } from './ingest/fleet.ts';
import { startServed, type Driven, type Served } from './processes/server.ts';
import { BODY, install, PATH, PLANTS, signedHeaders } from './signed-list/installation.ts';
import { median, quantile } from './support/quantiles.ts';
import type { Load } from './support/load.ts';
import { post } from './support/post.ts';
import { writeResults } from './support/results.ts';

const ROUNDS = 20;
const MILLISECONDS = 1_000;
const LIST_CONNECTIONS = 16;
const COLLECTORS = 32;
const PROCESSES = 2;
/** For each process; enough for the compiler to have optimized all of it. */
const WARM_UP_MILLISECONDS = 8_000;

type Pair = readonly [one: Driven, several: Driven];
type Request = (served: Served, which: number) => Pick<Load, 'request' | 'connections' | 'port'>;

const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
const masterKey = Buffer.alloc(32, 7).toString('base64');
const lines: string[] = [];
const postgres = await startPostgres({ durable: true });
try {
  const urls = { HELIOPORT_DATABASE_URL: postgres.url };
  lines.push(
    await measure('signed list', 'sqlite', join(folder, 'data', 'helioport.db'), {}, listing),
  );
  lines.push(await measure('signed list', 'postgres', postgres.url, urls, listing));
  lines.push(await measure('reports', 'postgres', postgres.url, urls, reporting));
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
writeResults(
  'Processes',
  'processes',
  `\`helioport serve\` with one and with ${PROCESSES} processes, one after the other in each round, without background work; ${ROUNDS} rounds of ${MILLISECONDS} ms. *Signed list*:
signed \`userStationList\` with ${PLANTS} plants over ${LIST_CONNECTIONS} connections. *Reports*: ${COLLECTORS} collectors with ${DEVICES_EACH} devices each, one reading of 12 values each, one report after
the other. Requests are counted for the limits, which are out of reach. The CPU time is that of all processes with the primary, without load generator and
PostgreSQL, which share the ${PROCESSES} cores: so the rate says little here. Spread: CPU time of the busier process over that of the other.
Target: CPU time at most 1.1 times that of one process.

| requests | engine | CPU µs, one process | CPU µs, ${PROCESSES} processes | ratio | middle half | spread | rate, one | rate, ${PROCESSES} |
|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}`,
);

async function measure(
  what: string,
  engine: string,
  address: string,
  environment: Record<string, string>,
  prepare: (address: string) => Promise<Request>,
): Promise<string> {
  const request = await prepare(address);
  const start = (processes: number): Promise<Served> =>
    startServed(folder, processes, { HELIOPORT_MASTER_KEY: masterKey, ...environment });
  const servers = [await start(1), await start(PROCESSES)] as const;
  const drive = (which: 0 | 1, milliseconds: number): Promise<Driven> =>
    servers[which].drive({ ...request(servers[which], which), milliseconds });
  await drive(0, WARM_UP_MILLISECONDS);
  await drive(1, PROCESSES * WARM_UP_MILLISECONDS);
  const pairs: Pair[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // In alternating order, so that none always follows the other.
    const first = (round % 2) as 0 | 1;
    const results = [
      await drive(first, MILLISECONDS),
      await drive((1 - first) as 0 | 1, MILLISECONDS),
    ];
    pairs.push(first === 0 ? [results[0]!, results[1]!] : [results[1]!, results[0]!]);
  }
  for (const server of servers) await server.stop();
  const ratios = pairs.map(([one, several]) => several.cpuMicroseconds / one.cpuMicroseconds);
  const cells = [
    what,
    engine,
    median(pairs.map(([one]) => one.cpuMicroseconds)).toFixed(0),
    median(pairs.map(([, several]) => several.cpuMicroseconds)).toFixed(0),
    `**${median(ratios).toFixed(2)}**`,
    `${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)}`,
    median(pairs.map(([, several]) => several.spread)).toFixed(2),
    median(pairs.map(([one]) => one.requestsPerSecond)).toFixed(0),
    median(pairs.map(([, several]) => several.requestsPerSecond)).toFixed(0),
  ];
  const line = `| ${cells.join(' | ')} |`;
  console.log(line);
  return line;
}

function portOf(address: string): number {
  return Number(new URL(address).port);
}

async function listing(address: string): Promise<Request> {
  const storage = openStorage(address);
  await migrate(storage.db, storage.engine, 0);
  const key = await install(storage.db);
  if (storage.engine === 'postgres')
    await storage.db.executeQuery({ sql: 'vacuum analyze', parameters: [] } as never);
  await storage.close();
  return ({ addresses }) => ({
    port: portOf(addresses['user-api']!),
    connections: LIST_CONNECTIONS,
    request: post(PATH, signedHeaders(key), BODY),
  });
}

/** The collectors of each server are its own: otherwise, each would find what the other has stored. */
async function reporting(address: string): Promise<Request> {
  const storage = openStorage(address);
  await migrate(storage.db, storage.engine, 0);
  const fleet = await addFleet(storage.db, 2 * COLLECTORS);
  await storage.db.executeQuery({ sql: 'vacuum analyze', parameters: [] } as never);
  await storage.close();
  const sent = new Map<FleetCollector, number>();
  const next = (collector: FleetCollector): string => {
    const n = sent.get(collector) ?? 0;
    sent.set(collector, n + 1);
    const body = `{"readings":[${collector.sns.map((sn) => readingText(sn, n)).join(',')}]}`;
    return post(
      '/v1/readings',
      { Authorization: `Bearer ${collector.token}`, 'Content-Type': 'application/json' },
      body,
    );
  };
  return ({ addresses }, which) => ({
    port: portOf(addresses['gateway']!),
    connections: COLLECTORS,
    request: (connection) => next(fleet[which * COLLECTORS + connection]!),
  });
}
