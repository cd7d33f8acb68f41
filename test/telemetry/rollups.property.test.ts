import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from './installation.ts';
import { energyFromCounter, energyFromPower, latestValues, localDate } from './naive-model.ts';

const MINUTE = 60_000;

// Around a change of clocks, and around a change of year in a zone of half hours.
const stages = [
  { timeZone: 'Europe/Berlin', from: Date.parse('2026-03-28T20:00:00Z') },
  { timeZone: 'America/New_York', from: Date.parse('2026-10-31T20:00:00Z') },
  { timeZone: 'Asia/Kathmandu', from: Date.parse('2025-12-31T10:00:00Z') },
  { timeZone: 'Pacific/Marquesas', from: Date.parse('2026-02-28T02:00:00Z') },
];

// Dense stretches and gaps: minutes from the start, over three days.
const minutes = fc.oneof(
  fc.integer({ min: 0, max: 4320 }),
  fc.integer({ min: 0, max: 60 }).map((n) => n * 15),
  fc.integer({ min: 440, max: 620 }),
);

const someValues = fc.record(
  {
    acPowerW: fc.integer({ min: -50, max: 9000 }),
    gridPowerW: fc.integer({ min: -9000, max: 9000 }),
    temperatureC: fc.double({ min: -40, max: 90, noNaN: true }),
    loadTotalKwh: fc.constant(0),
    // Counters that behave as badly as they can: no model knows them, but a recalculation must agree.
    backupTotalKwh: fc.oneof(
      fc.integer({ min: 0, max: 60 }),
      fc.constantFrom(999.9, 65_535, 4_294_967),
    ),
    backupTodayKwh: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom(0, 0, 50_000)),
  },
  { requiredKeys: [] },
);

const batches = fc.array(
  fc.array(fc.record({ minutes, values: someValues }), { minLength: 1, maxLength: 12 }),
  { minLength: 1, maxLength: 8 },
);

describeEngines('roll-ups', (database) => {
  const world = createReportingWorld(database, settableClock('2027-01-15T00:00:00Z'));

  test(
    'follow from the readings alone, in whatever order, however often and however corrected they come',
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...stages),
          batches,
          fc.boolean(),
          async ({ timeZone, from }, plan, ordered) => {
            const device = await world.install({ timeZone });
            const known = new Map<number, Record<string, number>>();
            const all = plan.map((batch) =>
              batch.map((reading) => ({
                at: from + reading.minutes * MINUTE,
                values: complete(reading.values, reading.minutes),
              })),
            );
            const ways = ordered ? [all.flat().toSorted((a, b) => a.at - b.at)] : all;
            for (const batch of ways) {
              for (const { at, values } of batch) known.set(at, { ...known.get(at), ...values });
              await world.report(device, batch);
            }
            await checkAgainstModel(device, known, timeZone);
            expect(await world.rollups(device.binding)).toEqual(
              await world.recalculated(device.binding),
            );
          },
        ),
        { numRuns: effort(25, 600) },
      );
    },
  );

  async function checkAgainstModel(
    device: Installation,
    known: Map<number, Record<string, number>>,
    timeZone: string,
  ): Promise<void> {
    const { telemetry } = world.parts();
    const { db } = database();
    const days = await telemetry.daysOf(db, [device.binding], 0, 99_999_999);
    const dates = Map.groupBy(
      [...known.keys()].toSorted((a, b) => a - b),
      (at) => localDate(timeZone, at),
    );
    const read = days.filter(({ samples }) => samples > 0);
    expect(
      read.map(({ day, samples, firstAt, lastAt }) => [day, samples, firstAt, lastAt]),
    ).toEqual([...dates].map(([day, times]) => [day, times.length, times[0], times.at(-1)]));
    const produced = energyFromPower(known, 'acPowerW', 1, timeZone);
    const imported = energyFromPower(known, 'gridPowerW', -1, timeZone);
    const consumed = energyFromCounter(known, 'loadTotalKwh', timeZone);
    for (const { day, energies, peakPowerW } of days) {
      expectEnergy(energies.production, produced.get(day), true);
      expectEnergy(energies.gridImport, imported.get(day), true);
      const load = consumed.get(day);
      expectEnergy(energies.load, load?.kwh, load?.estimated ?? false);
      const powers = (dates.get(day) ?? [])
        .flatMap((at) => known.get(at)!['acPowerW'] ?? [])
        .filter((power) => power >= 0);
      expect(peakPowerW).toBe(powers.length > 0 ? Math.max(...powers) : null);
    }
    // Days on which nothing was read are there as far as a counter tells of them.
    for (const day of consumed.keys()) expect(days.some((one) => one.day === day)).toBe(true);
    const latest = (await telemetry.latestOf(db, [device.binding])).get(device.binding)!;
    const model = latestValues(known);
    expect([latest.lastAt, latest.values]).toEqual([model.at, model.values]);
    expectSums(latest, produced, 'production');
    expectSums(latest, imported, 'gridImport');
    const months = await telemetry.monthsOf(db, [device.binding], 0, 999_999);
    expect(sum(months.map(({ energies }) => energies.production?.energyKwh ?? 0))).toBeCloseTo(
      sum([...produced.values()]),
      5,
    );
  }
});

/** A counter that is a function of time, never decreasing, at about 3 kW. */
function complete(
  given: { loadTotalKwh?: number },
  minutesFromStart: number,
): Record<string, number> {
  const { loadTotalKwh, ...others } = given;
  const filled: Record<string, number> = { ...others };
  if (loadTotalKwh !== undefined)
    filled['loadTotalKwh'] = Math.round((5000 + minutesFromStart * 0.05) * 100) / 100;
  if (Object.keys(filled).length === 0) filled['acPowerW'] = 1000;
  return filled;
}

function expectEnergy(
  energy: { energyKwh: number; estimated: boolean } | undefined,
  expected: number | undefined,
  estimated: boolean,
): void {
  expect(energy === undefined).toBe(expected === undefined);
  if (!energy || expected === undefined) return;
  expect(energy.energyKwh).toBeCloseTo(expected, 5);
  expect(energy.estimated).toBe(estimated);
}

interface ToDate {
  readonly day: number;
  energiesToDate(today: number): {
    readonly [channel: string]:
      | { dayKwh?: number; monthKwh?: number; yearKwh?: number; totalKwh: number }
      | undefined;
  };
}

function expectSums(latest: ToDate, days: ReadonlyMap<number, number>, channel: string): void {
  const energy = latest.energiesToDate(latest.day)[channel];
  if (days.size === 0) expect(energy?.dayKwh).toBeUndefined();
  if (!energy || days.size === 0) return;
  const within = (digits: number): number =>
    sum(
      [...days]
        .filter(([day]) => Math.trunc(day / digits) === Math.trunc(latest.day / digits))
        .map(([, kwh]) => kwh),
    );
  expect(energy.dayKwh).toBeCloseTo(within(1), 5);
  expect(energy.monthKwh).toBeCloseTo(within(100), 5);
  expect(energy.yearKwh).toBeCloseTo(within(10_000), 5);
  expect(energy.totalKwh).toBeCloseTo(sum([...days.values()]), 5);
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
