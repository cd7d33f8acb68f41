import { quantities, type QuantityName } from '@helioport/contract';
import { counterLimits, readingBounds, type BoundsSubject } from '../energy/bounds.ts';
import type { DeviceLimits } from '../energy/day-rules.ts';
import type { FieldList } from '../energy/field-list.ts';
import type { DaySample } from '../energy/day-state.ts';

/** A value that cannot come from a device: its index in the reading, and why. */
export interface BeyondBounds {
  readonly field: number;
  readonly reason: string;
}

/** The values of a reading that cannot come from a device; undefined if all can. */
export type BoundsCheck = (
  reading: Pick<DaySample, 'fields' | 'values'>,
) => BeyondBounds[] | undefined;

/** The facts that bound the readings and counters of a device. */
export interface DeviceBounds {
  readonly subject: BoundsSubject;
  readonly limits: DeviceLimits;
  readonly beyond: BoundsCheck;
}

const known = new Map<string, DeviceBounds>();
const KEPT = 1_000;

/** The bounds of a device. Devices of the same kind and size share one object: there are few sizes, but many devices with many readings. */
export function readingBoundsOf({ kind, ratedPowerW, capacityKwp }: BoundsSubject): DeviceBounds {
  const key = `${kind} ${ratedPowerW} ${capacityKwp}`;
  let bounds = known.get(key);
  if (!bounds) {
    if (known.size >= KEPT) known.delete(known.keys().next().value!);
    const subject = { kind, ratedPowerW, capacityKwp };
    known.set(
      key,
      (bounds = { subject, limits: counterLimits(subject), beyond: createCheck(subject) }),
    );
  }
  return bounds;
}

/** The least and the most of each of a list's quantities, in turn. */
type Table = Float64Array;

function createCheck(subject: BoundsSubject): BoundsCheck {
  const tables = new WeakMap<FieldList, Table>();
  const tableOf = (fields: FieldList): Table => {
    let table = tables.get(fields);
    if (!table)
      tables.set(
        fields,
        (table = Float64Array.from(fields.names.flatMap((name) => readingBounds(name, subject)))),
      );
    return table;
  };
  // Most readings carry the same quantities as the one before.
  let [lastFields, table]: [FieldList | undefined, Table] = [undefined, new Float64Array(0)];
  return ({ fields, values }) => {
    if (fields !== lastFields) [lastFields, table] = [fields, tableOf(fields)];
    let beyond: BeyondBounds[] | undefined;
    for (let i = 0; i < values.length; i++) {
      // NaN stands for an absent value, and is beyond nothing.
      if (values[i]! < table[2 * i]! || values[i]! > table[2 * i + 1]!)
        (beyond ??= []).push({ field: i, reason: reasonOf(fields, i, table) });
    }
    return beyond;
  };
}

const reasonOf = ({ names }: FieldList, i: number, table: Table): string =>
  notWithin(names[i]!, table[2 * i]!, table[2 * i + 1]!);

function notWithin(name: QuantityName, atLeast: number, atMost: number): string {
  const { unit, bounds } = quantities.get(name)!;
  if (bounds === 'power') return `beyond ${atMost} ${unit}, which the device cannot reach`;
  return `not within ${atLeast} to ${atMost}${unit === '' ? '' : ` ${unit}`}`;
}

/** Why a device cannot have measured a value; undefined if it can. */
export function valueFault(
  name: QuantityName,
  value: number,
  subject: BoundsSubject,
): string | undefined {
  const [atLeast, atMost] = readingBounds(name, subject);
  return value < atLeast || value > atMost ? notWithin(name, atLeast, atMost) : undefined;
}
