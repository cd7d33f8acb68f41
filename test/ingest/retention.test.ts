import { beforeEach, expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createReadingRetention } from '../../packages/server/src/measurements/ingest/retention.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { updatePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import type { ReadingRetention } from '@helioport/contract/reading-retention';
import type { IngestReading } from '../../packages/server/src/measurements/ingest/readings/reading.ts';
import type { DaySample } from '../../packages/server/src/measurements/energy/day-state.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { requestRecalculation } from '../../packages/server/src/fleet/plants/tariffs/recalculation.ts';
import { describeEngines } from '../support/engines.ts';
import { createRecalculations } from '../support/recalculations.ts';
import { createWorld, settableClock } from '../support/world.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = Date.parse('2026-06-15T12:00:00Z');
const DEVICES = 12;
/** Days before now on which there are readings, in UTC. */
const DAYS = [101, 100, 40, 3, 0];

describeEngines('old readings', (database) => {
  const clock = settableClock(NOW);
  const world = createWorld(database, clock);
  let plantId: string;
  let sns: string[];

  const series = () => createSqlSeries(database().db);
  const store = (readings: readonly IngestReading[]) =>
    createIngest({ db: database().db, clock, series: series() })('operator', readings);

  /** A day with a counter that falls at noon, a spike that no slot keeps by chance, and two lists of quantities. */
  const readingsOf = (sn: string, ago: number, shift: number): IngestReading[] => {
    const midnight = Math.floor(NOW / DAY) * DAY - ago * DAY;
    const values = (i: number): Record<string, number> =>
      i % 7 === 3
        ? { batterySocPercent: 20 + ((i * 31 + shift) % 60) }
        : {
            acPowerW: i === 130 ? 9000 : i === 131 ? 0 : 1000 + ((i * 37 + shift) % 500),
            energyTotalKwh: (i < 144 ? 5000 : 0) + i * 0.1 + (101 - ago) * 30,
          };
    return Array.from({ length: ago === 0 ? 100 : 288 }, (_, i) => ({
      sn,
      at: midnight + i * 5 * MINUTE + shift,
      values: values(i),
    }));
  };

  beforeEach(async () => {
    plantId = await world.plant((await world.person()).id, { timeZone: 'Asia/Kathmandu' });
    sns = [];
    for (let i = 0; i < DEVICES; i++) {
      clock.at = NOW - 200 * DAY;
      sns.push((await world.device(plantId)).sn);
      clock.at = NOW;
    }
    for (const ago of DAYS) await store(sns.flatMap((sn, i) => readingsOf(sn, ago, i * 1000)));
  });

  const numbers = async () => {
    const rows = await database()
      .db.selectFrom('device')
      .innerJoin('binding', 'binding.deviceId', 'device.id')
      .select(['device.series', 'binding.no'])
      .where('device.sn', 'in', sns)
      .orderBy('device.series')
      .execute();
    return rows;
  };

  /** Every roll-up, as stored. */
  async function rollUps(): Promise<unknown> {
    const { db } = database();
    const bindings = (await numbers()).map(({ no }) => no);
    const days = await db
      .selectFrom('deviceDay')
      .selectAll()
      .where('binding', 'in', bindings)
      .orderBy('binding')
      .orderBy('day')
      .execute();
    const months = await db
      .selectFrom('deviceMonth')
      .selectAll()
      .where('binding', 'in', bindings)
      .orderBy('binding')
      .orderBy('month')
      .execute();
    const text = (row: { state: Uint8Array }) => Buffer.from(row.state).toString('hex');
    return {
      days: days.map((row) => [row.binding, row.day, row.lastAt, text(row)]),
      months: months.map((row) => [row.binding, row.month, text(row)]),
    };
  }

  const samplesOf = async (): Promise<DaySample[][]> => {
    const found: DaySample[][] = [];
    for (const { series: id } of await numbers())
      found.push(await series().range(database().db, id, 0, Infinity));
    return found;
  };

  /** Lowest and highest value of each quantity on each local day, and the growth and the falls of the counter. */
  function figuresOf(samples: readonly DaySample[]): Record<string, unknown> {
    const found: Record<string, [number, number]> = {};
    let growth = 0;
    let last: number | undefined;
    for (const { at, fields, values } of samples)
      for (const [i, name] of fields.names.entries()) {
        const value = values[i]!;
        if (Number.isNaN(value)) continue;
        const key = `${new Date(at + 5.75 * 3_600_000).toISOString().slice(0, 10)} ${name}`;
        const [low, high] = found[key] ?? [value, value];
        found[key] = [Math.min(low, value), Math.max(high, value)];
        if (name !== 'energyTotalKwh') continue;
        if (last !== undefined && value > last) growth += value - last;
        last = value;
      }
    return { ...found, growth: growth.toFixed(6) };
  }

  async function reduce(retention: ReadingRetention): Promise<void> {
    const { db } = database();
    const lane = createReadingRetention({ db, clock, series: series(), kept: retention });
    while (await lane.run({} as never));
  }

  async function recalculate(): Promise<void> {
    await world.write((trx) => requestRecalculation(trx, plantId, 0, clock.now()));
    const runner = createRecalculations(database().db, clock);
    await runner.runDue();
  }

  test(
    'are thinned while others arrive: sums, extremes and counters stay exactly as they were',
    { timeout: 200_000 },
    async () => {
      const [before, sumsBefore] = [await samplesOf(), await rollUps()];
      const recent = sns.map((sn, i) => readingsOf(sn, 3, i * 1000).slice(0, 5));
      await Promise.all([
        reduce({ thinning: { days: 30, minutes: 15 }, expiry: null }),
        ...recent.map((some) => store(some)),
      ]);
      const after = await samplesOf();
      expect(await rollUps()).toEqual(sumsBefore);
      for (const [i, samples] of before.entries()) {
        expect(figuresOf(after[i]!)).toEqual(figuresOf(samples));
        const [oldOnes, kept] = [samples, after[i]!].map((all) =>
          all.filter(({ at }) => at < NOW - 32 * DAY),
        );
        expect(kept!.length).toBeLessThan(oldOnes!.length * 0.65);
        expect(after[i]!.filter(({ at }) => at >= NOW - 30 * DAY)).toEqual(
          samples.filter(({ at }) => at >= NOW - 30 * DAY),
        );
      }
      // Again, there is nothing to do; and nothing calculates the sums from what is left.
      await reduce({ thinning: { days: 30, minutes: 15 }, expiry: null });
      expect((await samplesOf()).flat()).toHaveLength(after.flat().length);
      await recalculate();
      expect(await rollUps()).toEqual(sumsBefore);
    },
  );

  test(
    'expire: sums stay, and later readings of that time are refused',
    { timeout: 200_000 },
    async () => {
      const sumsBefore = await rollUps();
      await reduce({ thinning: { days: 30, minutes: 15 }, expiry: 90 });
      for (const samples of await samplesOf()) {
        expect(samples.every(({ at }) => at >= NOW - 92 * DAY)).toBe(true);
        expect(samples.some(({ at }) => at < NOW - 30 * DAY)).toBe(true);
      }
      await recalculate();
      expect(await rollUps()).toEqual(sumsBefore);
      const late = await Promise.all(
        sns.map((sn) =>
          store([
            { sn, at: NOW - 100 * DAY + 123, values: { acPowerW: 5 } },
            { sn, at: NOW - 2 * DAY, values: { acPowerW: 5 } },
          ]),
        ),
      );
      for (const outcome of late)
        expect(outcome).toMatchObject({
          accepted: 1,
          refused: [{ index: 0, reason: 'readings of that time are thinned or deleted' }],
        });
    },
  );

  test(
    'are kept for less in a plant that says so, and a device that has moved as long as each of its plants says',
    { timeout: 200_000 },
    async () => {
      const { db } = database();
      const owner = await world.person();
      const [first, second] = [await world.plant(owner.id), await world.plant(owner.id)];
      clock.at = NOW - 200 * DAY;
      const moved = await world.device(first);
      clock.at = NOW - 60 * DAY;
      await world.write((trx) => endBinding(trx, world.act(), moved.id, first));
      await world.write((trx) => bindDevice(trx, world.act(), moved.id, second));
      clock.at = NOW;
      await store(DAYS.flatMap((ago) => readingsOf(moved.sn, ago, 0)));
      const rollUpsOf = async () =>
        db
          .selectFrom('binding')
          .innerJoin('deviceDay', 'deviceDay.binding', 'binding.no')
          .select(['deviceDay.day', 'deviceDay.lastAt', 'deviceDay.state'])
          .where('binding.deviceId', '=', moved.id)
          .orderBy('deviceDay.day')
          .execute();
      const daysLeft = async (): Promise<number[]> => {
        const rows = await db
          .selectFrom('sample')
          .innerJoin('device', 'device.series', 'sample.series')
          .select('sample.at')
          .where('device.id', '=', moved.id)
          .execute();
        const today = Math.floor(NOW / DAY);
        return [...new Set(rows.map(({ at }) => today - Math.floor(at / DAY)))].toSorted(
          (a, b) => b - a,
        );
      };
      const say = (plant: string, readingsKeptDays: number) =>
        world.write((trx) => updatePlant(trx, world.act(), plant, { readingsKeptDays }));
      const [all, sumsBefore, ownSums] = [await samplesOf(), await rollUps(), await rollUpsOf()];

      await say(second, 32);
      await reduce({ thinning: null, expiry: null });
      expect(await daysLeft()).toEqual([101, 100, 3, 0]);
      // The first plant's days are not frozen: what comes late is added there.
      const late = { sn: moved.sn, at: NOW - 100 * DAY + 123, values: { acPowerW: 5 } };
      expect(await store([late])).toMatchObject({ accepted: 1 });

      await say(first, 36);
      await reduce({ thinning: null, expiry: 400 });
      expect(await daysLeft()).toEqual([3, 0]);
      expect(await store([{ ...late, at: late.at + 1 }])).toMatchObject({ accepted: 0 });
      expect((await rollUpsOf()).map(({ day }) => day)).toEqual(ownSums.map(({ day }) => day));
      // Whatever a plant says, nothing is kept longer than the settings say; others keep all.
      expect([await samplesOf(), await rollUps()]).toEqual([all, sumsBefore]);
      await say(second, 36_000);
      await reduce({ thinning: null, expiry: 90 });
      expect((await samplesOf()).flat().every(({ at }) => at >= NOW - 92 * DAY)).toBe(true);
    },
  );
});
