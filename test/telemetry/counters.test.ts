import { describe, expect, test } from 'vitest';
import { MWH_PER_KWH } from '../../packages/server/src/measurements/energy/counter.ts';
import { dayEnergyOf } from '../../packages/server/src/measurements/energy/day-energy.ts';
import type { DayState } from '../../packages/server/src/measurements/energy/day-state.ts';
import {
  NO_TOTALS,
  totalsAfterDay,
} from '../../packages/server/src/measurements/energy/month-state.ts';
import { foldedDevice, foldReadings } from './folding.ts';

type Point = readonly [time: string, values: Record<string, number>];

/** Folds readings of June 2026, days and times as `15 06:00`, as the device's first binding. */
const fold = (points: readonly Point[], ratedPowerW: number | null = 10_000): DayState[] =>
  foldReadings(
    points.map(([time, values]) => [Date.parse(`2026-06-${time.replace(' ', 'T')}:00Z`), values]),
    foldedDevice({ ratedPowerW, capacityKwp: null }),
  ).map(({ state }) => state);

/** kWh of production by day, `~` where estimated. */
const produced = (states: readonly DayState[]): (number | string)[] =>
  states.map((state) => {
    const energy = dayEnergyOf(state, 0)!;
    const kwh = energy.mwh / MWH_PER_KWH;
    return energy.estimated ? `~${kwh}` : kwh;
  });

const total = (...levels: (readonly [string, number])[]): Point[] =>
  levels.map(([time, level]) => [time, { energyTotalKwh: level }]);
const today = (...levels: (readonly [string, number])[]): Point[] =>
  levels.map(([time, level]) => [time, { energyTodayKwh: level }]);
const totalKwh = (states: readonly DayState[]): number => {
  const { energy, before } = states.reduce(
    (totals, state) => totalsAfterDay(totals, state, 0),
    NO_TOTALS,
  );
  return (energy + before) / MWH_PER_KWH;
};

describe('a total counter', () => {
  test('yields its growth', () => {
    const states = fold(total(['15 06:00', 812.25], ['15 06:05', 812.5], ['15 06:10', 813]));
    expect([produced(states), totalKwh(states)]).toEqual([[0.75], 813]);
  });

  test('is split at midnight in proportion when the readings are at most an hour apart', () => {
    expect(produced(fold(total(['15 23:00', 100], ['15 23:45', 101], ['16 00:15', 102])))).toEqual([
      1.5, 0.5,
    ]);
    // In the dark and longer apart: evenly, as an estimate.
    expect(
      produced(
        fold(
          total(
            ['15 23:00', 100],
            ['15 23:30', 101],
            ['16 00:30', 103],
            ['16 02:30', 103],
            ['17 02:30', 103],
          ),
        ),
      ),
    ).toEqual([2, 1, 0]);
    expect(produced(fold(total(['15 22:00', 100], ['15 22:30', 101], ['16 01:30', 104])))).toEqual([
      '~2.5',
      '~1.5',
    ]);
  });

  test('that was not read for days gives its growth to all of them, by the hours of the day', () => {
    expect(
      produced(fold(total(['15 18:00', 100], ['15 18:05', 100.25], ['19 06:00', 150.25]))),
    ).toEqual([0.25, '~16.666667', '~16.666666', '~16.666667', 0]);
  });

  test('that stands still yields nothing, whatever it is', () => {
    expect(
      produced(fold(total(['15 06:00', 812.25], ['15 06:05', 812.25], ['15 12:00', 812.25]))),
    ).toEqual([0]);
  });

  test('that was reset goes on from nothing', () => {
    const states = fold(
      total(
        ['15 06:00', 812],
        ['15 06:05', 813],
        ['15 06:10', 0.25],
        ['15 06:15', 0.5],
        ['15 06:20', 1],
      ),
    );
    expect([produced(states), totalKwh(states)]).toEqual([[2], 814]);
  });

  test.each([
    ['9,999.9 kWh', 9_999, 1],
    ['2^16 tenths', 6_553.1, 0.9],
    ['2^32 hundredths', 42_949_672.5, 0.75],
  ])('that rolls over after %s goes on', (_, last, first) => {
    const [state] = fold(
      total(
        ['15 06:00', last - 1],
        ['15 06:10', last],
        ['15 06:20', first],
        ['15 06:30', first + 0.5],
      ),
    );
    const modulus = [6_553.6, 10_000, 42_949_672.96].find((range) => range > last)!;
    expect(dayEnergyOf(state!, 0)!.mwh / MWH_PER_KWH).toBeCloseTo(
      1 + (modulus - last) + first + 0.5,
      5,
    );
  });

  test('a spike in one reading changes nothing', () => {
    expect(
      produced(
        fold(
          total(['15 06:00', 812], ['15 06:05', 99_999], ['15 06:10', 812.5], ['15 06:15', 813]),
        ),
      ),
    ).toEqual([1]);
    expect(
      produced(
        fold(total(['15 06:00', 812], ['15 06:05', 0], ['15 06:10', 812.5], ['15 06:15', 813])),
      ),
    ).toEqual([1]);
    expect(
      produced(
        fold(total(['15 06:00', 812], ['15 06:05', 400], ['15 06:10', 812.5], ['15 06:15', 813])),
      ),
    ).toEqual([1]);
  });

  test('a spike around midnight changes neither day', () => {
    expect(
      produced(
        fold(
          total(
            ['15 22:00', 99],
            ['15 23:50', 100],
            ['15 23:55', 77_777],
            ['16 00:10', 100.5],
            ['16 00:20', 101],
          ),
        ),
      ),
    ).toEqual([1.25, 0.75]);
  });

  test('of another device, higher or lower, counts only what it grows itself', () => {
    expect(
      produced(
        fold(
          total(
            ['15 06:00', 812],
            ['15 06:05', 813],
            ['15 06:10', 5000],
            ['15 06:15', 5000.5],
            ['15 06:20', 5001],
          ),
        ),
      ),
    ).toEqual([2]);
    expect(
      produced(
        fold(
          total(
            ['15 06:00', 8120],
            ['15 06:05', 8121],
            ['15 06:10', 500],
            ['15 06:15', 500.5],
            ['15 06:20', 501],
          ),
        ),
      ),
    ).toEqual([2]);
  });

  test('whose very first reading was garbage takes the next for its beginning', () => {
    const states = fold(
      total(['15 06:00', 99_999], ['15 06:05', 812], ['15 06:10', 812.5], ['15 06:15', 813]),
    );
    expect([produced(states), totalKwh(states)]).toEqual([[1], 813]);
  });

  test('of a plant of unknown size may grow fast, but not beyond all plants', () => {
    expect(
      produced(fold(total(['15 06:00', 1000], ['15 06:15', 1400], ['15 06:30', 1800]), null)),
    ).toEqual([800]);
    expect(
      produced(
        fold(
          total(['15 06:00', 1000], ['15 06:15', 1400], ['15 06:30', 9800], ['15 06:45', 1800]),
          null,
        ),
      ),
    ).toEqual([800]);
  });

  test.each([-5, 1e10, 1e300])('ignores the level %d', (level) => {
    expect(
      produced(fold(total(['15 06:00', 812], ['15 06:05', level], ['15 06:10', 812.5]))),
    ).toEqual([0.5]);
  });
});

describe('a counter of the day', () => {
  test('yields what it shows when it is reset at midnight', () => {
    expect(
      produced(
        fold(
          today(
            ['15 06:00', 0],
            ['15 12:00', 8],
            ['15 20:00', 20.5],
            ['16 06:00', 0],
            ['16 06:05', 0.25],
            ['16 12:00', 9],
          ),
        ),
      ),
    ).toEqual([20.5, 9]);
  });

  test('that is reset at the wrong midnight yields what it grew on the local day', () => {
    const points = today(
      ['15 06:00', 3],
      ['15 12:00', 8],
      ['15 16:55', 10],
      ['15 17:05', 0],
      ['15 17:10', 0.25],
      ['15 19:00', 2],
      ['16 05:00', 2],
      ['16 08:00', 5],
      ['16 16:55', 12],
      ['16 17:05', 0],
      ['16 17:10', 0.5],
    );
    expect(produced(fold(points))).toEqual([12, 10.5]);
  });

  test('that shows yesterday until the device wakes up does not count it again', () => {
    expect(
      produced(
        fold(
          today(
            ['15 12:00', 8],
            ['15 20:00', 20.5],
            ['16 06:00', 20.5],
            ['16 06:05', 0],
            ['16 06:10', 0.25],
          ),
        ),
      ),
    ).toEqual([20.5, 0.25]);
  });

  test('counts as it stands when nothing was read before', () => {
    expect(produced(fold(today(['15 10:00', 5.5])))).toEqual([5.5]);
  });

  test('read again after days counts what it shows', () => {
    expect(produced(fold(today(['15 10:00', 5.5], ['18 10:00', 7.25])))).toEqual([5.5, 7.25]);
  });
});

describe('the energy of a day', () => {
  test('comes from the total counter, else the counter of the day, else power', () => {
    const all = { acPowerW: 6000, energyTodayKwh: 3, energyTotalKwh: 100 };
    const later = { acPowerW: 6000, energyTodayKwh: 3.9, energyTotalKwh: 101 };
    expect(
      produced(
        fold([
          ['15 00:05', all],
          ['15 00:15', later],
        ]),
      ),
    ).toEqual([1]);
    expect(
      produced(
        fold([
          ['15 00:00', { acPowerW: 6000, energyTodayKwh: 0 }],
          ['15 00:10', { acPowerW: 6000, energyTodayKwh: 0.9 }],
        ]),
      ),
    ).toEqual([0.9]);
    expect(
      produced(
        fold([
          ['15 00:00', { acPowerW: 6000 }],
          ['15 00:10', { acPowerW: 6000 }],
        ]),
      ),
    ).toEqual(['~1']);
  });

  test('on the first day of a device comes from its counter of the day, which knows the morning, and the total stays the device’s', () => {
    const states = fold([
      ['15 12:00', { energyTodayKwh: 5, energyTotalKwh: 812 }],
      ['15 12:30', { energyTodayKwh: 7, energyTotalKwh: 814 }],
      ['16 06:00', { energyTodayKwh: 0, energyTotalKwh: 820 }],
      ['16 06:30', { energyTodayKwh: 1, energyTotalKwh: 821 }],
    ]);
    // The second day's own counter says that what the total counter grew at night was still the first day's.
    expect([produced(states), totalKwh(states)]).toEqual([[13, 1], 821]);
  });

  test('comes from elsewhere when the total counter is stuck', () => {
    const stuck = (minutes: number, energyTodayKwh: number): Point => [
      `15 ${String(6 + Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
      { energyTotalKwh: 0, energyTodayKwh },
    ];
    expect(
      produced(
        fold([['15 00:00', { energyTotalKwh: 0 }], stuck(0, 1), stuck(30, 3), stuck(60, 5)]),
      ),
    ).toEqual([5]);
    expect(
      produced(
        fold([
          ['15 00:00', { energyTotalKwh: 0, acPowerW: 0 }],
          ['15 06:00', { energyTotalKwh: 0, acPowerW: 6000 }],
          ['15 07:00', { energyTotalKwh: 0, acPowerW: 6000 }],
        ]),
      ),
    ).toEqual(['~6']);
  });

  test('from power leaves out gaps above an hour and counts negative power as nothing', () => {
    const power = (...points: (readonly [string, number])[]): Point[] =>
      points.map(([time, acPowerW]) => [time, { acPowerW }]);
    expect(
      produced(
        fold(power(['15 06:00', 1000], ['15 07:00', 1000], ['15 08:01', 1000], ['15 08:31', 1000])),
      ),
    ).toEqual(['~1.5']);
    expect(
      produced(
        fold(power(['15 01:00', -30], ['15 01:30', -30], ['15 02:00', 0], ['15 02:30', 100])),
      ),
    ).toEqual(['~0.025']);
    expect(produced(fold(power(['15 23:30', 1000], ['16 00:30', 2000])))).toEqual([
      '~0.625',
      '~0.875',
    ]);
  });

  test('a stale stretch is counted as it was recorded', () => {
    const stale = Array.from({ length: 13 }, (_, i): Point => [
      `15 12:${String(i * 4).padStart(2, '0')}`,
      { acPowerW: 1234 },
    ]);
    expect(produced(fold(stale))).toEqual(['~0.9872']);
  });

  test('of power in both directions goes to the channel of its sign', () => {
    const [state] = fold([
      ['15 00:00', { gridPowerW: -2000, batteryPowerW: 1000 }],
      ['15 00:30', { gridPowerW: -2000, batteryPowerW: 1000 }],
      ['15 01:00', { gridPowerW: 2000, batteryPowerW: -1000 }],
      ['15 01:30', { gridPowerW: 2000, batteryPowerW: -1000 }],
    ]);
    const kwh = [1, 2, 3, 4].map((channel) => dayEnergyOf(state!, channel)!.mwh / MWH_PER_KWH);
    expect(kwh).toEqual([1.5, 1.5, 0.75, 0.75]);
  });
});
