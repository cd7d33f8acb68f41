import { quantities, type QuantityName, type Unit, type Values } from '@helioport/contract';
import { sunElevation } from '../../../fleet/devices/daylight.ts';
import { producingFromW, powerOf } from './production.ts';
import type { AlarmRule, Observation } from '../rule.ts';

/** Below this, a meter or a light sensor may show the same value for hours. */
const METERED_AT_LEAST_W = 20;
const LIGHT_AT_LEAST_WM2 = 50;

/** Quantities that the device does not measure itself: the collector measures them, or they are set from outside. */
const NOT_MEASURED: ReadonlySet<string> = new Set<QuantityName>(['signalDbm', 'powerLimitPercent']);

/** Units of quantities that never stay constant for hours while power flows. */
const TREMBLING: ReadonlySet<Unit> = new Set<Unit>(['V', 'A', 'Hz']);

/**
 * If the power is this close to its limit, the limit counts as the cause. If it is this close to that of a neighbour, both count as held by the same
 * limit. Shares of the rated power.
 */
const AT_LIMIT = 0.02;
const SAME_LIMIT = 0.005;

/** If an inverter reports only its power, a limit may be the cause of constant power from this share of the rated power on. */
const LIMITED_FROM = 0.5;
/** A power reported in steps this coarse, as a share of its value, may be constant under a steady sun. */
const COARSE_SHARE = 0.005;
const STEPS_W = [1, 10, 100, 1000];
/** When the sun is below this elevation, nothing produces. */
const NIGHT_DEGREES = -6;

/** Whether a sample repeats the one before it, in all values that both have; undefined if they have none in common. */
function repeats(values: Values, before: Values): boolean | undefined {
  let common = false;
  for (const name in values) {
    const known = before[name as QuantityName];
    if (known === undefined || NOT_MEASURED.has(name)) continue;
    if (known !== values[name as QuantityName]) return false;
    common = true;
  }
  return common ? true : undefined;
}

const trembles = (values: Values): boolean =>
  Object.keys(values).some((name) => TREMBLING.has(quantities.get(name)!.unit));

const isCoarse = (powerW: number): boolean =>
  STEPS_W.some((stepW) => stepW >= COARSE_SHARE * powerW && powerW % stepW === 0);

const isNight = (site: Observation['site'], at: number): boolean =>
  site !== null &&
  site.latitude !== null &&
  sunElevation(site.latitude, site.longitude, at) < NIGHT_DEGREES;

/** Whether a sample has values that cannot stay the same for hours. */
function isLively(observation: Observation, index: number): boolean {
  const { kind, ratedPowerW, site, samples } = observation;
  const { at, values } = samples[index]!;
  if (kind === 'weather')
    return (values.irradianceWm2 ?? values.globalIrradianceWm2 ?? 0) >= LIGHT_AT_LEAST_WM2;
  if (kind !== 'inverter')
    return trembles(values) && Math.abs(values.gridPowerW ?? 0) >= METERED_AT_LEAST_W;
  const powerW = powerOf(values) ?? 0;
  if (powerW < producingFromW(ratedPowerW)) return false;
  if (trembles(values)) return true;
  if (isCoarse(powerW)) return false;
  if (isNight(site, at)) return true;
  return (
    ratedPowerW !== null &&
    powerW < LIMITED_FROM * ratedPowerW &&
    !isLimited(observation, index, powerW / ratedPowerW)
  );
}

/** Whether a limit holds the power constant: one that the device reports, or one that holds its neighbours at the same share of their rated power. */
function isLimited({ samples, neighboursAt }: Observation, index: number, share: number): boolean {
  const { at, values } = samples[index]!;
  const { powerLimitPercent = 100 } = values;
  if (powerLimitPercent < 100 && Math.abs(share - powerLimitPercent / 100) <= AT_LIMIT) return true;
  return neighboursAt(at).some((neighbour) => Math.abs(neighbour - share) <= SAME_LIMIT);
}

export const staleValues: AlarmRule = {
  id: 'staleValues',
  code: 'H109',
  level: 2,
  advice:
    'The values shown are old: restart the collector. If that does not help, call your installer. For your installer: check the cable between the collector and the device.',
  kinds: ['inverter', 'epm', 'weather', 'ammeter'],
  raiseAfterSeconds: 7200,
  clearAfterSeconds: 900,
  judge(observation, index) {
    const before = observation.samples[index - 1];
    const same = before && repeats(observation.samples[index]!.values, before.values);
    if (same === undefined) return 'unclear';
    if (!same) return 'good';
    return isLively(observation, index) ? 'bad' : 'unclear';
  },
  message: () => 'the device keeps reporting identical values',
};
