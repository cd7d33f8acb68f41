import { isDaylight } from '../../../fleet/devices/daylight.ts';
import type { Instant } from '../../../platform/storage/database.ts';
import type { StoredReading } from '../../../measurements/telemetry/telemetry.ts';
import { quantileOf } from '../../../measurements/expected/median.ts';
import type { Observation } from '../rule.ts';
import { deliveringStrings } from '../strings.ts';

/** The facts that were learned about a device in its present plant. */
export interface Learned {
  /** Number of the binding; what was learned in another one does not count. */
  readonly bindingNo: number;
  /** The nominal voltage of each phase; null until enough quiet readings are known. */
  readonly nominals: readonly (Nominal | null)[];
  /** When each string last delivered, by its number; epoch ms. */
  readonly strings: { readonly [number: string]: Instant };
}

/** The nominal voltage of a phase. */
interface Nominal {
  readonly voltageV: number;
  /** A different voltage that all quiet readings have matched since `sinceAt`. */
  readonly other?: { readonly voltageV: number; readonly sinceAt: Instant };
}

/** An observation without the facts that were learned about the device. */
export type Unlearned = Omit<Observation, 'nominalVoltages' | 'strings'>;

const PHASES = ['acVoltage1V', 'acVoltage2V', 'acVoltage3V'] as const;
/** An inverter that feeds in raises the grid voltage; below this share of its rated power, it hardly does. */
const QUIET_SHARE = 0.1;
const QUIET_SPAN_MS = 3_600_000;
const QUIET_READINGS = 4;
/** How close quiet readings must be to a nominal voltage, as a share of it. */
const FITS_WITHIN = 0.06;
const MEASURED_FROM_V = 20;
/** How long quiet readings must match a different nominal voltage before it is adopted. */
const OTHER_AFTER_MS = 7 * 86_400_000;
/** A string that has not delivered for this long counts as disconnected. */
const STRING_HELD_MS = 30 * 86_400_000;

/** The facts known about a device after an observation, given those known before. */
export function learn(known: Learned | null, bindingNo: number, observation: Unlearned): Learned {
  const before = known?.bindingNo === bindingNo ? known : null;
  const quiet = observation.samples.filter((sample) => isQuiet(observation, sample));
  const lastAt = observation.samples.at(-1)?.at ?? 0;
  const strings = Object.entries(before?.strings ?? {}).filter(
    ([, at]) => at > lastAt - STRING_HELD_MS,
  );
  return {
    bindingNo,
    nominals: PHASES.map((phase, i) =>
      nominalAfter(before?.nominals[i] ?? null, quiet, phase, observation.gridVoltages),
    ),
    strings: {
      ...Object.fromEntries(strings),
      ...Object.fromEntries(
        [...deliveringStrings(observation)].map(([string, { lastAt: at }]) => [string, at]),
      ),
    },
  };
}

/** An observation with the facts that were learned, as the rules use it. */
export const observedPeaks = (observation: Unlearned, learned: Learned | null): Observation => ({
  ...observation,
  nominalVoltages: learned?.nominals.map((nominal) => nominal?.voltageV ?? null) ?? [],
  strings: stringsSince(observation, learned),
});

/** Since when each string is known to be connected; 0 if it had delivered before these samples. */
function stringsSince(observation: Unlearned, learned: Learned | null): Map<number, Instant> {
  const since = new Map(
    [...deliveringStrings(observation)].map(([string, { firstAt }]) => [string, firstAt]),
  );
  for (const string of Object.keys(learned?.strings ?? {}))
    if (!since.has(Number(string))) since.set(Number(string), 0);
  return since;
}

function isQuiet({ kind, ratedPowerW, site }: Unlearned, { at, values }: StoredReading): boolean {
  if (kind === 'inverter' && ratedPowerW !== null && values.acPowerW !== undefined)
    return Math.abs(values.acPowerW) < QUIET_SHARE * ratedPowerW;
  return site !== null && !isDaylight(site, at);
}

function nominalAfter(
  known: Nominal | null,
  quiet: readonly StoredReading[],
  phase: (typeof PHASES)[number],
  gridVoltages: readonly number[],
): Nominal | null {
  const readings = quiet.filter(({ values }) => (values[phase] ?? 0) >= MEASURED_FROM_V);
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last || readings.length < QUIET_READINGS || last.at - first.at < QUIET_SPAN_MS)
    return known;
  const voltage = quantileOf(
    readings.map(({ values }) => values[phase]!),
    0.5,
  );
  const fitting = gridVoltages.toSorted(
    (a, b) => Math.abs(voltage / a - 1) - Math.abs(voltage / b - 1),
  )[0]!;
  if (Math.abs(voltage / fitting - 1) > FITS_WITHIN) return known;
  if (known === null || known.voltageV === fitting) return { voltageV: fitting };
  const sinceAt = known.other?.voltageV === fitting ? known.other.sinceAt : first.at;
  return last.at - sinceAt >= OTHER_AFTER_MS
    ? { voltageV: fitting }
    : { ...known, other: { voltageV: fitting, sinceAt } };
}
