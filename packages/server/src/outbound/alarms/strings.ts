import type { QuantityName, Values } from '@helioport/contract';
import type { Instant } from '../../platform/storage/database.ts';
import type { StoredReading } from '../../measurements/telemetry/telemetry.ts';
import { medianOf } from '../../measurements/expected/median.ts';

const STRINGS = 32;
/** Below this power, the other strings deliver too little for a comparison. */
const SISTERS_AT_LEAST_W = 100;
/** A string counts as delivering if it has at least this share of the other strings' power. */
const DELIVERS_SHARE = 0.25;

/** A DC input in one reading. */
export interface DcString {
  /** Its number, from 1. */
  readonly string: number;
  readonly powerW: number;
  readonly voltageV: number;
}

const QUANTITIES = Array.from({ length: STRINGS }, (_, i) => ({
  string: i + 1,
  voltage: `dcVoltage${i + 1}V` as QuantityName,
  current: `dcCurrent${i + 1}A` as QuantityName,
  power: `dcPower${i + 1}W` as QuantityName,
}));

/** The strings of a reading that have a voltage and a power, V and W. `atMost` = how many inputs are in use, if that is known. */
export function stringsOf(values: Values, atMost: number | null): DcString[] {
  const strings: DcString[] = [];
  for (const { string, voltage, current, power } of QUANTITIES) {
    if (string > (atMost ?? STRINGS)) break;
    const voltageV = values[voltage];
    if (voltageV === undefined) continue;
    const currentA = values[current];
    const powerW = values[power] ?? (currentA === undefined ? undefined : voltageV * currentA);
    if (powerW !== undefined) strings.push({ string, powerW, voltageV });
  }
  return strings;
}

/** A string's power as a share of the median of the others; undefined if those deliver too little. */
export function stringShareOf(
  { string, powerW }: DcString,
  among: readonly DcString[],
): number | undefined {
  const sistersW = medianOf(
    among.filter((other) => other.string !== string).map((other) => other.powerW),
  );
  return sistersW >= SISTERS_AT_LEAST_W ? powerW / sistersW : undefined;
}

/** When each string first and last delivered in some samples, epoch ms; those that never did are omitted. */
export function deliveringStrings({
  samples,
  dcInputs,
}: {
  readonly samples: readonly StoredReading[];
  readonly dcInputs: number | null;
}) {
  const delivering = new Map<number, { readonly firstAt: Instant; readonly lastAt: Instant }>();
  for (const { at, values } of samples) {
    const strings = stringsOf(values, dcInputs).filter(
      ({ powerW }) => powerW >= DELIVERS_SHARE * SISTERS_AT_LEAST_W,
    );
    if (strings.length < 2) continue;
    for (const each of strings) {
      if ((stringShareOf(each, strings) ?? 0) >= DELIVERS_SHARE)
        delivering.set(each.string, {
          firstAt: delivering.get(each.string)?.firstAt ?? at,
          lastAt: at,
        });
    }
  }
  return delivering;
}
