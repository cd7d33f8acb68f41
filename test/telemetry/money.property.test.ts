import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import {
  weekDays,
  type TariffUse,
  type TariffVersion,
} from '../../packages/server/src/fleet/plants/tariffs/tariffs.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from './installation.ts';
import {
  meanOfDay,
  moneyFromCounter,
  moneyFromPower,
  naivePrices,
  type PriceOfMinute,
} from './naive-money.ts';
import { localDate } from './naive-model.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1440;

// Both changes of clocks, and a change of year in a zone of half hours.
const stages = [
  { timeZone: 'Europe/Berlin', from: Date.parse('2026-03-28T20:00:00Z') },
  { timeZone: 'America/New_York', from: Date.parse('2026-10-31T20:00:00Z') },
  { timeZone: 'Asia/Kathmandu', from: Date.parse('2025-12-31T10:00:00Z') },
];

const price = fc.constantFrom(0, 0.05, 0.1, 0.123456, 0.3, 2);
const clockTime = fc
  .integer({ min: 0, max: DAY_MINUTES - 1 })
  .map((n) => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`);
const windows = fc.array(
  fc
    .record({
      start: clockTime,
      end: clockTime,
      pricePerKwh: price,
      days: fc.option(fc.subarray([...weekDays], { minLength: 1 }), { nil: undefined }),
    })
    .filter(({ start, end }) => start !== end)
    .map(({ days, ...window }) => ({ ...window, ...(days && { days }) })),
  { maxLength: 3 },
);
// From a day before the readings to a day after them.
const versions = fc
  .uniqueArray(
    fc.record({
      minutes: fc.integer({ min: -DAY_MINUTES, max: 4 * DAY_MINUTES }),
      pricePerKwh: price,
      windows,
    }),
    {
      minLength: 1,
      maxLength: 4,
      selector: ({ minutes }) => minutes,
    },
  )
  .map((list) => list.toSorted((a, b) => a.minutes - b.minutes));

const minutes = fc.oneof(
  fc.integer({ min: 0, max: 3 * DAY_MINUTES }),
  fc.integer({ min: 0, max: 60 }).map((n) => n * 15),
  fc.integer({ min: 180, max: 620 }),
);
const values = fc.record(
  {
    acPowerW: fc.integer({ min: -50, max: 9000 }),
    gridImportTotalKwh: fc.constant(0),
    // No model knows what badly behaved counters yield, but a recalculation must agree.
    gridExportTotalKwh: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constantFrom(999.9, 65_535)),
    gridExportTodayKwh: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom(0, 50_000)),
  },
  { requiredKeys: [] },
);
const batches = fc.array(
  fc.array(fc.record({ minutes, values }), { minLength: 1, maxLength: 12 }),
  { minLength: 2, maxLength: 8 },
);

describeEngines('money', (database) => {
  const world = createReportingWorld(database, settableClock('2027-01-15T00:00:00Z'));

  test(
    'is the energy at the price in force when it flowed, in whatever order readings and prices come',
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...stages),
          batches,
          versions,
          versions,
          fc.nat(8),
          async ({ timeZone, from }, plan, produced, imported, before) => {
            const device = await world.install({ timeZone });
            const production = produced.map((version): TariffVersion => ({
              ...version,
              fromAt: from + version.minutes * MINUTE,
            }));
            const purchase = imported.map((version): TariffVersion => ({
              ...version,
              fromAt: from + version.minutes * MINUTE,
            }));
            const known = new Map<number, Record<string, number>>();
            for (const [i, batch] of plan.entries()) {
              if (i === Math.min(before, plan.length - 1))
                await putInForce(device, { production, import: purchase, export: production });
              const readings = batch.map((reading) => ({
                at: from + reading.minutes * MINUTE,
                values: complete(reading.values, reading.minutes),
              }));
              for (const reading of readings)
                known.set(reading.at, { ...known.get(reading.at), ...reading.values });
              await world.report(device, readings);
            }
            await world.runWork();
            await checkAgainstModel(device, known, timeZone, production, purchase);
            expect(await world.rollups(device.binding)).toEqual(
              await world.recalculated(device.binding),
            );
          },
        ),
        { numRuns: effort(25, 300) },
      );
    },
  );

  const putInForce = (
    device: Installation,
    tariffs: { readonly [U in TariffUse]: readonly TariffVersion[] },
  ): Promise<void> =>
    world.write(async (trx) => {
      for (const [use, list] of Object.entries(tariffs) as [
        TariffUse,
        readonly TariffVersion[],
      ][]) {
        for (const { fromAt, pricePerKwh, windows: hours = [] } of list) {
          await setTariff(trx, world.act(), device.plantId, use, {
            fromAt,
            pricePerKwh,
            ...(hours.length > 0 && { windows: hours }),
          });
        }
      }
    });

  async function checkAgainstModel(
    device: Installation,
    known: Map<number, Record<string, number>>,
    timeZone: string,
    production: readonly TariffVersion[],
    purchase: readonly TariffVersion[],
  ): Promise<void> {
    const { telemetry } = world.parts();
    const { db } = database();
    const purchasePrices = naivePrices(purchase, timeZone);
    // On days that end before the first price begins, energy has no value.
    const priced = (
      money: Map<number, number>,
      [first]: readonly TariffVersion[],
    ): Map<number, number> =>
      new Map([...money].filter(([day]) => day >= localDate(timeZone, first!.fromAt)));
    const produced = priced(
      moneyFromPower(known, 'acPowerW', timeZone, naivePrices(production, timeZone)),
      production,
    );
    const bought = priced(
      moneyFromCounter(known, 'gridImportTotalKwh', timeZone, purchasePrices),
      purchase,
    );
    for (const { day, energies } of await telemetry.daysOf(db, [device.binding], 0, 99_999_999)) {
      expectAmount(energies.production?.amount, produced.get(day));
      expectAmount(energies.gridImport?.amount, bought.get(day));
    }
    const latest = (await telemetry.latestOf(db, [device.binding])).get(device.binding)!;
    const { production: ofProduction, gridImport } = latest.energiesToDate(latest.day);
    for (const [amounts, days, opening] of [
      [ofProduction?.amounts, produced, 0],
      [gridImport?.amounts, bought, openingWorth(known, timeZone, purchasePrices)],
    ] as const) {
      // Before a second reading nothing is known but what the device had counted.
      if (days.size === 0) expect([amounts?.day, amounts?.year]).toEqual([undefined, undefined]);
      else expect(amounts).toBeDefined();
      if (!amounts || days.size === 0) continue;
      const within = (digits: number): number =>
        sum(
          [...days]
            .filter(([day]) => Math.trunc(day / digits) === Math.trunc(latest.day / digits))
            .map(([, money]) => money),
        );
      expect(amounts.day).toBeCloseTo(within(1), 4);
      expect(amounts.month).toBeCloseTo(within(100), 4);
      expect(amounts.year).toBeCloseTo(within(10_000), 4);
      expect(amounts.total).toBeCloseTo(opening + sum([...days.values()]), 3);
    }
    const months = await telemetry.monthsOf(db, [device.binding], 0, 999_999);
    expect(sum(months.map(({ energies }) => energies.gridImport?.amount ?? 0))).toBeCloseTo(
      sum([...bought.values()]),
      4,
    );
  }
});

/** The counter's first level at the mean price of its day. */
function openingWorth(
  known: Map<number, Record<string, number>>,
  timeZone: string,
  prices: PriceOfMinute,
): number {
  const at = Math.min(
    ...[...known].filter(([, of]) => 'gridImportTotalKwh' in of).map(([time]) => time),
  );
  return Number.isFinite(at)
    ? known.get(at)!['gridImportTotalKwh']! * meanOfDay(timeZone, at, prices)
    : 0;
}

/** A counter that is a function of time, never decreasing, at about 3 kW. */
function complete(
  given: { gridImportTotalKwh?: number },
  minutesFromStart: number,
): Record<string, number> {
  const filled: Record<string, number> = { ...given };
  if (given.gridImportTotalKwh !== undefined)
    filled['gridImportTotalKwh'] = Math.round((50 + minutesFromStart * 0.05) * 100) / 100;
  if (Object.keys(filled).length === 0) filled['acPowerW'] = 1000;
  return filled;
}

function expectAmount(amount: number | undefined, expected: number | undefined): void {
  expect(amount === undefined).toBe(expected === undefined);
  if (expected !== undefined) expect(amount).toBeCloseTo(expected, 4);
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
