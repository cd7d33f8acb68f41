// What a day of a plant costs at night, its powers kept, its losses worked out and its inverters learned from, compared with storing its readings.
import process from 'node:process';
import type { FigureSources } from '../packages/server/src/measurements/figures/sources.ts';
import { createFigureCaches } from '../packages/server/src/measurements/figures/sources.ts';
import { createIngest } from '../packages/server/src/measurements/ingest/ingest.ts';
import { settledReads } from '../packages/server/src/measurements/ingest/settled-reads.ts';
import { createSqlSeries } from '../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { listPlants } from '../packages/server/src/fleet/plants/fleet/plant-list.ts';
import { learnOf } from '../packages/server/src/outbound/performance/learn-of.ts';
import { settleLosses } from '../packages/server/src/outbound/performance/loss-days.ts';
import {
  addDays,
  zonesSinceEver,
} from '../packages/server/src/platform/calendar/plant-calendar.ts';
import { DAY_MS, drawInverter, fleetDays } from '../test/expected/learned-fleet.ts';
import { chanceOf } from '../test/performance/simulated-plant.ts';
import { onEngines, type BenchEngine } from './ingest/engines.ts';
import { makeFleet } from './ingest/fleet.ts';
import { median, quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const DEVICES = 10;
const KNOWN_DAYS = 35;
const ROUNDS = Number(process.env['HELIOPORT_BENCH_ROUNDS'] ?? 15);
const TARGET = 0.1;
const FIRST_AT = Date.parse('2026-05-01T00:00:00Z');
const FIRST_DAY = 20_260_501;
const PLACE = { latitude: 48, longitude: 0 };
const EVERY_MS = 300_000;
/** How far back every night looks for readings that came late. */
const LOOKED_AT_DAYS = 40;
/** A model that is known is learned anew after so many nights. */
const LEARNED_DAYS = 30;

const lines: string[] = [];
const ranBoth = await onEngines(async (engine) => {
  lines.push(await measure(engine));
});
if (ranBoth && ROUNDS >= 15) writeResults('Losses', 'losses', report());

async function measure(engine: BenchEngine): Promise<string> {
  const storage = await engine.open();
  const { db } = storage;
  const sns = await makeFleet(db, DEVICES);
  await db
    .updateTable('plant')
    .set({ ...PLACE, timeZone: 'UTC' })
    .execute();
  const series = createSqlSeries(db);
  const clock = { now: (): number => Date.parse('2026-12-31T00:00:00Z') };
  const ingest = createIngest({ db, clock, series });
  const sources: FigureSources = {
    db,
    clock,
    telemetry: createTelemetry(settledReads(db, series)),
    caches: createFigureCaches(),
  };
  const chance = chanceOf(1);
  const inverters = sns.map(() => drawInverter(chance, PLACE));
  const days = fleetDays(1, FIRST_AT, KNOWN_DAYS + ROUNDS, inverters);
  /** A report of the plant every five minutes, with a reading of each inverter. */
  const reportsOf = (d: number) =>
    Array.from({ length: DAY_MS / EVERY_MS }, (_, n) =>
      sns.map((sn, i) => ({
        sn,
        at: FIRST_AT + d * DAY_MS + n * EVERY_MS,
        values: {
          acPowerW: days[d]![i]!.powersW[Math.floor(n / 3)]!,
          gridFrequencyHz: 50 + (n % 7) / 100,
        },
      })),
    );
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  const plantIds = (await db.selectFrom('plant').select('id').execute()).map(({ id }) => id);
  const [plant] = await listPlants(
    db,
    { reach: { accountId: null, levels: ['owner'], plantIds } },
    { pageNo: 1, pageSize: 1 },
  );
  const zones = zonesSinceEver('UTC');
  const night = async (d: number): Promise<void> => {
    const toDay = addDays(FIRST_DAY, d);
    const range = { fromDay: addDays(toDay, -LOOKED_AT_DAYS), toDay };
    await learnOf(sources, plant!, zones, range);
    const { missing, left } = await settleLosses(sources, plant!, {
      ...range,
      atMost: LOOKED_AT_DAYS + 1,
    });
    if (missing !== undefined || left > 0) throw new Error(`missing: ${missing}, left: ${left}`);
  };
  for (let d = 0; d < KNOWN_DAYS; d++) {
    const all = reportsOf(d).flat();
    for (let from = 0; from < all.length; from += 1000)
      await ingest('operator', all.slice(from, from + 1000));
  }
  await night(KNOWN_DAYS - 1);
  await engine.analyze(storage);
  const rounds: { stored: number; night: number; learned: number }[] = [];
  for (let d = KNOWN_DAYS; d < KNOWN_DAYS + ROUNDS; d++) {
    const reports = reportsOf(d);
    const stored = await timed(async () => {
      for (const each of reports) await ingest('operator', each);
    });
    // What is learned of an inverter falls due on other nights than the next one.
    await db
      .updateTable('learnedInverter')
      .set({ throughDay: addDays(FIRST_DAY, d) })
      .execute();
    const quiet = await timed(() => night(d));
    await db.updateTable('learnedInverter').set({ throughDay: 0 }).execute();
    const again = await timed(() => night(d));
    const still = await timed(() => night(d));
    rounds.push({ stored, night: quiet, learned: Math.max(0, again - still) / LEARNED_DAYS });
  }
  await storage.close();
  const ms = (read: (round: (typeof rounds)[number]) => number): string =>
    median(rounds.map(read)).toFixed(1);
  const ratios = rounds.map(({ stored, night: quiet, learned }) => (quiet + learned) / stored);
  const percent = (ratio: number): string => (100 * ratio).toFixed(1);
  const cells = [
    engine.name,
    ms(({ stored }) => stored),
    ms(({ night: quiet }) => quiet),
    ms(({ learned }) => learned),
    `**${percent(median(ratios))} %** (${percent(quantile(ratios, 0.25))} to ${percent(quantile(ratios, 0.75))})`,
    `${percent(TARGET)} %`,
  ];
  const line = `| ${cells.join(' | ')} |`;
  console.log(line);
  return line;
}

function report(): string {
  return `
A day of a plant of ${DEVICES} inverters without a weather station, which report together every five minutes: storing its readings, and the night after it. The night keeps the
powers of each inverter, looks for late readings of the last ${LOOKED_AT_DAYS} days, and works out what was expected and lost, by what the other inverters made of the sky. What is
learned of an inverter anew every ${LEARNED_DAYS} days is measured apart and divided by them. Medians of ${ROUNDS} days. A fleet costs as much as its plants: nothing is worked out for
several of them together. Not among it: when something else has been learned, the losses of ${LOOKED_AT_DAYS} days are worked out again.

| engine | readings stored, ms | night, ms | learning, ms | night and learning, of storing | at most |
|---|---|---|---|---|---|
${lines.join('\n')}
`;
}
