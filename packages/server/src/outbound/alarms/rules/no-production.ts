import { isDaylight, sunElevation, type DaylightSite } from '../../../fleet/devices/daylight.ts';
import { medianOf } from '../../../measurements/expected/median.ts';
import type { AlarmRule, Observation } from '../rule.ts';
import { powerOf, producingFromW } from './production.ts';

/** From BRIGHT_WM2 of measured light on, an inverter must produce something. The shares refer to what its rated power would yield in that light. */
const BRIGHT_WM2 = 200;
const FULL_LIGHT_WM2 = 1000;
const BAD_YIELD = 0.05;
const GOOD_YIELD = 0.1;

/** If the light is not measured: when the sun is this high, even a dull day yields something. */
const HIGH_SUN_DEGREES = 20;
/** Below this elevation, clouds, trees or hills may block all the light in any season. */
const LOW_SUN_DEGREES = 12;
const IDLE_AT_LEAST_W = 5;
const IDLE_SHARE = 0.001;
/** Neighbours that deliver this share of their rated power show that there is light. */
const NEIGHBOURS_SHARE = 0.02;

/**
 * An inverter that delivers less than `bad` does not produce, and one that delivers at least `good` does, W; null if no production is to be expected.
 */
function expectationAt(
  { samples, site, ratedPowerW, irradianceAt, neighboursAt }: Observation,
  index: number,
): { bad: number; good: number } | null {
  const { at, values } = samples[index]!;
  const light = values.irradianceWm2 ?? values.globalIrradianceWm2 ?? irradianceAt(at);
  const ratedW = ratedPowerW ?? 0;
  const idle = {
    bad: Math.max(IDLE_AT_LEAST_W, IDLE_SHARE * ratedW),
    good: producingFromW(ratedPowerW),
  };
  // An inverter that has been set to produce nothing is not at fault.
  if (
    ((values.powerLimitPercent ?? 100) / 100) * ratedW < idle.good &&
    values.powerLimitPercent !== undefined
  )
    return null;
  if (light === undefined) {
    const neighbours = neighboursAt(at);
    if (neighbours.length > 0 && medianOf(neighbours) >= NEIGHBOURS_SHARE) return idle;
    return site !== null && isHighSun(site, at) ? idle : null;
  }
  if (light < BRIGHT_WM2) return null;
  const yieldW = (ratedW * light) / FULL_LIGHT_WM2;
  return {
    bad: Math.max(idle.bad, BAD_YIELD * yieldW),
    good: Math.max(idle.good, GOOD_YIELD * yieldW),
  };
}

const isHighSun = (site: DaylightSite, at: number): boolean =>
  isDaylight(site, at, HIGH_SUN_DEGREES) &&
  (site.latitude === null || sunElevation(site.latitude, site.longitude, at) >= LOW_SUN_DEGREES);

export const noProduction: AlarmRule = {
  id: 'noProduction',
  code: 'H102',
  level: 2,
  advice:
    'Check whether the inverter’s display is on, its DC switch is on, and snow lies on the modules. If that is not the cause, call your installer. For your installer: check the fuses and the DC side.',
  kinds: ['inverter'],
  raiseAfterSeconds: 3600,
  clearAfterSeconds: 900,
  judge(observation, index) {
    const powerW = powerOf(observation.samples[index]!.values);
    const expectation = expectationAt(observation, index);
    if (powerW === undefined || expectation === null) return 'unclear';
    if (powerW < expectation.bad) return 'bad';
    return powerW >= expectation.good ? 'good' : 'unclear';
  },
  message: () => 'no production in daylight',
};
