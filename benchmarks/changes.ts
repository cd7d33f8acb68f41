// How soon an alarm reaches browsers, destinations and the outbox of e-mails, beside a former version in pairs: HELIOPORT_BENCH_FORMER names a checkout of it
// with its node_modules. HELIOPORT_BENCH_ALARMS (of a turn) makes it shorter, in which case nothing is written.
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const FULL_ALARMS = 100;
const ALARMS = Number(process.env['HELIOPORT_BENCH_ALARMS'] ?? FULL_ALARMS);
const PACE_MS = 430;
const ROUNDS = 2;
const MEASURE = 'benchmarks/changes/measure.ts';
const engines = ['sqlite', 'postgres'] as const;
const ways = ['browser', 'destination', 'outbox'] as const;
type Times = Record<(typeof ways)[number], number[]>;

const own = fileURLToPath(new URL('..', import.meta.url));
const former = process.env['HELIOPORT_BENCH_FORMER'];
if (former === undefined) throw new Error('HELIOPORT_BENCH_FORMER is not set');
cpSync(join(own, MEASURE), join(former, MEASURE));

const measure = async (checkout: string, engine: string): Promise<Times> => {
  const args = [MEASURE, engine, String(ALARMS), String(PACE_MS)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: checkout });
  return JSON.parse(stdout) as Times;
};

/** The engines beside each other: an alarm takes hardly any of the machine. */
const rows = (await Promise.all(engines.map(compare))).flat();
const text = `### From an alarm to who hears of it

${ALARMS} alarms that collectors report, one after the other, in ${ROUNDS} turns of each version on each engine, through server processes of their own. The former
version looked for news in tables of their own, where this one reads the event log. Alarms are held for two minutes before an e-mail is written.

| engine | to | former p50 ms | p99 ms | now p50 ms | p99 ms | ratio p50 | p99 |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}`;
console.log(text);
if (ALARMS === FULL_ALARMS) writeResults('Changes', 'changes', text);

async function compare(engine: (typeof engines)[number]): Promise<string[]> {
  const all = { own: empty(), former: empty() };
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first in turn.
    const order = [['own', own] as const, ['former', former!] as const];
    for (const [whose, checkout] of round % 2 === 0 ? order.toReversed() : order) {
      const times = await measure(checkout, engine);
      for (const way of ways) all[whose][way].push(...times[way]);
      console.log(engine, round, whose, ...ways.map((way) => quantiles(times[way])));
    }
  }
  const name = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  return ways.map((way) => {
    const [before, now] = [all.former[way], all.own[way]];
    const ratio = (q: number): string => (quantile(now, q) / quantile(before, q)).toFixed(2);
    return `| ${name} | ${way} | ${quantiles(before)} | ${quantiles(now)} | ${ratio(0.5)} | ${ratio(0.99)} |`;
  });
}

function empty(): Times {
  return { browser: [], destination: [], outbox: [] };
}

function quantiles(times: readonly number[]): string {
  return `${quantile(times, 0.5).toFixed(0)} | ${quantile(times, 0.99).toFixed(0)}`;
}
