import { expect, test } from 'vitest';
import { createFleet, type Measurements } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const BOUND = 1.3 * 24;
const HOURS_20 = 41;

/** Readings every half hour from midnight (UTC) on. */
const halfHours = (
  day: string,
  count: number,
  values: (i: number) => Measurements,
): [number, Measurements][] =>
  Array.from({ length: count }, (_, i) => [
    Date.parse(`${day}T00:00:00Z`) + i * 1_800_000,
    values(i),
  ]);
const powerOf = (day: string, acPowerW: number): [number, Measurements][] =>
  halfHours(day, HOURS_20, () => ({ acPowerW }));

interface Scenario {
  readonly name: string;
  /** What the devices of a plant of 1 kWp, at a price of 2, report. Its modules can yield 31.2 kWh a day. */
  readonly devices: readonly (readonly [number, Measurements][])[];
  /** Inverters where not said otherwise. */
  readonly kinds?: readonly ('inverter' | 'epm')[];
  /** What the plant has produced, kWh. */
  readonly days: Readonly<Record<number, number>>;
  readonly months: Readonly<Record<number, number>>;
  readonly years: Readonly<Record<number, number>>;
  /** Of today (15 June 2026), this month, this year, and ever. */
  readonly present: readonly [day: number, month: number, year: number, total: number];
}

const scenarios: Scenario[] = [
  {
    name: 'devices that tell more today than the plant can yield: 2 x 20 kWh',
    devices: [powerOf('2026-06-15', 1000), powerOf('2026-06-15', 1000)],
    days: { 20260615: BOUND },
    months: { 20260601: BOUND },
    years: { 20260101: BOUND },
    present: [BOUND, BOUND, BOUND, BOUND],
  },
  {
    name: 'devices that reported too much on past days: 15 + 20 of 31.2 kWh, in this month, in this year and in the last one',
    devices: [
      [
        ...powerOf('2025-12-30', 1000),
        ...powerOf('2026-05-10', 1000),
        ...powerOf('2026-06-10', 1000),
        ...powerOf('2026-06-15', 500),
      ],
      [
        ...powerOf('2025-12-30', 750),
        ...powerOf('2026-05-10', 750),
        ...powerOf('2026-06-10', 750),
        ...powerOf('2026-06-15', 500),
      ],
    ],
    days: { 20260610: BOUND, 20260615: 20 },
    months: { 20260501: BOUND, 20260601: BOUND + 20 },
    years: { 20250101: BOUND, 20260101: 2 * BOUND + 20 },
    present: [20, BOUND + 20, 2 * BOUND + 20, 3 * BOUND + 20],
  },
  {
    name: 'a device in another’s place that shares a month but no day with it is not cut: 30 kWh on each of two days',
    devices: [powerOf('2026-06-10', 1500), powerOf('2026-06-15', 1500)],
    days: { 20260610: 30, 20260615: 30 },
    months: { 20260601: 60 },
    years: { 20260101: 60 },
    present: [30, 60, 60, 60],
  },
  {
    name: 'an inverter and a meter that measure the same are not added up: 20 kWh each',
    devices: [powerOf('2026-06-15', 1000), powerOf('2026-06-15', 1000)],
    kinds: ['inverter', 'epm'],
    days: { 20260615: 20 },
    months: { 20260601: 20 },
    years: { 20260101: 20 },
    present: [20, 20, 20, 20],
  },
  {
    name: 'what devices whose clocks are ahead tell of tomorrow is cut, and is not in the figures up to now',
    devices: [
      [
        ...powerOf('2026-06-10', 1000),
        ...powerOf('2026-06-15', 500),
        ...powerOf('2026-06-16', 1000),
      ],
      [
        ...powerOf('2026-06-10', 1000),
        ...powerOf('2026-06-15', 500),
        ...powerOf('2026-06-16', 1000),
      ],
    ],
    days: { 20260610: BOUND, 20260615: 20, 20260616: BOUND },
    months: { 20260601: 2 * BOUND + 20 },
    years: { 20260101: 2 * BOUND + 20 },
    present: [20, BOUND + 20, BOUND + 20, BOUND + 20],
  },
  {
    name: 'a total counter’s first level is not cut with the days after it',
    devices: [
      halfHours('2026-06-15', HOURS_20, (i) => ({ energyTotalKwh: 500 + i / 2 })),
      halfHours('2026-06-15', HOURS_20, (i) => ({ energyTotalKwh: 300 + i / 2 })),
    ],
    days: { 20260615: BOUND },
    months: { 20260601: BOUND },
    years: { 20260101: BOUND },
    present: [BOUND, BOUND, BOUND, 800 + BOUND],
  },
];

describeEngines('what the devices of a plant tell together', (database) => {
  const clock = settableClock(0);
  const fleet = createFleet(database, clock);
  const setUp = async (
    devices: Scenario['devices'],
    kinds: NonNullable<Scenario['kinds']> = [],
  ) => {
    clock.at = Date.parse('2025-12-01T00:00:00Z');
    const owner = await fleet.person();
    const id = await fleet.plant(owner.id, { capacityKwp: 1, pricePerKwh: 2 });
    for (const [i, readings] of devices.entries()) {
      const { sn } = await fleet.device(id, { kind: kinds[i] ?? 'inverter' });
      clock.at = Date.parse('2026-06-15T20:30:00Z');
      await fleet.report(sn, readings);
    }
    return { caller: userCaller(owner.id), id };
  };

  test.each(scenarios)('$name', async ({ devices, kinds, days, months, years, present }) => {
    const { caller, id } = await setUp(devices, kinds);
    const rows = async (chart: 'stationMonth' | 'stationYear' | 'stationAll', body: object) =>
      (await fleet.ask(chart, caller, { id, ...body })).map(({ day, kwh, income, estimated }) => [
        day,
        kwh.production,
        income,
        estimated,
      ]);
    const expected = (figures: Readonly<Record<number, number>>) =>
      Object.entries(figures).map(([day, kwh]) => [
        Number(day),
        expect.closeTo(kwh, 6),
        expect.closeTo(2 * kwh, 6),
        true,
      ]);
    expect(await rows('stationMonth', { month: '2026-06' })).toEqual(expected(days));
    expect(await rows('stationYear', { year: '2026' })).toEqual(expected(months));
    expect(await rows('stationAll', {})).toEqual(expected(years));
    const { page } = await fleet.ask('userStationList', caller);
    for (const { energies, income } of [
      page.records[0]!,
      await fleet.ask('stationDetail', caller, { id }),
    ]) {
      const { todayKwh, monthKwh, yearKwh, totalKwh, estimated } = energies.production!;
      expect(estimated).toBe(true);
      expect([todayKwh, monthKwh, yearKwh, totalKwh]).toEqual(
        present.map((kwh) => expect.closeTo(kwh, 6)),
      );
      expect([income!.today, income!.month, income!.year, income!.total]).toEqual(
        present.map((kwh) => expect.closeTo(2 * kwh, 6)),
      );
    }
    const lists = [
      ['stationDayEnergyList', '2026-06-15', present[0]],
      ['stationMonthEnergyList', '2026-06', months[20260601]!],
      ['stationYearEnergyList', '2026', years[20260101]!],
    ] as const;
    for (const [list, time, kwh] of lists) {
      const { records } = await fleet.ask(list, caller, { time });
      expect([list, records[0]!.kwh.production, records[0]!.income]).toEqual([
        list,
        expect.closeTo(kwh, 6),
        expect.closeTo(2 * kwh, 6),
      ]);
    }
    const curve = await fleet.ask('stationDay', caller, { id, time: '2026-06-15' });
    expect(curve.at(-1)!.energies.production!.todayKwh).toBeCloseTo(present[0], 6);
  });
});
