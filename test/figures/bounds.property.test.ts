import type { EnergyRow, PlantRecord } from '@helioport/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { clearSkyHours } from '../telemetry/naive-sun.ts';

const MINUTE_MS = 60_000;
const FROM = Date.parse('2025-12-30T00:00:00Z');
const DAYS = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02'];
const CAPACITY_KWP = 10;
const BERLIN = { latitude: 52.5, longitude: 13.4 };
// The sun's path is reckoned by two formulas.
const SUN_TIMES = 1.02;
// Sums of the wire's own units are compared to a milliwatt-hour.
const SLACK_KWH = 1e-6;

/** What may happen to a counter between two readings of it. */
const counterEvent = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .double({ min: 0, max: 4, noNaN: true })
      .map((growth) => (level: number) => Math.round((level + growth) * 10) / 10),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(-0.1, 0.1, -1, 1)
      .map((jitter) => (level: number) => Math.max(0, level + jitter)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(50, 200, 500, 5000).map((jump) => (level: number) => level + jump),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(0, 0, 12, 462, 655.3, 5000, 4_294_967, 8e9)
      .map((other) => () => other),
  },
);

const power = (highest: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -50, max: 9000 }) },
    { weight: 1, arbitrary: fc.constantFrom(highest, -highest, 0) },
  );

const counters = [
  'energyTotalKwh',
  'energyTodayKwh',
  'gridImportTotalKwh',
  'gridImportTodayKwh',
  'gridExportTotalKwh',
  'batteryChargeTotalKwh',
  'batteryDischargeTodayKwh',
  'loadTotalKwh',
  'backupTodayKwh',
  'generatorTotalKwh',
] as const;

const reading = (highestW: number) =>
  fc.record({
    minutes: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(1, 5, 15, 30) },
      { weight: 1, arbitrary: fc.constantFrom(60, 240, 700, 1440) },
    ),
    events: fc.record(Object.fromEntries(counters.map((name) => [name, counterEvent])), {
      requiredKeys: [],
    }),
    powers: fc.record(
      { acPowerW: power(highestW), gridPowerW: power(highestW) },
      { requiredKeys: [] },
    ),
  });

/** The history of an inverter or, now and then, of a meter, and how it is rated; powers that it cannot have at all are refused before. */
const history = fc.constantFrom(null, 8000).chain((ratedPowerW) =>
  fc.record({
    kind: fc.oneof(
      { weight: 4, arbitrary: fc.constant('inverter' as const) },
      { weight: 1, arbitrary: fc.constant('epm' as const) },
    ),
    ratedPowerW: fc.constant(ratedPowerW),
    first: fc.constantFrom(0, 462, 65_535, 120_000),
    steps: fc.array(reading(ratedPowerW === null ? 9e6 : 24_000), { minLength: 2, maxLength: 60 }),
  }),
);

type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

function readingsOf({ first, steps }: History): [number, Measurements][] {
  const levels = new Map<string, number>();
  const readings: [number, Measurements][] = [];
  let at = FROM;
  for (const { minutes, events, powers } of steps) {
    at += minutes * MINUTE_MS;
    if (at >= FROM + DAYS.length * 1440 * MINUTE_MS) break;
    for (const [name, event] of Object.entries(events))
      levels.set(name, event!(levels.get(name) ?? (name.includes('Today') ? 0 : first)));
    const kept = Object.fromEntries(Object.keys(events).map((name) => [name, levels.get(name)!]));
    if (Object.keys(kept).length + Object.keys(powers).length > 0)
      readings.push([at, { ...kept, ...powers }]);
  }
  return readings;
}

describeEngines('whatever devices report', (database) => {
  const clock = settableClock(FROM);
  const fleet = createFleet(database, clock);

  const produced = (rows: readonly EnergyRow[]): [number, number] => [
    sum(rows.map(({ kwh }) => kwh.production ?? 0)),
    sum(rows.map(({ income }) => income ?? 0)),
  ];
  const close = (figures: readonly (number | null | undefined)[]) =>
    figures.map((figure) => expect.closeTo(figure ?? 0, 6));

  /** A month is the sum of its days, a year of its months, and records and lists say the same. */
  async function agree(
    caller: Caller,
    id: string,
    today: string,
    years: readonly EnergyRow[],
  ): Promise<void> {
    const months: EnergyRow[] = [];
    for (const year of ['2025', '2026']) {
      const ofYear = await fleet.ask('stationYear', caller, { id, year });
      months.push(...ofYear);
      expect(produced(years.filter(({ day }) => String(day).startsWith(year)))).toEqual(
        close(produced(ofYear)),
      );
    }
    for (const month of ['2025-12', '2026-01']) {
      const days = await fleet.ask('stationMonth', caller, { id, month });
      expect(produced(months.filter(({ day }) => dashed(day).startsWith(month)))).toEqual(
        close(produced(days)),
      );
    }
    const [{ energies, income }] = (await fleet.ask('userStationList', caller)).page.records as [
      PlantRecord,
    ];
    expect([energies.production?.monthKwh ?? 0, income?.month ?? 0]).toEqual(
      close(produced(months.filter(({ day }) => dashed(day).startsWith(today.slice(0, 7))))),
    );
    expect([energies.production?.yearKwh ?? 0, income?.year ?? 0]).toEqual(
      close(produced(years.filter(({ day }) => dashed(day).startsWith(today.slice(0, 4))))),
    );
  }

  test(
    'a plant yields no more than its modules can, days, months, years and records agree, its total is not below its years, its curves do not fall, no peak is negative',
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(history, { minLength: 1, maxLength: 3 }),
          fc.boolean(),
          async (histories, isPlaced) => {
            clock.at = FROM;
            const owner = await fleet.person();
            const caller = userCaller(owner.id);
            const id = await fleet.plant(owner.id, {
              capacityKwp: CAPACITY_KWP,
              pricePerKwh: 0.5,
              ...(isPlaced && BERLIN),
            });
            const sns: string[] = [];
            for (const one of histories) {
              const { sn } = await fleet.device(id, {
                kind: one.kind,
                ratedPowerW: one.ratedPowerW,
              });
              if (one.kind === 'inverter') sns.push(sn);
              const readings = readingsOf(one);
              clock.at = Math.max(clock.at, ...readings.map(([at]) => at));
              await fleet.report(sn, readings);
            }
            const atMost = (day: string): number =>
              CAPACITY_KWP *
                Math.min(
                  24 * 1.3,
                  isPlaced ? 1.5 * SUN_TIMES * clearSkyHours(BERLIN, day) : Infinity,
                ) +
              SLACK_KWH;
            for (const month of ['2025-12', '2026-01']) {
              for (const { day, kwh, peakPowerW } of await fleet.ask('stationMonth', caller, {
                id,
                month,
              })) {
                expect(kwh.production ?? 0).toBeLessThanOrEqual(atMost(dashed(day)));
                expect(peakPowerW ?? 0).toBeGreaterThanOrEqual(0);
              }
            }
            for (const day of DAYS) {
              const curve = await fleet.ask('stationDay', caller, { id, time: day });
              for (const channel of ['production', 'gridImport', 'gridExport', 'load'] as const)
                neverFalls(curve.map(({ energies }) => energies[channel]?.todayKwh));
              expect(curve.at(-1)?.energies.production?.todayKwh ?? 0).toBeLessThanOrEqual(
                atMost(day),
              );
              for (const sn of sns) {
                const ofInverter = await fleet.ask('inverterDay', caller, { sn, time: day });
                neverFalls(ofInverter.map(({ energies }) => energies.production?.todayKwh));
                neverFalls(ofInverter.map(({ energies }) => energies.production?.totalKwh));
              }
            }
            const { energies, income, peakPowerW } = await fleet.ask('stationDetail', caller, {
              id,
            });
            const today = new Date(clock.at).toISOString().slice(0, 10);
            expect(energies.production?.todayKwh ?? 0).toBeLessThanOrEqual(atMost(today));
            expect(peakPowerW ?? 0).toBeGreaterThanOrEqual(0);
            const years = await fleet.ask('stationAll', caller, { id });
            // Which of two kinds counts is decided by days and by months.
            if (new Set(histories.map(({ kind }) => kind)).size === 1)
              await agree(caller, id, today, years);
            for (const channel of ['production', 'gridImport', 'gridExport', 'load'] as const) {
              expect((energies[channel]?.totalKwh ?? 0) + SLACK_KWH).toBeGreaterThanOrEqual(
                sum(years.map(({ kwh }) => kwh[channel] ?? 0)),
              );
            }
            expect((income?.total ?? 0) + SLACK_KWH).toBeGreaterThanOrEqual(
              sum(years.map((year) => year.income ?? 0)),
            );
            for (const sn of sns)
              for (const row of await fleet.ask('inverterMonth', caller, {
                sn,
                month: today.slice(0, 7),
              }))
                expect(row.peakPowerW ?? 0).toBeGreaterThanOrEqual(0);
          },
        ),
        { numRuns: effort(15, 400) },
      );
    },
  );
});

const dashed = (day: number): string => String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function neverFalls(levels: readonly (number | null | undefined)[]): void {
  const known = levels.filter((level) => typeof level === 'number');
  for (let i = 1; i < known.length; i++)
    expect(known[i]!).toBeGreaterThanOrEqual(known[i - 1]! - SLACK_KWH);
}
