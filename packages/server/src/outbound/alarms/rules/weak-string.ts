import { isDaylight } from '../../../fleet/devices/daylight.ts';
import { medianOf } from '../../../measurements/expected/median.ts';
import type { AlarmRule, Observation } from '../rule.ts';
import { stringShareOf, stringsOf, type DcString } from '../strings.ts';

const BAD_SHARE = 0.25;
const GOOD_SHARE = 0.5;
/** An input that has not delivered lately counts as unconnected if its voltage is below this share of the usual one. */
const CONNECTED_SHARE = 0.3;
/** Inputs below this share of the highest voltage count as having none. */
const MEASURED_SHARE = 0.1;
/** Elevation of the sun around noon, when roofs of any direction have light. */
const HIGH_SUN_DEGREES = 60;

interface Share {
  readonly string: number;
  readonly share: number;
}

/** Each connected string's power as a share of the median of the others; empty if that cannot be determined. */
function sharesAt({ samples, dcInputs, strings: delivered }: Observation, index: number): Share[] {
  const { at, values } = samples[index]!;
  const strings = stringsOf(values, dcInputs);
  const usualV = usualVoltage(strings);
  const hasDelivered = (string: number): boolean => (delivered.get(string) ?? Infinity) <= at;
  const connected =
    dcInputs === null
      ? strings.filter(
          ({ string, voltageV }) => voltageV >= CONNECTED_SHARE * usualV || hasDelivered(string),
        )
      : strings;
  if (connected.length < 2) return [];
  return connected.flatMap((each) => {
    const share = stringShareOf(each, connected);
    return share === undefined ? [] : [{ string: each.string, share }];
  });
}

/** The usual voltage of the connected strings, V, even if most of the inputs have nothing connected to them. */
function usualVoltage(strings: readonly DcString[]): number {
  const highest = Math.max(...strings.map(({ voltageV }) => voltageV));
  return medianOf(
    strings
      .map(({ voltageV }) => voltageV)
      .filter((voltageV) => voltageV >= MEASURED_SHARE * highest),
  );
}

const weakest = (shares: readonly Share[]): Share =>
  shares.reduce((weak, next) => (next.share < weak.share ? next : weak));

export const weakString: AlarmRule = {
  id: 'weakString',
  code: 'H103',
  level: 2,
  advice:
    'A string is one of the rows of panels. Look for shade and dirt on them; if you see none, call your installer. For your installer: check its fuse, connectors and modules.',
  adviceAtNothing:
    'A string is one of the rows of panels, and this one delivers nothing. Check whether its isolator at the inverter is switched off. If that is not the cause, call your installer. For your installer: measure its voltage. At 0 V, check its fuse, isolator and connectors; with a voltage, the input of the inverter.',
  kinds: ['inverter'],
  raiseAfterSeconds: 3600,
  clearAfterSeconds: 1800,
  judge(observation, index) {
    if (
      observation.site === null ||
      !isDaylight(observation.site, observation.samples[index]!.at, HIGH_SUN_DEGREES)
    )
      return 'unclear';
    const shares = sharesAt(observation, index);
    if (shares.length === 0) return 'unclear';
    const { share } = weakest(shares);
    if (share < BAD_SHARE) return 'bad';
    return share >= GOOD_SHARE ? 'good' : 'unclear';
  },
  message(observation, index) {
    const { string, share } = weakest(sharesAt(observation, index));
    return `string ${string} delivers ${Math.max(0, Math.round(share * 100))} % of what the other strings deliver`;
  },
};
