import type { QuantityName, Values } from '@helioport/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { followRule } from '../../packages/server/src/outbound/alarms/hysteresis.ts';
import type { AlarmRule } from '../../packages/server/src/outbound/alarms/rule.ts';
import { offline, rules } from '../../packages/server/src/outbound/alarms/rules.ts';
import { communicationGaps } from '../../packages/server/src/outbound/alarms/rules/gaps.ts';
import { gridVoltagesIn } from '../../packages/server/src/outbound/alarms/grid-voltages.ts';
import {
  gridFrequency,
  gridVoltage,
} from '../../packages/server/src/outbound/alarms/rules/grid.ts';
import { noProduction } from '../../packages/server/src/outbound/alarms/rules/no-production.ts';
import {
  batteryTemperature,
  deviceTemperature,
} from '../../packages/server/src/outbound/alarms/rules/temperature.ts';
import { weakString } from '../../packages/server/src/outbound/alarms/rules/weak-string.ts';
import { madeUpDay, MIDNIGHT, MINUTE_MS, sayings, spans, STEP_MS, wall } from './made-up-day.ts';

const set =
  (change: Partial<Record<QuantityName, number>>) =>
  (values: Values): Values => ({ ...values, ...change });
const minutes = (hour: number, minute = 0): number => hour * 60 + minute;
const messageOf = (rule: AlarmRule, observation: ReturnType<typeof madeUpDay>): string => {
  const [turn] = sayings(rule, observation);
  return turn && 'raise' in turn ? turn.raise.message : '';
};

describe('every rule', () => {
  test.each(rules.map((rule) => [rule.id, rule] as const))(
    '%s is silent on a clear day and its nights',
    (_, rule) => {
      expect(sayings(rule, madeUpDay())).toEqual([]);
    },
  );

  test('has a code of its own, a level and an advice', () => {
    const all = [offline, ...rules];
    expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
    for (const { code, level, advice } of all) {
      expect(code).toMatch(/^H\d{3}$/);
      expect([1, 2, 3]).toContain(level);
      expect(advice.length).toBeGreaterThan(20);
    }
  });
});

describe('no production in daylight', () => {
  const dead = (from: number, to: number) =>
    madeUpDay(set({ acPowerW: 0, dcCurrent1A: 0, dcCurrent2A: 0 }), from, to);

  test('fires when there is nothing for an hour, and ends with the first quarter of an hour of production', () => {
    expect(spans(noProduction, dead(wall(10), wall(13)))).toEqual([minutes(10), minutes(13)]);
  });

  test('is silent when it lasts less than an hour', () => {
    expect(spans(noProduction, dead(wall(10), wall(10, 55)))).toEqual([]);
  });

  test('stays open over the night until the inverter produces', () => {
    expect(spans(noProduction, dead(wall(12), wall(24)))).toEqual([minutes(12)]);
  });

  test('does not count an inverter that charges its battery', () => {
    expect(
      sayings(
        noProduction,
        madeUpDay((values) => ({ ...values, acPowerW: 0, dcPowerW: 4000 }), wall(8), wall(16)),
      ),
    ).toEqual([]);
  });

  test('believes measured light more than the sun’s height: dusk at noon is no fault, light on idle modules is', () => {
    const storm = madeUpDay(set({ acPowerW: 0, irradianceWm2: 40 }), wall(9), wall(15));
    expect(spans(noProduction, storm)).toEqual([]);
    const idle = madeUpDay(
      (values) => ({ ...values, acPowerW: 120, irradianceWm2: 700 }),
      wall(9),
      wall(11),
    );
    expect(spans(noProduction, idle)).toEqual([minutes(9), minutes(11)]);
    const station = {
      ...madeUpDay(set({ acPowerW: 0 }), wall(9), wall(15)),
      irradianceAt: () => 30,
    };
    expect(spans(noProduction, station)).toEqual([]);
  });
});

describe('a weak string', () => {
  test('fires around noon when one string gives a quarter of its sisters or less, and says which', () => {
    const observation = madeUpDay((values) => ({
      ...values,
      dcCurrent2A: values.dcCurrent2A! * 0.1,
    }));
    const [begin, ...rest] = spans(weakString, observation);
    expect(rest).toEqual([]);
    expect(begin).toBeGreaterThan(minutes(9));
    expect(begin).toBeLessThan(minutes(13));
    expect(messageOf(weakString, observation)).toBe(
      'string 2 delivers 10 % of what the other strings deliver',
    );
  });

  test('is silent about roofs to east and west, and about an input that nothing is connected to', () => {
    const observation = madeUpDay((values, at) => {
      const eastern = Math.max(0, Math.min(1, (wall(19) - at) / (12 * 60 * MINUTE_MS)));
      return {
        ...values,
        dcCurrent1A: values.dcCurrent1A! * 2 * eastern,
        dcCurrent2A: values.dcCurrent2A! * 2 * (1 - eastern),
      };
    });
    expect(sayings(weakString, observation)).toEqual([]);
  });

  test('fires for a dead input when somebody said that it is in use', () => {
    const observation = { ...madeUpDay(), dcInputs: 3 };
    expect(messageOf(weakString, observation)).toBe(
      'string 3 delivers 0 % of what the other strings deliver',
    );
  });

  test('ends when the string is back', () => {
    const observation = madeUpDay(
      (values) => ({ ...values, dcCurrent2A: 0 }),
      wall(11, 30),
      wall(13),
    );
    expect(spans(weakString, observation)).toEqual([minutes(11, 30), minutes(13)]);
  });
});

describe('the grid', () => {
  test.each([
    [253.5, true],
    [252.5, false],
    [195, true],
    [196, false],
  ])('of %d V in a grid of 230 V is out of limits: %s', (voltage, fires) => {
    expect(
      spans(gridVoltage, madeUpDay(set({ acVoltage1V: voltage }), wall(12), wall(14))),
    ).toEqual(fires ? [minutes(12), minutes(14)] : []);
  });

  test('is judged by the nominal voltages of its part of the world', () => {
    expect(gridVoltagesIn('America/Denver')).toContain(120);
    expect(gridVoltagesIn('Europe/Berlin')).toContain(230);
    const american = {
      ...madeUpDay(set({ acVoltage1V: 118 })),
      gridVoltages: gridVoltagesIn('America/Denver'),
    };
    expect(sayings(gridVoltage, american)).toEqual([]);
    expect(sayings(gridVoltage, madeUpDay(set({ acVoltage1V: 118 })))).toHaveLength(1);
  });

  test.each([
    ['America/Sao_Paulo', [127, 220, 380]],
    ['America/Argentina/Buenos_Aires', [220, 380]],
    ['US/Pacific', [120, 208, 240, 277, 480]],
    ['Pacific/Honolulu', [120, 208, 240, 277, 480]],
    ['Asia/Tokyo', [100, 101, 202, 210, 420]],
    ['Asia/Riyadh', [127, 220, 230, 380, 400]],
    ['Asia/Seoul', [220, 380]],
    ['Africa/Lagos', [230, 240, 415]],
    ['Australia/Sydney', [230, 240, 415]],
    ['UTC', [230, 400]],
  ])('of %s is all right at the voltages that are usual there', (timeZone, voltages) => {
    for (const acVoltage1V of voltages) {
      const observation = {
        ...madeUpDay(set({ acVoltage1V })),
        gridVoltages: gridVoltagesIn(timeZone),
      };
      expect([acVoltage1V, sayings(gridVoltage, observation)]).toEqual([acVoltage1V, []]);
    }
  });

  test('names the phase that is worst', () => {
    expect(
      messageOf(
        gridVoltage,
        madeUpDay(set({ acVoltage2V: 262.4, acVoltage3V: 229 }), wall(9), wall(10)),
      ),
    ).toBe('grid voltage of 262.4 V is out of range');
  });

  test('that is not connected says nothing', () => {
    expect(sayings(gridVoltage, madeUpDay(set({ acVoltage1V: 0, gridFrequencyHz: 0 })))).toEqual(
      [],
    );
  });

  test.each([
    [51.2, true],
    [50.9, false],
    [48.9, true],
    [60.1, false],
    [58.9, true],
  ])('of %d Hz is out of limits: %s', (hertz, fires) => {
    expect(
      spans(gridFrequency, madeUpDay(set({ gridFrequencyHz: hertz }), wall(3), wall(4))),
    ).toEqual(fires ? [minutes(3), minutes(4)] : []);
  });
});

describe('temperature', () => {
  test('of the device fires from 85 °C, and ends below 78', () => {
    const cooling = madeUpDay(
      (values, at) => ({ ...values, temperatureC: at < wall(13) ? 88 : at < wall(15) ? 81 : 60 }),
      wall(12),
      wall(24),
    );
    expect(spans(deviceTemperature, cooling)).toEqual([minutes(12), minutes(15)]);
  });

  test('of the battery fires from 55 °C as an emergency', () => {
    expect(
      spans(batteryTemperature, madeUpDay(set({ batteryTemperatureC: 57 }), wall(12), wall(13))),
    ).toEqual([minutes(12), minutes(13)]);
    expect(batteryTemperature.level).toBe(3);
  });

  test('that no sensor can measure is no temperature', () => {
    expect(sayings(deviceTemperature, madeUpDay(set({ temperatureC: 6553.5 })))).toEqual([]);
  });
});

describe('communication gaps', () => {
  /** Of eight readings those that arrive. */
  const keep = (arriving: readonly number[]) => {
    let count = 0;
    return (values: Values) => (arriving.includes(count++ % 8) ? values : null);
  };

  test('fire when of two hours less than six in ten readings arrive, and end when they arrive again', () => {
    const observation = madeUpDay(keep([0, 1, 4]), wall(8), wall(14));
    const [begin, end, ...rest] = spans(communicationGaps, observation);
    expect(rest).toEqual([]);
    expect(begin).toBeGreaterThan(minutes(8));
    expect(begin).toBeLessThanOrEqual(minutes(10));
    expect(end).toBeGreaterThan(minutes(14));
    expect(end).toBeLessThan(minutes(16));
  });

  test('are none while seven in ten arrive', () => {
    expect(
      sayings(communicationGaps, madeUpDay(keep([0, 1, 2, 4, 5, 7]), wall(8), wall(14))),
    ).toEqual([]);
  });

  test.each([2, 3, 4])(
    'are none where a device reports every %i times five minutes for hours: that is its pace then',
    (times) => {
      const observation = madeUpDay(
        (values, at) => ((at / STEP_MS) % times === 0 ? values : null),
        wall(8),
        wall(14),
      );
      expect(sayings(communicationGaps, observation)).toEqual([]);
      for (const expectedSeconds of [600, 900, 1200])
        expect(sayings(communicationGaps, { ...observation, expectedSeconds })).toEqual([]);
    },
  );

  test('are none where readings come some minutes early or late', () => {
    const observation = madeUpDay();
    const samples = observation.samples.map(({ at, values }, i) => ({
      at: at + (((i * 37) % 120) - 60) * 1000,
      values,
    }));
    expect(sayings(communicationGaps, { ...observation, samples })).toEqual([]);
  });

  test('are none where an inverter sleeps at night', () => {
    expect(
      sayings(
        communicationGaps,
        madeUpDay(() => null, MIDNIGHT, wall(6)),
      ),
    ).toEqual([]);
  });
});

describe('a device that reports once an hour, more or less', () => {
  /** The clear day of which one sample an hour arrives, some minutes off. */
  const hourly = (
    change: (values: Values, at: number) => Values | null,
    from: number,
    to: number,
  ) => {
    const observation = madeUpDay(change, from, to);
    const offMinutes = [0, 5, -5, 10, -10];
    const samples = observation.samples.filter(({ at }) => {
      const hour = Math.round((at - MIDNIGHT) / (60 * MINUTE_MS));
      return at === wall(hour, offMinutes[hour % offMinutes.length]);
    });
    return { ...observation, expectedSeconds: 3600, samples };
  };

  test('is judged like others, its alarms at its pace', () => {
    const observation = hourly(set({ acVoltage1V: 262 }), wall(9, 30), wall(14, 30));
    expect(observation.samples).toHaveLength(25);
    expect(spans(gridVoltage, observation)).toEqual([minutes(10), minutes(15)]);
  });

  test('has no communication gap when one reading is lost', () => {
    expect(
      sayings(
        communicationGaps,
        hourly(
          (values, at) => (at > wall(11, 30) && at < wall(12, 30) ? null : values),
          0,
          wall(24),
        ),
      ),
    ).toEqual([]);
  });
});

describe('hysteresis', () => {
  const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: 288,
    maxLength: 288,
  });

  test('an alarm never begins and ends more often than its times allow, whatever a value does', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(...rules), (noise, rule) => {
        const observation = madeUpDay((sample, at) => {
          const jump = noise[(at - MIDNIGHT) / STEP_MS]!;
          return {
            ...sample,
            acVoltage1V: 252 + 20 * jump,
            gridFrequencyHz: 51 + jump,
            temperatureC: 82 + 20 * jump,
            batteryTemperatureC: 52 + 20 * jump,
            acPowerW: jump * 100,
          };
        });
        let at = Number.NEGATIVE_INFINITY;
        for (const turn of sayings(rule, observation)) {
          const next = 'raise' in turn ? turn.raise.beginAt : turn.clear.endAt;
          expect(next).toBeGreaterThan(at);
          at = next + ('raise' in turn ? rule.raiseAfterSeconds : rule.clearAfterSeconds) * 1000;
        }
      }),
    );
  });

  test('a value that trembles at its limit raises nothing, and one that trembles below the limit ends nothing', () => {
    const trembling = madeUpDay((sample, at) => ({
      ...sample,
      acVoltage1V: (at / STEP_MS) % 2 === 0 ? 253.2 : 252.8,
    }));
    expect(sayings(gridVoltage, trembling)).toEqual([]);
    const ending = madeUpDay(
      (sample, at) => ({
        ...sample,
        acVoltage1V: at < wall(9) ? 255 : (at / STEP_MS) % 2 === 0 ? 250.9 : 250.5,
      }),
      wall(8),
      wall(24),
    );
    expect(spans(gridVoltage, ending)).toEqual([minutes(8)]);
  });

  test('looked at in pieces of any length a day says the same as at once', () => {
    const observation = madeUpDay(
      set({ acVoltage1V: 260, temperatureC: 90 }),
      wall(10),
      wall(12, 20),
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (lengths) => {
        const pieces = [];
        let [seen, open, i] = [0, false, 0];
        while (seen < observation.samples.length) {
          const next = Math.min(observation.samples.length, seen + lengths[i++ % lengths.length]!);
          const samples = observation.samples.slice(Math.max(0, seen - 36), next);
          const turns = followRule(
            gridVoltage,
            { ...observation, samples },
            open,
            seen === 0 ? 0 : observation.samples[seen - 1]!.at,
          );
          for (const turn of turns) open = 'raise' in turn;
          pieces.push(...turns);
          seen = next;
        }
        expect(pieces).toEqual(sayings(gridVoltage, observation));
      }),
    );
  });
});
