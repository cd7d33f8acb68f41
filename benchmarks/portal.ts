// 100 open browsers of people who see 10,000 plants, while these report: what the server needs for it, how late news are, and what that does to reports.
// The reference is the same server without browsers, in turns. HELIOPORT_BENCH_PLANTS, HELIOPORT_BENCH_BROWSERS and HELIOPORT_BENCH_SECONDS (of a turn)
// make it smaller, in which case nothing is written.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { insertAccount } from '../packages/server/src/identity/accounts/accounts.ts';
import { insertSession } from '../packages/server/src/identity/accounts/sessions.ts';
import { systemClock } from '../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../packages/server/src/platform/kernel/ids.ts';
import { recount } from '../packages/server/src/fleet/plants/fleet/recount.ts';
import { migrate } from '../packages/server/src/platform/storage/migrate.ts';
import { openStorage } from '../packages/server/src/platform/storage/open.ts';
import { serve, type ServerProcess } from '../test/support/server-process.ts';
import { addFleet, type FleetCollector } from './collectors/fleet.ts';
import { openBrowsers, type Met } from './portal/browsers.ts';
import { median, quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const FULL = { plants: 10_000, browsers: 100, seconds: 32 };
const PLANTS = Number(process.env['HELIOPORT_BENCH_PLANTS'] ?? FULL.plants);
const BROWSERS = Number(process.env['HELIOPORT_BENCH_BROWSERS'] ?? FULL.browsers);
const SECONDS = Number(process.env['HELIOPORT_BENCH_SECONDS'] ?? FULL.seconds);
const ROUNDS = 2;
/** Each plant reports every five minutes. */
const REPORTS_PER_SECOND = PLANTS / 300;
/** An account may have 20 live connections. */
const BROWSERS_PER_ACCOUNT = 10;
const STANDINGS_LIMIT_MS = 180_000;

type Plant = FleetCollector & { readonly plantId: string };
const kinds = ['nobody', 'listening', 'overview'] as const;
type Kind = (typeof kinds)[number];

interface Turn {
  readonly kind: Kind;
  readonly cpuPercent: number;
  readonly residentMib: number;
  readonly acknowledged: readonly number[];
  readonly met: Met | undefined;
}

const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
const databaseFile = join(folder, 'data', 'helioport.db');
let server: ServerProcess | undefined;
try {
  const { plants, sessions } = await install();
  server = serve(folder, {
    HELIOPORT_ROLES: 'gateway,worker,portal',
    HELIOPORT_RATE_LIMIT: 'off',
    HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
  });
  const addresses = await server.started;
  await standingsAreThere();
  const reporter = createReporter(addresses['gateway']!, plants);
  const turns: Turn[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of kinds) {
      const browsers =
        kind === 'nobody'
          ? undefined
          : await openBrowsers({
              portalUrl: addresses['portal']!,
              sessions,
              ask: kind === 'overview',
              sentAt: (plantId) => reporter.sentAt.get(plantId),
            });
      const before = await usageOf(addresses['ops']!);
      const begunAt = performance.now();
      const acknowledged = await reporter.report(SECONDS * 1000);
      const after = await usageOf(addresses['ops']!);
      const cpuPercent =
        (100_000 * (after.cpuSeconds - before.cpuSeconds)) / (performance.now() - begunAt);
      turns.push({
        kind,
        cpuPercent,
        residentMib: after.residentMib,
        acknowledged,
        met: browsers?.take(),
      });
      browsers?.close();
      console.log(kind, {
        cpuPercent,
        residentMib: after.residentMib,
        p99: quantile(acknowledged, 0.99),
        events: turns.at(-1)!.met?.events,
      });
    }
  }
  reporter.close();
  const text = report(turns);
  console.log(text);
  if (PLANTS === FULL.plants && BROWSERS === FULL.browsers && SECONDS === FULL.seconds)
    writeResults('Portal', 'portal', text);
} finally {
  server?.kill('SIGTERM');
  await server?.ended;
  rmSync(folder, { recursive: true, force: true });
}

/** Plants of one owner that are shared with everybody who has a browser open. */
async function install(): Promise<{ plants: Plant[]; sessions: string[] }> {
  const { db, engine, close } = openStorage(databaseFile);
  await migrate(db, engine, 0);
  const fleet = await addFleet(db, PLANTS);
  const places = await db
    .selectFrom('device')
    .select(['id', 'plantId'])
    .where('kind', '=', 'collector')
    .execute();
  const plantOf = new Map(places.map(({ id, plantId }) => [id, plantId!]));
  const newId = createIdSource(systemClock);
  const act = { at: systemClock.now(), actor: 'operator' as const, address: null, newId };
  const sessions: string[] = [];
  await db.transaction().execute(async (trx) => {
    for (let n = 0; sessions.length < BROWSERS; n++) {
      const facts = {
        email: `installer-${n}@example.com`,
        role: 'installer',
        timeZone: 'UTC',
        passwordHash: '',
        legacyHash: null,
      } as const;
      const { id: accountId } = await insertAccount(trx, act, facts);
      await sql`insert into "plantAccess" ("accountId", "plantId", level, "createdAt") select ${accountId}, id, 'read', ${act.at} from plant`.execute(
        trx,
      );
      for (let i = 0; i < BROWSERS_PER_ACCOUNT && sessions.length < BROWSERS; i++)
        sessions.push(
          await insertSession(trx, act, {
            accountId,
            entrance: 'portal',
            freshFor: null,
            userAgent: null,
          }),
        );
    }
  });
  await recount(db);
  await close();
  console.log(`${PLANTS} plants, ${sessions.length} sessions`);
  return {
    plants: fleet.map((collector) => ({ ...collector, plantId: plantOf.get(collector.id)! })),
    sessions,
  };
}

/** The figures that lists are sorted by are worked out at the start; they are none of this benchmark's business. */
async function standingsAreThere(): Promise<void> {
  const { db, close } = openStorage(databaseFile);
  const until = performance.now() + STANDINGS_LIMIT_MS;
  const missing = async (): Promise<number> =>
    (
      await sql<{
        amount: number;
      }>`select count(*) as amount from "plantStanding" where "workedOutAt" = 0`.execute(db)
    ).rows[0]!.amount;
  while ((await missing()) > 0 && performance.now() < until) await pause(1_000);
  console.log(`plants without figures: ${await missing()}`);
  await close();
}

interface Reporter {
  /** When a plant last reported. */
  readonly sentAt: ReadonlyMap<string, number>;
  /** Has plants report one after the other for some time; resolves to the times to their acknowledgements, ms. */
  report(milliseconds: number): Promise<number[]>;
  close(): void;
}

function createReporter(gatewayUrl: string, plants: readonly Plant[]): Reporter {
  const sentAt = new Map<string, number>();
  const agent = new Agent({ keepAlive: true });
  let next = 0;

  async function send(plant: Plant): Promise<number> {
    const begunAt = performance.now();
    sentAt.set(plant.plantId, begunAt);
    // The server may close an idle connection at the moment at which it is used again.
    await post(plant).catch(() => post(plant));
    return performance.now() - begunAt;
  }

  async function post({ token, sns }: Plant): Promise<void> {
    const at = Date.now();
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = request(`${gatewayUrl}/v1/readings`, { method: 'POST', agent, headers });
    sent.end(
      JSON.stringify({
        readings: sns.map((sn) => ({
          sn,
          at,
          values: { acPowerW: 1000 + (next % 5000), energyTotalKwh: 1000 + next / 100 },
        })),
      }),
    );
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`/v1/readings: ${answer.statusCode}`);
    answer.resume();
    await once(answer, 'end');
  }

  return {
    sentAt,
    async report(milliseconds) {
      const begunAt = performance.now();
      const all: Promise<number>[] = [];
      while (performance.now() - begunAt < milliseconds) {
        const due = Math.floor(((performance.now() - begunAt) / 1000) * REPORTS_PER_SECOND);
        while (all.length <= due) all.push(send(plants[next++ % plants.length]!));
        await pause(5);
      }
      return Promise.all(all);
    },
    close: () => agent.destroy(),
  };
}

/** What the server has used so far, by its own metrics. */
async function usageOf(ops: string): Promise<{ cpuSeconds: number; residentMib: number }> {
  const text = await (await fetch(`${ops}/metrics`)).text();
  const value = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    cpuSeconds: value('process_cpu_seconds_total'),
    residentMib: value('process_resident_memory_bytes') / 1024 / 1024,
  };
}

function report(turns: readonly Turn[]): string {
  const names: Readonly<Record<Kind, string>> = {
    nobody: 'no browser',
    listening: `${BROWSERS} browsers that listen`,
    overview: `${BROWSERS} browsers with the overview`,
  };
  const ms = (values: readonly number[], q: number): string =>
    values.length === 0 ? '' : quantile(values, q).toFixed(0);
  const lines = kinds.map((kind) => {
    const its = turns.filter((turn) => turn.kind === kind);
    const acknowledged = its.flatMap((turn) => turn.acknowledged);
    const [delays, answers] = [
      its.flatMap(({ met }) => met?.delays ?? []),
      its.flatMap(({ met }) => met?.answers ?? []),
    ];
    const perSecond =
      its.reduce((sum, { met }) => sum + (met?.events ?? 0), 0) / (its.length * SECONDS);
    return [
      names[kind],
      `${median(its.map(({ cpuPercent }) => cpuPercent)).toFixed(1)} %`,
      median(its.map(({ residentMib }) => residentMib)).toFixed(0),
      ms(acknowledged, 0.5),
      ms(acknowledged, 0.99),
      perSecond === 0 ? '' : perSecond.toFixed(0),
      ms(delays, 0.5),
      ms(delays, 0.99),
      ms(answers, 0.5),
      ms(answers, 0.99),
    ].join(' | ');
  });
  return `### Live updates

${PLANTS.toLocaleString('en')} plants with three inverters each report every five minutes over HTTP, on SQLite. Everybody sees all of them. A browser that shows the overview asks for a page of the list
and for the sums again after 10 to 20 seconds, as the portal does while there is news. The server looks for news every three seconds, which is most of the delay. Medians of ${ROUNDS} turns
of ${SECONDS} s each, the three cases one after the other.

| open | CPU of the server | memory, MiB | report acknowledged p50 ms | p99 ms | news a second, to all | from report to browser p50 ms | p99 ms | question answered p50 ms | p99 ms |
|---|---|---|---|---|---|---|---|---|---|
${lines.map((line) => `| ${line} |`).join('\n')}`;
}
