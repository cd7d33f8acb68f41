// Throughput compared with a hand-written server: signed userStationList with ten plants from the database.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_FLAGS } from '../packages/server/bin/node-flags.mjs';
import type { Engine } from '../packages/server/src/platform/storage/engine.ts';
import { migrate } from '../packages/server/src/platform/storage/migrate.ts';
import { openStorage } from '../packages/server/src/platform/storage/open.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { BODY, install, PATH, PLANTS, signedHeaders } from './signed-list/installation.ts';
import { measurePhases, PHASES } from './signed-list/phases.ts';
import { stagesOf } from './signed-list/statements.ts';
import { post } from './support/post.ts';
import { quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';
import { driveServer, startServer, type BenchServer, type Round } from './support/servers.ts';

const ROUNDS = 40;
const LOAD = { connections: 8, milliseconds: 400 };
/** Enough for the compiler to have optimized all of it. */
const WARM_UP_REQUESTS = 8000;

type Rounds = Record<'ours' | 'floor' | 'bare', Round>[];

const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
const postgres = await startPostgres({ durable: true });
const lines: string[] = [];
const parts: string[] = [];
try {
  for (const [engine, address] of [
    ['sqlite', join(folder, 'helioport.db')],
    ['postgres', postgres.url],
  ] as const) {
    lines.push(summary(engine, await measure(engine, address)));
    console.log(lines.at(-1));
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
writeResults(
  'Signed list',
  'signed-list',
  `Signed \`userStationList\` with ${PLANTS} plants read from the database, over ${LOAD.connections} connections: medians of ${ROUNDS} rounds of ${LOAD.milliseconds} ms,
the three servers one after the other in each. *Floor*: a hand-written Fastify server with only digest, signature, the same prepared
statements and JSON (\`benchmarks/signed-list/floor.ts\`); it sends a stored answer, so it decodes and
computes nothing. *Bare*: Fastify sending the same bytes. Target: at least 0.65 of the floor on SQLite, 0.75 on PostgreSQL. The CPU time is that of the
server's process per request; other programs on the machine disturb it less than the rate.

| engine | Helioport, requests/s | floor | bare | Helioport / floor | middle half | Helioport / bare | CPU µs per request | floor | floor / Helioport |
|---|---|---|---|---|---|---|---|---|---|
| sqlite, 0.1.0 | 937 | 2152 | 28945 | 0.45 | 0.42 to 0.47 | 0.03 | 1062 | 477 | 0.45 |
| postgres, 0.1.0 | 802 | 1502 | 28274 | 0.54 | 0.49 to 0.60 | 0.03 | 1184 | 516 | 0.44 |
${lines.join('\n')}

The difference to the floor is the work that the floor leaves out: the days are decoded from their packed form, the plant's figures
are summed over its devices, and each record's fields are selected, rounded and given their units. The floor runs our statements, so it
becomes faster with them: since 0.1.0, the list of plants on SQLite is compiled once, no longer at each call. Beside the floor of 0.1.0, whose rows are of a
run of their own on the same machine, the rates would be 1.1 on SQLite and 0.70 on PostgreSQL. On SQLite, where requests that are read together go on together
(ADR 0057), of the time of a request (\`node --cpu-prof\`) 31 % are its statements, 18 % writing the JSON from the records, 17 % the figures and the decoding of days, 9 %
Node's HTTP, 8 % collecting garbage, 7 % Fastify and what the listener does for each request, and 5 % the key and the signature. On PostgreSQL, answers come back one by
one, so that requests do not stay together, and the database shares the two cores.
CPU time of the parts of a request, each measured separately in one warm process (µs):

| engine | ${PHASES.join(' | ')} |
|---|${PHASES.map(() => '---|').join('')}
${parts.join('\n')}`,
);

async function measure(engine: Engine, address: string): Promise<Rounds> {
  const storage = openStorage(address);
  await migrate(storage.db, storage.engine, 0);
  const key = await install(storage.db);
  if (engine === 'postgres')
    await storage.db.executeQuery({ sql: 'vacuum analyze', parameters: [] } as never);
  await storage.close();

  const headers = signedHeaders(key);
  const script = (name: string): URL => new URL(`signed-list/${name}.ts`, import.meta.url);
  const ours = await startServer(script('ours'), [address], NODE_FLAGS);
  const answer = await (
    await fetch(`http://127.0.0.1:${ours.port}${PATH}`, { method: 'POST', headers, body: BODY })
  ).json();
  const plan = join(folder, `${engine}.json`);
  const stages = await stagesOf(engine, address, key.keyId);
  writeFileSync(plan, JSON.stringify({ keySecret: key.keySecret, stages, answer }));
  const [floor, bare] = [
    await startServer(script('floor'), [address, plan]),
    await startServer(script('bare'), [address, plan]),
  ];

  const request = post(PATH, headers, BODY);
  for (const server of [ours, floor, bare]) await warmUp(server, request);
  const rounds: Rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      ours: await driveServer(ours, request, LOAD),
      floor: await driveServer(floor, request, LOAD),
      bare: await driveServer(bare, request, LOAD),
    });
  }
  for (const server of [ours, floor, bare]) server.stop();
  const phases = await measurePhases(address, key, stages.slice(1).flat());
  parts.push(
    `| ${[engine, ...PHASES.map((name) => phases.find((phase) => phase.name === name)!.cpuMicroseconds.toFixed(1))].join(' | ')} |`,
  );
  return rounds;
}

async function warmUp(server: BenchServer, request: string): Promise<void> {
  for (let answered = 0; answered < WARM_UP_REQUESTS;)
    answered += (await driveServer(server, request, LOAD)).requests;
}

function summary(engine: Engine, rounds: Rounds): string {
  const middle = (read: (round: Rounds[number]) => number, q = 0.5): number =>
    quantile(rounds.map(read), q);
  const ratio = ({ ours, floor }: Rounds[number]): number =>
    ours.requestsPerSecond / floor.requestsPerSecond;
  const cells = [
    engine,
    middle(({ ours }) => ours.requestsPerSecond).toFixed(0),
    middle(({ floor }) => floor.requestsPerSecond).toFixed(0),
    middle(({ bare }) => bare.requestsPerSecond).toFixed(0),
    middle(ratio).toFixed(2),
    `${middle(ratio, 0.25).toFixed(2)} to ${middle(ratio, 0.75).toFixed(2)}`,
    middle(({ ours, bare }) => ours.requestsPerSecond / bare.requestsPerSecond).toFixed(2),
    middle(({ ours }) => ours.cpuMicroseconds).toFixed(0),
    middle(({ floor }) => floor.cpuMicroseconds).toFixed(0),
    middle(({ ours, floor }) => floor.cpuMicroseconds / ours.cpuMicroseconds).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}
