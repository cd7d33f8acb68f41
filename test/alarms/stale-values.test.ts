import type { Values } from '@helioport/contract';
import { describe, expect, test } from 'vitest';
import { staleValues } from '../../packages/server/src/outbound/alarms/rules/stale-values.ts';
import type { Observation } from '../../packages/server/src/outbound/alarms/rule.ts';
import { madeUpDay, MINUTE_MS, sayings, spans, wall } from './made-up-day.ts';

const minutes = (hour: number, minute = 0): number => hour * 60 + minute;
const say = (observation: Observation) => spans(staleValues, observation);

/** The clear day of which from one time to another each reading repeats the one before. */
function stuckDay(
  from: number,
  to: number,
  keep: (values: Values) => Values = (values) => values,
): Observation {
  let first: Values | undefined;
  const observation = madeUpDay((values) => (first ??= values), from, to);
  return {
    ...observation,
    samples: observation.samples.map(({ at, values }) => ({ at, values: keep(values) })),
  };
}
const onlyPower = ({ acPowerW }: Values): Values => ({ acPowerW: acPowerW! });
const onlyPowerOf = (change: (powerW: number) => number) =>
  madeUpDay(({ acPowerW }) => ({ acPowerW: change(acPowerW!) }));

describe('values that stand still', () => {
  test('are an alarm when an inverter repeats all that it measures for two hours, until it measures anew', () => {
    const observation = stuckDay(wall(10), wall(14));
    expect(say(observation)).toEqual([minutes(10, 5), minutes(14)]);
    const [turn] = sayings(staleValues, observation);
    expect(turn).toMatchObject({
      raise: { message: 'the device keeps reporting identical values' },
    });
  });

  test('are none for less than two hours', () => {
    expect(say(stuckDay(wall(10), wall(12)))).toEqual([]);
  });

  test('that stay over sunset are an alarm until the morning', () => {
    expect(say(stuckDay(wall(16), wall(24)))).toEqual([minutes(16, 5)]);
  });

  test('are none when one of them moves, were it a counter', () => {
    let kwh = 100;
    const counting = stuckDay(wall(10), wall(14), (values) => ({
      ...values,
      energyTotalKwh: (kwh += 0.1),
    }));
    expect(say(counting)).toEqual([]);
  });

  test('are an alarm although the radio signal changes, and although some values come with every second reading only', () => {
    let count = 0;
    const observation = stuckDay(wall(10), wall(14), (values) => {
      count += 1;
      return {
        ...values,
        signalDbm: -60 - (count % 7),
        ...(count % 2 === 0 && { energyTotalKwh: 512 }),
      };
    });
    expect(say(observation)).toEqual([minutes(10, 5), minutes(14)]);
  });

  test('that come back for one reading do not end it', () => {
    const observation = stuckDay(wall(10), wall(16));
    const samples = observation.samples.map((sample) =>
      sample.at === wall(13) ? { ...sample, values: { ...sample.values, acPowerW: 1 } } : sample,
    );
    expect(say({ ...observation, samples })).toEqual([minutes(10, 5), minutes(16)]);
  });

  test('are none of an inverter at rest: zeros and the same small consumption all night', () => {
    expect(say(madeUpDay(() => ({ acPowerW: 0, acVoltage1V: 230, gridFrequencyHz: 50 })))).toEqual(
      [],
    );
    expect(say(madeUpDay(() => ({ acPowerW: -8, temperatureC: 12 })))).toEqual([]);
  });

  test('of a power alone are none at a limit by day, and an alarm below it', () => {
    expect(say(onlyPowerOf((powerW) => Math.min(powerW, 6543)))).toEqual([]);
    expect(
      say({ ...onlyPowerOf((powerW) => Math.min(powerW, 3456.7)), ratedPowerW: null }),
    ).toEqual([]);
    expect(say(stuckDay(wall(8), wall(12), onlyPower))).toEqual([minutes(8, 5), minutes(12)]);
  });

  test('of a power alone are an alarm at night, whatever it is', () => {
    // So far in the east of its clock that the sun has set by half past six.
    const observation = {
      ...stuckDay(wall(10), wall(24), onlyPower),
      site: { latitude: 48.1, longitude: 71.6 },
      ratedPowerW: null,
    };
    const [begin, ...rest] = say(observation);
    expect(rest).toEqual([]);
    expect(begin).toBeGreaterThan(minutes(17, 30));
    expect(begin).toBeLessThan(minutes(19));
  });

  test('at a limit with voltages that tremble are none, with voltages that stand still an alarm', () => {
    const limited = madeUpDay((values) => ({
      ...values,
      acPowerW: Math.min(values.acPowerW!, 5000),
    }));
    expect(say(limited)).toEqual([]);
    let first: Values | undefined;
    const stuck = madeUpDay(
      (values) => (first ??= { ...values, acPowerW: 5000 }),
      wall(11),
      wall(15),
    );
    expect(say(stuck)).toEqual([minutes(11, 5), minutes(15)]);
  });

  test.each([10, 50, 100, 500])('in steps of %i W are none on a clear day', (step) => {
    expect(say(onlyPowerOf((powerW) => Math.round(powerW / 4 / step) * step))).toEqual([]);
    expect(say(onlyPowerOf((powerW) => Math.round(powerW / step) * step))).toEqual([]);
  });

  test('are an alarm of a meter and of a weather station, unless there is nothing to measure', () => {
    const of = (kind: Observation['kind'], values: Values): Observation => ({
      ...madeUpDay(() => values, wall(10), wall(13)),
      kind,
    });
    const meter = { gridPowerW: -731, acVoltage1V: 231.4 };
    for (const kind of ['epm', 'ammeter'] as const) {
      expect(say(of(kind, meter))).toEqual([minutes(10, 5), minutes(13)]);
      expect(say(of(kind, { ...meter, gridPowerW: 0 }))).toEqual([]);
      expect(say(of(kind, { gridPowerW: -731 }))).toEqual([]);
    }
    expect(say(of('weather', { irradianceWm2: 512.5, ambientTemperatureC: 21 }))).toHaveLength(2);
    expect(say(of('weather', { irradianceWm2: 0, ambientTemperatureC: 21 }))).toEqual([]);
  });

  test('every quarter of an hour are found too, and after a pause the time begins anew', () => {
    const quarterly = stuckDay(wall(10), wall(14));
    const samples = quarterly.samples.filter(({ at }) => at % (15 * MINUTE_MS) === 0);
    expect(say({ ...quarterly, expectedSeconds: 900, samples })).toEqual([
      minutes(10, 15),
      minutes(14),
    ]);
    const paused = stuckDay(wall(10), wall(14));
    expect(
      say({
        ...paused,
        samples: paused.samples.filter(({ at }) => at < wall(11) || at >= wall(12, 30)),
      }),
    ).toEqual([]);
  });
});
