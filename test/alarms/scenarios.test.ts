import type { Values } from '@helioport/contract';
import { describe, expect, test } from 'vitest';
import { gridVoltagesIn } from '../../packages/server/src/outbound/alarms/grid-voltages.ts';
import {
  learn,
  type Learned,
} from '../../packages/server/src/outbound/alarms/observations/learned.ts';
import type { Observation } from '../../packages/server/src/outbound/alarms/rule.ts';
import { gridVoltage } from '../../packages/server/src/outbound/alarms/rules/grid.ts';
import { noProduction } from '../../packages/server/src/outbound/alarms/rules/no-production.ts';
import { staleValues } from '../../packages/server/src/outbound/alarms/rules/stale-values.ts';
import { weakString } from '../../packages/server/src/outbound/alarms/rules/weak-string.ts';
import {
  learning,
  madeUpDay,
  MIDNIGHT,
  MINUTE_MS,
  sayings,
  spans,
  STEP_MS,
  wall,
} from './made-up-day.ts';

const DAY_MS = 86_400_000;

/** `12:00` or nothing, and the end likewise: what a rule says of a day. */
const said = (rule: Parameters<typeof spans>[0], observation: Observation): string =>
  spans(rule, observation)
    .map((minute) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`)
    .join(' to ');

describe('H104: a day of an inverter with so many volts, and others from 12:00 to 14:00', () => {
  test.each([
    // Zone, usual V of each phase, V from 12:00 to 14:00, alarm.
    ['America/Los_Angeles', [240], [270], '12:00 to 14:00'], // + 12.5 %
    ['America/Los_Angeles', [240], [195], '12:00 to 14:00'], // - 18.8 %
    ['America/Los_Angeles', [240], [262], ''], // + 9.2 %
    ['America/Los_Angeles', [240], [207], ''], // - 13.8 %
    ['America/Los_Angeles', [277], [277], ''],
    ['America/Los_Angeles', [120, 120, 208], [120, 120, 208], ''], // A delta with a high leg.
    ['America/Los_Angeles', [120, 120, 208], [120, 120, 232], '12:00 to 14:00'], // + 11.5 %
    ['America/Santiago', [220], [250], '12:00 to 14:00'], // + 13.6 %
    ['America/Mexico_City', [127], [142], '12:00 to 14:00'], // + 11.8 %
    ['Europe/Berlin', [230], [253.5], '12:00 to 14:00'], // + 10.2 %
    ['Europe/Berlin', [230], [252], ''], // + 9.6 %
  ])('%s: %j V, then %j V: %s', (timeZone, usual, fault, alarm) => {
    const phases = (volts: readonly number[]): Values => ({
      acVoltage1V: volts[0]!,
      ...(volts[1] && { acVoltage2V: volts[1], acVoltage3V: volts[2]! }),
    });
    const day = madeUpDay((values, at) => ({
      ...values,
      ...phases(at >= wall(12) && at < wall(14) ? fault : usual),
    }));
    expect(said(gridVoltage, learning({ ...day, gridVoltages: gridVoltagesIn(timeZone) }))).toBe(
      alarm,
    );
  });

  test('what is not near any nominal voltage of the country, or lasts less than an hour, is not learned', () => {
    const american = (
      change: (values: Values, at: number) => Values,
      from?: number,
      to?: number,
    ) => {
      const { samples, ...day } = {
        ...madeUpDay(change),
        gridVoltages: gridVoltagesIn('America/Denver'),
      };
      return learn(null, 1, {
        ...day,
        samples: samples.filter(({ at }) => at >= (from ?? 0) && at < (to ?? Infinity)),
      }).nominals[0];
    };
    expect(american((values) => ({ ...values, acVoltage1V: 180 }))).toBeNull();
    expect(american((values) => ({ ...values, acVoltage1V: 244 }))).toEqual({ voltageV: 240 });
    expect(
      american((values) => ({ ...values, acVoltage1V: 244 }), wall(1), wall(1, 55)),
    ).toBeNull();
    // Only quiet hours count: at noon the inverter itself raises the voltage.
    expect(american((values) => ({ ...values, acVoltage1V: 244 }), wall(11), wall(15))).toBeNull();
  });

  test('another nominal voltage is believed after a week without the first', () => {
    const week = (days: number, voltageOf: (day: number) => number): Learned => {
      let learned = learn(null, 1, {
        ...madeUpDay((values) => ({ ...values, acVoltage1V: 208 })),
        gridVoltages: gridVoltagesIn('America/Denver'),
      });
      for (let day = 1; day <= days; day++) {
        const seen = {
          ...madeUpDay((values) => ({ ...values, acVoltage1V: voltageOf(day) })),
          gridVoltages: gridVoltagesIn('America/Denver'),
        };
        learned = learn(learned, 1, {
          ...seen,
          samples: seen.samples.map(({ at, values }) => ({ at: at + day * DAY_MS, values })),
        });
      }
      return learned;
    };
    expect(week(6, () => 240).nominals[0]).toMatchObject({ voltageV: 208 });
    expect(week(8, () => 240).nominals[0]).toEqual({ voltageV: 240 });
    expect(week(8, (day) => (day === 4 ? 208 : 240)).nominals[0]).toMatchObject({ voltageV: 208 });
  });

  test('what was learned in another plant does not count', () => {
    const { samples } = madeUpDay(() => ({ acVoltage1V: 208 }), MIDNIGHT, wall(24));
    const seen = { ...madeUpDay(), samples, gridVoltages: gridVoltagesIn('America/Denver') };
    const elsewhere = learn(null, 1, seen);
    expect(learn(elsewhere, 2, { ...seen, samples: [] })).toEqual({
      bindingNo: 2,
      nominals: [null, null, null],
      strings: {},
    });
    expect(learn(elsewhere, 1, { ...seen, samples: [] }).nominals[0]).toEqual({ voltageV: 208 });
  });
});

describe('H103: of two strings with 400 V, and an input 3 that nothing is connected to,', () => {
  const dead = { dcVoltage2V: 1, dcCurrent2A: 0 };

  test('the second is dead from 13:00 on', () => {
    expect(
      said(weakString, learning(madeUpDay((values) => ({ ...values, ...dead }), wall(13)))),
    ).toBe('13:00');
  });

  test.each([
    // Days since the second string delivered last, whether the day without it raises an alarm.
    [null, false],
    [1, true],
    [29, true],
    [31, false],
  ])('the second is dead all day, %s days after it delivered last: %s', (days, fires) => {
    const known: Learned = {
      bindingNo: 1,
      nominals: [],
      strings: days === null ? {} : { 2: wall(24) - STEP_MS - days * DAY_MS },
    };
    expect(
      sayings(
        weakString,
        learning(
          madeUpDay((values) => ({ ...values, ...dead })),
          known,
        ),
      ),
    ).toHaveLength(fires ? 1 : 0);
  });

  test('the second is new at 13:00, and nothing was missing before', () => {
    expect(
      said(
        weakString,
        learning(madeUpDay((values) => ({ ...values, ...dead }), MIDNIGHT, wall(13))),
      ),
    ).toBe('');
  });
});

describe('H109: an inverter of 10 kW that reports nothing but its power gives 3,021.7 W from 10:00 to 15:00', () => {
  const plateau = (more: Values = {}, from = wall(10), to = wall(15)): Observation => {
    const day = madeUpDay(({ acPowerW }, at) => ({
      acPowerW: at >= from && at < to ? 3021.7 : acPowerW! + (at % 7),
      ...more,
    }));
    return { ...day, nominalVoltages: [] };
  };
  test.each([
    ['and reports no limit', {}, [], '10:05 to 15:00'],
    ['and a limit of 30 %', { powerLimitPercent: 30 }, [], ''],
    ['and a limit of 60 %', { powerLimitPercent: 60 }, [], '10:05 to 15:00'],
    ['and no limit, 100 %', { powerLimitPercent: 100 }, [], '10:05 to 15:00'],
    ['while its neighbour gives 30.2 % too', {}, [0.302], ''],
    ['while its neighbour gives 35 %', {}, [0.35], '10:05 to 15:00'],
  ] as const)('%s', (_, more, neighbours, alarm) => {
    expect(said(staleValues, { ...plateau(more), neighboursAt: () => neighbours })).toBe(alarm);
  });

  test('at night no limit explains it', () => {
    const night = plateau({ powerLimitPercent: 30 }, MIDNIGHT, wall(3));
    expect(said(staleValues, { ...night, neighboursAt: () => [0.302] })).not.toBe('');
  });

  test('a limit that goes on being reported is nothing that repeats', () => {
    // Each reading shares nothing but the limit with the one before.
    const alternating = madeUpDay(
      (_, at) => ({
        powerLimitPercent: 60,
        ...((at / STEP_MS) % 2 === 0 ? { acPowerW: 3021.7 } : { dcPowerW: 3100.3 }),
      }),
      wall(10),
      wall(15),
    );
    expect(said(staleValues, alternating)).toBe('');
  });
});

describe('H102: an inverter of 10 kW gives 7 W from 9:00 to 15:00', () => {
  const idle = (day: string, latitude: number): Observation => {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    const samples = Array.from({ length: 72 }, (_, i) => ({
      at: midnight + 9 * 60 * MINUTE_MS + i * STEP_MS,
      values: { acPowerW: 7 } as Values,
    }));
    return { ...madeUpDay(), site: { latitude, longitude: 0 }, samples };
  };
  test.each([
    // Day, latitude, what its neighbours give (share of rated power), alarm. Height of the sun at noon beside it.
    ['2026-12-21', 60, [], false], // 6.6°
    ['2026-12-21', 55, [], false], // 11.6°
    ['2026-12-21', 48, [], true], // 18.6°
    ['2026-12-21', 60, [0.05, 0.03, 0.001], true],
    ['2026-12-21', 60, [0.01, 0.05, 0], false],
    ['2026-06-21', 60, [], true], // 53.4°
    ['2026-06-21', 60, [0, 0], true],
  ] as const)(
    'on %s at %d degrees north, neighbours at %j: %s',
    (day, latitude, neighbours, fires) => {
      expect(
        sayings(noProduction, { ...idle(day, latitude), neighboursAt: () => neighbours }),
      ).toHaveLength(fires ? 1 : 0);
    },
  );

  test.each([
    [0, false],
    [50, true],
  ])('in June with a limit of %d %% that it reports: %s', (powerLimitPercent, fires) => {
    const day = idle('2026-06-21', 48);
    const samples = day.samples.map(({ at, values }) => ({
      at,
      values: { ...values, powerLimitPercent },
    }));
    expect(sayings(noProduction, { ...day, samples })).toHaveLength(fires ? 1 : 0);
  });
});
