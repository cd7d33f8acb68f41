// Grants, checks and revocations per second, compared with oidc-provider in memory and on the same PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { NODE_FLAGS } from '../packages/server/bin/node-flags.mjs';
import { migrate } from '../packages/server/src/platform/storage/migrate.ts';
import { openStorage } from '../packages/server/src/platform/storage/open.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { drive } from './oauth/drive.ts';
import { startRival, type Rival } from './oauth/rival.ts';
import { install, PLANTS } from './signed-list/installation.ts';
import { cpuOfTree } from './support/cpu-of-tree.ts';
import { post } from './support/post.ts';
import { quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const ROUNDS = 31;
// Of what the reference keeps in memory, it forgets the oldest beyond 1,000 entries.
const PAIRS = 200;
const CHECKS = 1500;
const CONNECTIONS = 16;

const kinds = ['exchange', 'refresh', 'introspection', 'revocation', 'list'] as const;
/** Requests per second, and CPU time per request in microseconds: of the server's process, of PostgreSQL, and of this process, which sends the requests. */
type Kind = `${(typeof kinds)[number]}${'' | 'Cpu' | 'DatabaseCpu' | 'ClientCpu'}`;
type Rates = Partial<Record<Kind, number>>;

const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
const postgres = await startPostgres({ durable: true });
const rivals: Record<'sqlite' | 'memory' | 'bare' | 'postgres' | 'postgresReference', Rival> =
  await start();
const rounds: Record<keyof typeof rivals, Rates>[] = [];
try {
  for (let round = -2; round < ROUNDS; round++) {
    if (round === 0) await analyze();
    const rates = {} as Record<keyof typeof rivals, Rates>;
    // The order rotates, so that no server always follows the same other one.
    const names = Object.keys(rivals) as (keyof typeof rivals)[];
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + names.length) % names.length]!;
      rates[name] = name === 'bare' ? await measureBare(rivals.bare) : await measure(rivals[name]);
    }
    // The first two rounds are for warming up.
    if (round >= 0) rounds.push(rates);
    console.log(
      round,
      JSON.stringify(
        Object.fromEntries(
          names.map((name) => [name, kinds.map((kind) => Math.round(rates[name][kind] ?? 0))]),
        ),
      ),
    );
  }
} finally {
  for (const rival of Object.values(rivals)) rival.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
report();

/** What PostgreSQL does by itself within a minute or two: until then, all plans are those for empty tables, which says nothing of a database in use. */
async function analyze(): Promise<void> {
  const { db, close } = openStorage(postgres.url);
  await sql`analyze`.execute(db);
  await close();
}

async function start(): Promise<typeof rivals> {
  const addresses = { sqlite: join(folder, 'helioport.db'), postgres: postgres.url };
  for (const address of Object.values(addresses)) {
    const storage = openStorage(address);
    await migrate(storage.db, storage.engine, 0);
    await install(storage.db);
    await storage.close();
  }
  const [ours, reference] = ['ours', 'reference'].map(
    (name) => new URL(`oauth/${name}.ts`, import.meta.url),
  ) as [URL, URL];
  return {
    sqlite: await startRival(ours, [addresses.sqlite], NODE_FLAGS),
    memory: await startRival(reference, ['memory']),
    bare: await startRival(new URL('oauth/bare.ts', import.meta.url)),
    postgres: await startRival(ours, [addresses.postgres], NODE_FLAGS),
    postgresReference: await startRival(reference, [addresses.postgres]),
  };
}

async function measure({
  port,
  clientId,
  clientSecret,
  redirectUri,
  paths,
  codes,
  cpu,
}: Rival): Promise<Rates> {
  const headers = {
    Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const form = (path: string, fields: Record<string, string>): string =>
    post(path, headers, new URLSearchParams(fields).toString());
  const rates: Rates = {};
  const run = async (kind: (typeof kinds)[number], requests: string[]): Promise<string[]> => {
    const before = await cpu();
    const [database, client] = [cpuOfTree(postgres.pid), process.cpuUsage()];
    const { bodies, perSecond } = await drive(port, requests, CONNECTIONS);
    rates[kind] = perSecond;
    rates[`${kind}DatabaseCpu`] = (cpuOfTree(postgres.pid) - database) / requests.length;
    const { user, system } = process.cpuUsage(client);
    rates[`${kind}ClientCpu`] = (user + system) / requests.length;
    rates[`${kind}Cpu`] = ((await cpu()) - before) / requests.length;
    return bodies;
  };
  const made = await codes(PAIRS);
  const exchanged = await run(
    'exchange',
    made.map((code) =>
      form(paths.token, { grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
    ),
  );
  const refreshed = await run(
    'refresh',
    exchanged.map((body) =>
      form(paths.token, {
        grant_type: 'refresh_token',
        refresh_token: JSON.parse(body).refresh_token,
      }),
    ),
  );
  const [kept, ...pairs] = refreshed.map(
    (body) => JSON.parse(body) as { access_token: string; refresh_token: string },
  );
  const token = kept!.access_token;
  const introspection = form(paths.introspect, { token });
  const introspected = await run(
    'introspection',
    Array.from({ length: CHECKS }, () => introspection),
  );
  if (!introspected.every((body) => body.startsWith('{"active":true')))
    throw new Error('a valid token was reported as inactive');
  await run(
    'revocation',
    pairs.map(({ refresh_token }) => form(paths.revoke, { token: refresh_token })),
  );
  // Last, since the reference has no such work: what came after it would begin with the garbage of its lists.
  const listing = post(
    '/api/access_data/userStationList',
    { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    '{}',
  );
  if (paths.token === '/oauth/token')
    await run(
      'list',
      Array.from({ length: CHECKS }, () => listing),
    );
  return rates;
}

async function measureBare({ port, paths, cpu }: Rival): Promise<Rates> {
  const request = post(
    paths.introspect,
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    `token=${'x'.repeat(40)}`,
  );
  const begun = await cpu();
  const { perSecond } = await drive(
    port,
    Array.from({ length: CHECKS }, () => request),
    CONNECTIONS,
  );
  return { introspection: perSecond, introspectionCpu: ((await cpu()) - begun) / CHECKS };
}

function report(): void {
  const rate = (name: keyof typeof rivals, kind: Kind, q = 0.5): number =>
    quantile(
      rounds.map((round) => round[name][kind] ?? 0),
      q,
    );
  const row = (
    label: string,
    ours: keyof typeof rivals,
    kind: Kind,
    theirs: keyof typeof rivals,
    reference: Kind,
    before: number,
    target: number,
  ): string => {
    const ratios = rounds.map((round) => round[ours][kind]! / round[theirs][reference]!);
    const [low, middle, high] = [0.25, 0.5, 0.75].map((q) => quantile(ratios, q).toFixed(2));
    return `| ${label} | ${rate(ours, kind).toFixed(0)} | ${rate(theirs, reference).toFixed(0)} | ${middle} | ${low} to ${high} | ${before} | ${target.toFixed(1)} |`;
  };
  const costs = (
    label: string,
    name: keyof typeof rivals,
    of: 'Cpu' | 'DatabaseCpu' | 'ClientCpu' = 'Cpu',
  ): string =>
    `| ${[label, ...kinds.map((kind) => (rounds[0]![name][kind] ? rate(name, `${kind}${of}`).toFixed(0) : '-'))].join(' | ')} |`;
  /** The share of the two cores that works while requests are carried out. */
  const busy = (name: 'postgres' | 'postgresReference', kind: (typeof kinds)[number]): string =>
    `${((rate(name, kind) * (['Cpu', 'DatabaseCpu', 'ClientCpu'] as const).reduce((sum, of) => sum + rate(name, `${kind}${of}`), 0)) / 20_000).toFixed(0)} %`;
  writeResults(
    'OAuth',
    'oauth',
    `Helioport's OAuth interface compared with oidc-provider 9, each in its own process, in turns within one run: medians of ${ROUNDS} rounds over
${CONNECTIONS} connections, ${PAIRS} pairs exchanged and refreshed, all but one of them revoked, and ${CHECKS} checks in each. The list comes last, since the reference has none. Every write is durable: \`synchronous=FULL\`, \`fsync=on\`. After two rounds that do not count,
PostgreSQL has analyzed the tables of both.
The adapter follows oidc-provider's documentation (\`benchmarks/oauth/postgres-adapter.ts\`): if two requests race, both win, which Helioport prevents.
The list is \`POST /api/access_data/userStationList\` with ${PLANTS} plants, including their data, compared with the reference's introspection, which a resource
server would have to request first.

| | Helioport, requests/s | oidc-provider | ratio | middle half | ratio of 0.1.0 | target |
|---|---|---|---|---|---|---|
${row('introspection, embedded, compared with memory', 'sqlite', 'introspection', 'memory', 'introspection', 1.4, 2)}
${row('list with a Bearer token, embedded, compared with introspection in memory', 'sqlite', 'list', 'memory', 'introspection', 0.2, 1.5)}
${row('exchange, PostgreSQL', 'postgres', 'exchange', 'postgresReference', 'exchange', 2.08, 1.5)}
${row('refresh, PostgreSQL', 'postgres', 'refresh', 'postgresReference', 'refresh', 2.22, 3)}
${row('introspection, PostgreSQL', 'postgres', 'introspection', 'postgresReference', 'introspection', 3.44, 3)}
${row('revocation, PostgreSQL', 'postgres', 'revocation', 'postgresReference', 'revocation', 2.63, 4)}

CPU time per request (µs), which other programs on the machine disturb less than the rate, of the server's process and, on PostgreSQL, of the database's
processes and of the client that sends the requests; they share two cores:

| | exchange | refresh | introspection | revocation | list |
|---|---|---|---|---|---|
${costs('Helioport, embedded', 'sqlite')}
${costs('Helioport, PostgreSQL', 'postgres')}
${costs('its PostgreSQL', 'postgres', 'DatabaseCpu')}
${costs('its client', 'postgres', 'ClientCpu')}
${costs('oidc-provider, memory', 'memory')}
${costs('oidc-provider, PostgreSQL', 'postgresReference')}
${costs('its PostgreSQL', 'postgresReference', 'DatabaseCpu')}
${costs('its client', 'postgresReference', 'ClientCpu')}

What limits the two comparisons with memory is the machine's cost of a request: a bare Fastify that sends the bytes of an introspection
answer and does nothing else reaches ${rate('bare', 'introspection').toFixed(0)}/s at ${rate('bare', 'introspectionCpu').toFixed(0)} µs, ${(rate('bare', 'introspection') / rate('memory', 'introspection')).toFixed(2)} times the reference. Requests that are read together
go on together (ADR 0057), which the reference does not do. The list is limited by its own work (see "Signed list"), to which a Bearer check adds one statement. A revocation also writes to the audit trail, in
the same statement on PostgreSQL; the reference has no audit trail. On PostgreSQL, changes that arrive together are one statement
(ADR 0055). A refresh then takes our process ${rate('postgres', 'refreshCpu').toFixed(0)} µs and the reference's ${rate('postgresReference', 'refreshCpu').toFixed(0)}, but both wait for the database, which shares the two cores.
Those are ${busy('postgres', 'refresh')} busy with our refreshes, ${busy('postgres', 'revocation')} with our revocations, ${busy('postgresReference', 'refresh')} and ${busy('postgresReference', 'revocation')} with the reference's; the rest is waiting for commits to reach the disk.

Without a counterpart, since memory is not durable: embedded exchange ${rate('sqlite', 'exchange').toFixed(0)}/s, refresh ${rate('sqlite', 'refresh').toFixed(0)}/s,
revocation ${rate('sqlite', 'revocation').toFixed(0)}/s (in memory ${rate('memory', 'exchange').toFixed(0)}, ${rate('memory', 'refresh').toFixed(0)} and ${rate('memory', 'revocation').toFixed(0)});
list with a Bearer token on PostgreSQL ${rate('postgres', 'list').toFixed(0)}/s.`,
  );
}
