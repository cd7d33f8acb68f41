import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import type { IngestReading } from '../../packages/server/src/measurements/ingest/readings/reading.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { noting } from '../series/noting.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1440;
const zones = ['Europe/Berlin', 'UTC', 'UTC', 'Asia/Kathmandu'];

// Two days of April and three of May; counters that fall, and gaps of days.
const minute = fc.oneof(
  fc.integer({ min: 0, max: 5 * DAY_MINUTES }),
  fc.integer({ min: 0, max: 40 }).map((n) => 2 * DAY_MINUTES - 100 + n * 5),
);
const values = fc.record(
  { acPowerW: fc.integer({ min: -5, max: 9000 }), energyTotalKwh: fc.integer({ min: 0, max: 90 }) },
  { requiredKeys: [] },
);
const reading = fc.record({
  device: fc.nat(zones.length - 1),
  minute,
  values: values.filter((all) => Object.keys(all).length > 0),
});
const batches = fc.array(fc.array(reading, { minLength: 1, maxLength: 30 }), {
  minLength: 2,
  maxLength: 6,
});

// Two weeks around the end of April, most days without readings; a counter that leaves its level and returns to it.
const levels = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 4998, max: 5003 }));
const sparse = fc.record({
  hour: fc.integer({ min: 0, max: 14 * 24 }),
  // It has left a level once a second reading says so.
  isTwice: fc.boolean(),
  values: fc.record(
    { energyTotalKwh: levels, energyTodayKwh: fc.integer({ min: 0, max: 6 }) },
    { requiredKeys: ['energyTotalKwh'] },
  ),
});
const sparseBatches = fc.array(fc.array(sparse, { minLength: 1, maxLength: 4 }), {
  minLength: 2,
  maxLength: 6,
});

// A day and a half of readings every ten minutes; counters that jitter, fall and cannot be read for a while. Most come in order.
const event = fc.oneof(
  { weight: 60, arbitrary: fc.constant('grow') },
  { weight: 1, arbitrary: fc.constantFrom('jitter', 'zero', 'reset', 'jump', 'mute') },
);
const denseDays = fc.record({
  timeZone: fc.constantFrom(...zones),
  steps: fc.array(
    fc.record({ what: event, powerW: fc.double({ min: -5, max: 9000, noNaN: true }) }),
    { minLength: 216, maxLength: 216 },
  ),
  batchOf: fc.array(fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3), {
    minLength: 40,
    maxLength: 60,
  }),
  size: fc.constantFrom(5, 40),
});

function denseReadings(
  sn: string,
  steps: readonly { what: string; powerW: number }[],
): IngestReading[] {
  let level = 3000;
  return steps.map(({ what, powerW }, i) => {
    if (what === 'reset') level = 0;
    else if (what === 'jump') level += 5000;
    else level = Math.round((level + 0.1) * 10) / 10;
    const shown = what === 'zero' ? 0 : what === 'jitter' ? level - 0.3 : level;
    const energy: Record<string, number> =
      what === 'mute' ? {} : { energyTotalKwh: shown, energyTodayKwh: shown % 8 };
    return {
      sn,
      at: Date.parse('2026-04-29T18:00:00Z') + i * 10 * MINUTE,
      values: { acPowerW: powerW, ...energy },
    };
  });
}

describeEngines('late readings of several devices', (database) => {
  const world = createReportingWorld(database, settableClock('2026-07-01T00:00:00Z'));
  const start = Date.parse('2026-04-29T00:00:00Z');
  const fleet = (): Promise<Installation[]> =>
    Promise.all(zones.map((timeZone) => world.install({ timeZone, pricePerKwh: 0.3 })));

  test(
    'leave what a recalculation makes, in whatever days and order they come',
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(batches, async (all) => {
          const devices = await fleet();
          for (const batch of all) {
            const readings = batch.map((one) => ({
              sn: devices[one.device]!.sn,
              at: start + one.minute * MINUTE,
              values: one.values,
            }));
            const { accepted, duplicate, refused } = await world
              .parts()
              .ingest('operator', readings);
            expect([accepted + duplicate, refused]).toEqual([batch.length, []]);
          }
          for (const { binding } of devices)
            expect(await world.rollups(binding)).toEqual(await world.recalculated(binding));
        }),
        { numRuns: effort(5, 150) },
      );
    },
  );

  test(
    'leave what a recalculation makes of a counter that returns to its level after days without readings',
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...zones), sparseBatches, async (timeZone, all) => {
          const device = await world.install({ timeZone });
          for (const batch of all) {
            const readings = batch.flatMap(({ hour, isTwice, values: given }) =>
              (isTwice ? [0, 15] : [0]).map((minutes) => ({
                at: start + ((hour - 5 * 24) * 60 + minutes) * MINUTE,
                values: given,
              })),
            );
            await world.report(device, readings);
          }
          expect(await world.rollups(device.binding)).toEqual(
            await world.recalculated(device.binding),
          );
        }),
        { numRuns: effort(20, 1000) },
      );
    },
  );

  test(
    'leave what a recalculation makes of dense days, in whatever order they come',
    { timeout: 300_000 },
    async () => {
      let around = 0;
      await fc.assert(
        fc.asyncProperty(denseDays, async ({ timeZone, steps, batchOf, size }) => {
          const device = await world.install({ timeZone, pricePerKwh: 0.3 });
          const { series, asked } = noting(world.parts().series);
          const ingest = createIngest({ db: database().db, clock: world.clock, series });
          const readings = denseReadings(device.sn, steps);
          const arrivals = readings.map((one, i) => ({ one, batch: batchOf[i % batchOf.length]! }));
          for (const batch of [0, 1, 2, 3]) {
            // What comes again changes nothing; what is corrected does.
            const late = arrivals
              .filter((arrival) => arrival.batch === batch)
              .map(({ one }) => one);
            for (let from = 0; from < late.length; from += size)
              await ingest('operator', late.slice(from, from + size));
            if (batch > 0) await ingest('operator', late.slice(0, 3));
          }
          await ingest(
            'operator',
            readings
              .slice(90, 91)
              .map((one) => ({ ...one, values: { ...one.values, acPowerW: 4321 } })),
          );
          around += asked.filter((name) => name === 'around').length;
          expect(await world.rollups(device.binding)).toEqual(
            await world.recalculated(device.binding),
          );
        }),
        { numRuns: effort(6, 150) },
      );
      // Most late readings of dense days are inserted among the samples around them.
      expect(around).toBeGreaterThan(0);
    },
  );

  test('are read, folded and written once, however many devices they are of', async () => {
    const devices = await fleet();
    const { series, asked } = noting(world.parts().series);
    const ingest = createIngest({ db: database().db, clock: world.clock, series });
    const report = async (...minutes: number[]): Promise<string[]> => {
      asked.length = 0;
      const readings = devices.slice(1, 3).flatMap(({ sn }) =>
        minutes.map((at) => ({
          sn,
          at: start + at * MINUTE,
          values: { acPowerW: 1000, energyTotalKwh: 50 + at / 60 },
        })),
      );
      expect(await ingest('operator', readings)).toMatchObject({ accepted: readings.length });
      return [...asked];
    };
    await report(600, 700, DAY_MINUTES + 600, DAY_MINUTES + 700);
    // Of the current day: the day before it, and its samples, which are few.
    expect(await report(DAY_MINUTES + 610, DAY_MINUTES + 620)).toEqual([
      'newestDays',
      'newestDays',
      'ranges',
      'put',
    ]);
    // Of a closed day: how many samples it has, and the days and months that are added up again.
    expect(await report(610, 620)).toEqual([
      'newestDays',
      'days',
      'days',
      'days',
      'newestDays',
      'months',
      'ranges',
      'put',
    ]);
    // Of a dense day, the samples around them. Of a closed one, the days and months only if its energy changes.
    const dense = Array.from({ length: 60 }, (_, i) => 600 + i * 10);
    await report(...dense.map((one) => one + 3 * DAY_MINUTES));
    expect(await report(3 * DAY_MINUTES + 805, 3 * DAY_MINUTES + 1005)).toEqual([
      'newestDays',
      'around',
      'put',
    ]);
    await report(4 * DAY_MINUTES + 600);
    expect(await report(3 * DAY_MINUTES + 815)).toEqual([
      'newestDays',
      'days',
      'days',
      'around',
      'put',
    ]);
  });
});
