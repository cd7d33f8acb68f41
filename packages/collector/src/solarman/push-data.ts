import type { Values } from '@helioport/contract';
import { judged } from '../judged.ts';
import { roundedValue, serialNumberAt } from './frame-bytes.ts';
import type { V5Frame } from './v5-frame.ts';

/** What a stick measured, as it pushes it. */
export interface PushedReading {
  /** Serial number of the inverter. */
  readonly sn: string;
  /** Epoch milliseconds, by the stick's own count; undefined while it has no clock. */
  readonly at: number | undefined;
  /** Whether the stick had kept it while it had no server. */
  readonly isKept: boolean;
  readonly values: Values;
  /** Number of values that cannot be. */
  readonly dropped: number;
}

type Name = keyof Values;

/** Quantity, offset in the payload, bytes, value of one step. */
const FIELDS: readonly (readonly [Name, number, 2 | 4, number])[] = [
  ['temperatureC', 37, 2, 0.1],
  ['dcVoltage1V', 39, 2, 0.1],
  ['dcVoltage2V', 41, 2, 0.1],
  ['dcCurrent1A', 43, 2, 0.1],
  ['dcCurrent2A', 45, 2, 0.1],
  ['acVoltage1V', 57, 2, 0.1],
  ['gridFrequencyHz', 59, 2, 0.01],
  ['acPowerW', 61, 4, 1],
  ['energyTodayKwh', 65, 2, 0.01],
  ['energyTotalKwh', 69, 4, 0.1],
  ['busVoltageV', 97, 2, 0.1],
  ['halfBusVoltageV', 99, 2, 0.1],
  ['powerLimitPercent', 101, 2, 0.01],
  ['powerFactor', 103, 2, 0.001],
  ['dcPowerW', 105, 4, 1],
  ['apparentPowerVa', 131, 2, 1],
];

/** One-phase inverters fill one of the three currents; which one differs. */
const AC_CURRENTS = [51, 53, 55] as const;
/** The stick counts in seconds from 2010 at the earliest. */
const EARLIEST_SECONDS = 1_262_304_000;
const DATA_BYTES_AT_LEAST = 73;
const KEPT_BIT = 0x80;
const INVERTER_DATA = 1;

/** Reads a frame of code 0x4210; undefined if it holds no measurements of an inverter. */
export function readPushed({ payload }: Pick<V5Frame, 'payload'>): PushedReading | undefined {
  if (payload.length < DATA_BYTES_AT_LEAST || (payload[0]! & ~KEPT_BIT) !== INVERTER_DATA)
    return undefined;
  const sn = serialNumberAt(payload, 21);
  if (sn === undefined) return undefined;
  const [working, offset] = [payload.readUInt32LE(3), payload.readUInt32LE(11)];
  const seconds = working + offset;
  const isDated = offset > 0 && seconds >= EARLIEST_SECONDS;
  const values: { [Key in Name]?: number } = {};
  for (const [name, at, bytes, step] of FIELDS) {
    if (at + bytes > payload.length) continue;
    const raw = bytes === 2 ? payload.readUInt16LE(at) : payload.readUInt32LE(at);
    if (raw !== (bytes === 2 ? 0xffff : 0xffff_ffff)) values[name] = roundedValue(raw * step);
  }
  const currents = AC_CURRENTS.map((at) => payload.readUInt16LE(at)).filter(
    (raw) => raw !== 0xffff,
  );
  const used = currents.filter((raw) => raw > 0);
  if (used.length > 1)
    for (const [i, raw] of currents.entries())
      values[`acCurrent${i + 1}A` as 'acCurrent1A'] = roundedValue(raw * 0.1);
  else if (currents.length > 0) values.acCurrent1A = roundedValue((used[0] ?? 0) * 0.1);
  const isKept = (payload[0]! & KEPT_BIT) !== 0;
  return { sn, at: isDated ? seconds * 1000 : undefined, isKept, ...judged(values) };
}
