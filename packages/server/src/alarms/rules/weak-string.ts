import type { QuantityName } from '@helioport/contract';
import { isDaylight } from '../../devices/daylight.ts';
import { medianOf } from '../median.ts';
import type { AlarmRule, Observation } from '../rule.ts';

const STRINGS = 32;
const BAD_SHARE = 0.25;
const GOOD_SHARE = 0.5;
/** Below this the sisters give too little to compare with. */
const SISTERS_AT_LEAST_W = 100;
/** A string of which the voltage is this far below its sisters' is taken for an input that nothing is connected to. */
const CONNECTED_SHARE = 0.3;
/** Around noon, when roofs of any direction have light. */
const HIGH_SUN_DEGREES = 60;

interface Share {
  readonly string: number;
  readonly share: number;
}

/** Each string's power as a share of the median of its sisters'; empty when that cannot be said. */
function sharesAt({ samples, dcInputs }: Observation, index: number): Share[] {
  const { values } = samples[index]!;
  const strings: { string: number; powerW: number; voltageV: number }[] = [];
  for (let string = 1; string <= Math.min(STRINGS, dcInputs ?? STRINGS); string++) {
    const voltageV = values[`dcVoltage${string}V` as QuantityName];
    const currentA = values[`dcCurrent${string}A` as QuantityName];
    const powerW = values[`dcPower${string}W` as QuantityName] ?? (voltageV !== undefined && currentA !== undefined ? voltageV * currentA : undefined);
    if (powerW !== undefined && voltageV !== undefined) strings.push({ string, powerW, voltageV });
  }
  const usualV = medianOf(strings.map(({ voltageV }) => voltageV));
  const connected = dcInputs === null ? strings.filter(({ voltageV }) => voltageV >= CONNECTED_SHARE * usualV) : strings;
  if (connected.length < 2) return [];
  const shares = connected.map(({ string, powerW }) => {
    const sistersW = medianOf(connected.filter((other) => other.string !== string).map((other) => other.powerW));
    return { string, share: sistersW >= SISTERS_AT_LEAST_W ? powerW / sistersW : Number.NaN };
  });
  return shares.filter(({ share }) => !Number.isNaN(share));
}

const weakest = (shares: readonly Share[]): Share => shares.reduce((weak, next) => (next.share < weak.share ? next : weak));

export const weakString: AlarmRule = {
  id: 'weakString',
  code: 'H103',
  level: 2,
  advice: 'Look at the fuse, the connectors and the modules of the string, and for shade around noon.',
  kinds: ['inverter'],
  raiseAfterSeconds: 3600,
  clearAfterSeconds: 1800,
  judge(observation, index) {
    if (observation.site === null || !isDaylight(observation.site, observation.samples[index]!.at, HIGH_SUN_DEGREES)) return 'unclear';
    const shares = sharesAt(observation, index);
    if (shares.length === 0) return 'unclear';
    const { share } = weakest(shares);
    if (share < BAD_SHARE) return 'bad';
    return share >= GOOD_SHARE ? 'good' : 'unclear';
  },
  message(observation, index) {
    const { string, share } = weakest(sharesAt(observation, index));
    return `string ${string} gives ${Math.max(0, Math.round(share * 100))} % of what its sisters give`;
  },
};
