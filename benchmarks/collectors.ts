// A fleet of collectors with three devices each, which report every minute for half an hour: what is lost, how long acknowledgements take,
// what the server needs for it, and what happens when all of them connect again at once. Then saturation: readings a second over MQTT and HTTP,
// compared with bare upserts. HELIOPORT_BENCH_COLLECTORS and HELIOPORT_BENCH_MINUTES make it smaller, in which case nothing is written.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { migrate } from '../packages/server/src/platform/storage/migrate.ts';
import { openStorage } from '../packages/server/src/platform/storage/open.ts';
import { serve, type ServerProcess } from '../test/support/server-process.ts';
import { createDriver, type Driver } from './collectors/driver.ts';
import { addFleet, DEVICES_EACH, type FleetCollector } from './collectors/fleet.ts';
import { bareRowsPerSecond, readingsPerSecond } from './collectors/saturation.ts';
import { sqliteEngine } from './ingest/engines.ts';
import { median, quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const FULL = { collectors: 10_000, minutes: 30 };
const COLLECTORS = Number(process.env['HELIOPORT_BENCH_COLLECTORS'] ?? FULL.collectors);
const MINUTES = Number(process.env['HELIOPORT_BENCH_MINUTES'] ?? FULL.minutes);
const MINUTE_MS = 60_000;
/** Collectors that stay connected while all others connect again, and report every second meanwhile. */
const STEADY = Math.min(100, Math.floor(COLLECTORS / 2));
const STORM_SECONDS = 30;
const SATURATION_MS = 10_000;
const SATURATION_ROUNDS = 3;
/** Collectors that have not reported before: late readings would be another question. */
const SATURATING = 100;

/** Times to acknowledgements, ms: of the collectors that stay connected, and of the others. */
const times = { steady: [] as number[], others: [] as number[] };
const takeTimes = (group: keyof typeof times): number[] => times[group].splice(0);

const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
const databaseFile = join(folder, 'data', 'helioport.db');
let server: ServerProcess | undefined;
try {
  const fleet = await install();
  server = serve(folder, {
    HELIOPORT_ROLES: 'gateway,worker',
    HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
  });
  const addresses = await server.started;
  const [mqtt, gateway, ops] = [addresses['mqtt']!, addresses['gateway']!, addresses['ops']!];
  const driver = createDriver({
    url: mqtt,
    fleet: fleet.slice(0, COLLECTORS),
    onAcknowledged: (i, ms) => void times[i < STEADY ? 'steady' : 'others'].push(ms),
  });
  const connectedAfterSeconds = await connectAll(driver);
  const steady = await reportEveryMinute(driver, ops);
  const lost = steady.readings - (await countSamples());
  const storm = await stormOf(driver);
  await driver.close();
  const rates = await saturate(fleet.slice(COLLECTORS), mqtt, gateway);
  const text = report({ connectedAfterSeconds, steady, lost, storm, rates });
  console.log(text);
  if (COLLECTORS === FULL.collectors && MINUTES === FULL.minutes)
    writeResults('Collectors', 'collectors', text);
} finally {
  server?.kill('SIGTERM');
  await server?.ended;
  rmSync(folder, { recursive: true, force: true });
}

async function install(): Promise<FleetCollector[]> {
  const storage = openStorage(databaseFile);
  await migrate(storage.db, storage.engine, 0);
  const fleet = await addFleet(storage.db, COLLECTORS + SATURATING);
  await storage.close();
  console.log(`${COLLECTORS} collectors with ${DEVICES_EACH} devices each`);
  return fleet;
}

async function countSamples(): Promise<number> {
  const storage = openStorage(databaseFile);
  const { rows } = await sql<{ amount: number }>`select count(*) as amount from sample`.execute(
    storage.db,
  );
  await storage.close();
  return rows[0]!.amount;
}

/** Resolves to how long it took until each collector, all of which connect at once, had a report acknowledged. */
async function connectAll(driver: Driver): Promise<number> {
  const begunAt = performance.now();
  for (let i = 0; i < COLLECTORS; i++) driver.report(i, 0);
  await driver.whenDelivered();
  const seconds = (performance.now() - begunAt) / 1000;
  console.log(`all connected after ${seconds.toFixed(1)} s`, driver.setbacks);
  takeTimes('steady');
  takeTimes('others');
  return seconds;
}

interface Minute {
  readonly p50: number;
  readonly p99: number;
  readonly residentMib: number;
  readonly cpuPercent: number;
}

/** Each collector reports at its own second of every minute. */
async function reportEveryMinute(
  driver: Driver,
  ops: string,
): Promise<{ minutes: Minute[]; readings: number }> {
  const minutes: Minute[] = [];
  let before = await usageOf(ops);
  let begunAt = performance.now();
  for (let minute = 0; minute < MINUTES; minute++) {
    for (let i = 0; i < COLLECTORS; i++) {
      const ahead = begunAt + (i / COLLECTORS) * MINUTE_MS - performance.now();
      if (ahead > 5) await pause(ahead);
      driver.report(i, 1 + minute);
    }
    await pause(Math.max(0, begunAt + MINUTE_MS - performance.now()));
    const usage = await usageOf(ops);
    const taken = [...takeTimes('steady'), ...takeTimes('others')];
    const cpuPercent =
      (100_000 * (usage.cpuSeconds - before.cpuSeconds)) / (performance.now() - begunAt);
    minutes.push({
      p50: median(taken),
      p99: quantile(taken, 0.99),
      residentMib: usage.residentMib,
      cpuPercent,
    });
    console.log(`minute ${minute + 1}:`, minutes.at(-1), driver.setbacks);
    [before, begunAt] = [usage, performance.now()];
  }
  await driver.whenDelivered();
  return { minutes, readings: (1 + MINUTES) * COLLECTORS * DEVICES_EACH };
}

interface Storm {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  readonly backAfterSeconds: number;
}

/** All but a few connect again at once; the few report every second, and their acknowledgements are timed. */
async function stormOf(driver: Driver): Promise<Storm> {
  const begunAt = performance.now();
  const again = driver.reconnect(STEADY, COLLECTORS).then(async () => {
    for (let i = STEADY; i < COLLECTORS; i++) driver.report(i, MINUTES + 1);
    await driver.whenDelivered();
    return (performance.now() - begunAt) / 1000;
  });
  const isOver = again.then(() => true);
  takeTimes('steady');
  for (let second = 0; second < STORM_SECONDS; second++) {
    const secondAt = performance.now();
    for (let i = 0; i < STEADY; i++) driver.report(i, MINUTES + 2 + second);
    await pause(Math.max(0, secondAt + 1000 - performance.now()));
    if (await Promise.race([isOver, pause(0, false)])) break;
  }
  const backAfterSeconds = await again;
  const taken = takeTimes('steady');
  return {
    p50: median(taken),
    p99: quantile(taken, 0.99),
    longest: Math.max(...taken),
    backAfterSeconds,
  };
}

interface Rates {
  readonly mqtt: number;
  readonly http: number;
  readonly bare: number;
}

/** In turns, since a shared machine varies from minute to minute. */
async function saturate(
  fleet: readonly FleetCollector[],
  mqtt: string,
  gateway: string,
): Promise<Rates[]> {
  const engine = await sqliteEngine();
  const rounds: Rates[] = [];
  // Each run goes on behind the last one.
  let from = 0;
  const next = (): number => (from += 3_000);
  for (let round = 0; round < SATURATION_ROUNDS; round++) {
    rounds.push({
      mqtt: await readingsPerSecond(mqtt, { fleet, milliseconds: SATURATION_MS, from: next() }),
      http: await readingsPerSecond(gateway, { fleet, milliseconds: SATURATION_MS, from: next() }),
      bare: await bareRowsPerSecond(engine, SATURATION_MS / 2),
    });
    console.log(rounds.at(-1));
  }
  await engine.close();
  return rounds;
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

interface Findings {
  readonly connectedAfterSeconds: number;
  readonly steady: { readonly minutes: Minute[]; readonly readings: number };
  readonly lost: number;
  readonly storm: Storm;
  readonly rates: Rates[];
}

function report({ connectedAfterSeconds, steady, lost, storm, rates }: Findings): string {
  const { minutes, readings } = steady;
  const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
  const part = (from: number, to: number, what: (minute: Minute) => number): number =>
    median(minutes.slice(from, to).map(what));
  const third = Math.ceil(minutes.length / 3);
  const line = (name: string, from: number, to: number): string =>
    `| ${name} | ${ms(part(from, to, ({ p50 }) => p50))} | ${ms(part(from, to, ({ p99 }) => p99))} | ${part(from, to, (one) => one.residentMib).toFixed(0)} | ${part(from, to, (one) => one.cpuPercent).toFixed(0)} % |`;
  const rate = (way: keyof Rates): string =>
    `${(median(rates.map((one) => one[way])) / 1000).toFixed(1)} k`;
  const ratio = (way: keyof Rates): string =>
    median(rates.map((one) => one[way] / one.bare)).toFixed(2);
  return `### ${COLLECTORS.toLocaleString('en')} collectors over MQTT

${COLLECTORS.toLocaleString('en')} collectors of ${DEVICES_EACH} devices, each with a connection to the embedded broker, report every minute for ${MINUTES} minutes, from one process to
one server on SQLite. **${lost} of ${readings.toLocaleString('en')} readings lost.** Times are from the report to its acknowledgement, which follows the commit;
medians of the minutes.

| part of the time | acknowledged p50 ms | p99 ms | memory of the server, MiB | CPU of the server |
|---|---|---|---|---|
${line('first third', 0, third)}
${line('last third', -third, minutes.length)}

At the start, all connect at once: after ${connectedAfterSeconds.toFixed(1)} s each of them has a report acknowledged. At the end, all but ${STEADY} connect again
at once: after ${storm.backAfterSeconds.toFixed(1)} s each of them has a report acknowledged. Meanwhile, reports of the others are acknowledged after ${ms(storm.p50)} ms
(p50), ${ms(storm.p99)} ms (p99) and ${ms(storm.longest)} ms at the most.

### Saturation

${SATURATING} collectors that each send a report of ${20 * DEVICES_EACH} readings as soon as the last one was acknowledged. Client and server share the machine.

| way | durable readings a second | compared with bare upserts |
|---|---|---|
| MQTT | ${rate('mqtt')} | ${ratio('mqtt')} |
| HTTP | ${rate('http')} | ${ratio('http')} |
| bare upserts | ${rate('bare')} | 1 |`;
}
