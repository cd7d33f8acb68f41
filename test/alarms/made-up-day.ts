import type { Values } from '@helioport/contract';
import {
  learn,
  observedPeaks,
  type Learned,
  type Unlearned,
} from '../../packages/server/src/outbound/alarms/observations/learned.ts';
import {
  followRule,
  type AlarmTurn,
} from '../../packages/server/src/outbound/alarms/hysteresis.ts';
import type { AlarmRule, Observation } from '../../packages/server/src/outbound/alarms/rule.ts';
import { sunElevation } from '../../packages/server/src/fleet/devices/daylight.ts';

export const MINUTE_MS = 60_000;
export const STEP_MS = 5 * MINUTE_MS;
const SITE = { latitude: 48.1, longitude: 11.6 };
/** Midnight on the wall in Munich. */
export const MIDNIGHT = Date.parse('2026-06-14T22:00:00Z');
/** An instant of the day by the wall. */
export const wall = (hour: number, minute = 0): number =>
  MIDNIGHT + (hour * 60 + minute) * MINUTE_MS;

const RATED_W = 10_000;

/** A clear day of an inverter with two strings, every five minutes, with a night before and after. */
function clearSample(at: number): { at: number; values: Values } {
  const height = Math.max(
    0,
    Math.sin((sunElevation(SITE.latitude, SITE.longitude, at) * Math.PI) / 180),
  );
  const powerW = Math.round(height * RATED_W * 0.9);
  const values: Values = {
    acPowerW: powerW > 0 ? powerW : -8,
    acVoltage1V: 231 + height * 8,
    gridFrequencyHz: 50.01,
    temperatureC: 20 + height * 40,
    batteryTemperatureC: 24,
    dcVoltage1V: 400,
    dcCurrent1A: powerW / 2 / 400,
    dcVoltage2V: 390,
    dcCurrent2A: powerW / 2 / 390,
    // An input that nothing is connected to.
    dcVoltage3V: 2,
    dcCurrent3A: 0,
  };
  return { at, values };
}

type Change = (values: Values, at: number) => Values | null;

/** The clear day, changed between two times; a change to null leaves the sample out. */
export function madeUpDay(
  change: Change = (values) => values,
  from = MIDNIGHT,
  to = wall(24),
): Observation {
  const samples = [];
  for (let at = MIDNIGHT; at < wall(24); at += STEP_MS) {
    const { values } = clearSample(at);
    const changed = at >= from && at < to ? change(values, at) : values;
    if (changed) samples.push({ at, values: changed });
  }
  return {
    kind: 'inverter',
    ratedPowerW: RATED_W,
    expectedSeconds: 300,
    dcInputs: null,
    site: SITE,
    gridVoltages: [230, 400, 690, 800],
    samples,
    irradianceAt: () => undefined,
    neighboursAt: () => [],
    nominalVoltages: [],
    strings: new Map(),
  };
}

/** The same as the rules see it with what is learned from it, and from before. */
export const learning = (seen: Unlearned, known: Learned | null = null): Observation =>
  observedPeaks(seen, learn(known, 1, seen));

/** What a rule says of a day that nobody has looked at yet. */
export const sayings = (rule: AlarmRule, observation: Observation): AlarmTurn[] =>
  followRule(rule, observation, false, Number.NEGATIVE_INFINITY);

/** The same as times of begin and end, minutes of the day by the wall. */
export const spans = (rule: AlarmRule, observation: Observation): number[] =>
  sayings(rule, observation).map(
    (turn) => (('raise' in turn ? turn.raise.beginAt : turn.clear.endAt) - MIDNIGHT) / MINUTE_MS,
  );
