import { quantities } from '@helioport/contract';
import { counterLimits, readingBound, type BoundsSubject } from '../energy/bounds.ts';
import type { DeviceLimits } from '../energy/day-rules.ts';
import type { FieldList } from '../energy/field-list.ts';
import type { Sample } from '../energy/day-state.ts';

/** Why a reading cannot come from a device; undefined if it can. */
export type BoundsCheck = (reading: Sample) => string | undefined;

/** The facts that bound the readings and counters of a device. */
export interface DeviceBounds {
  readonly subject: BoundsSubject;
  readonly limits: DeviceLimits;
  readonly fault: BoundsCheck;
}

const known = new Map<string, DeviceBounds>();
const KEPT = 1_000;

/** The bounds of a device. Devices of the same kind and size share one object: there are few sizes, but many devices with many readings. */
export function boundsOf({ kind, ratedPowerW, capacityKwp }: BoundsSubject): DeviceBounds {
  const key = `${kind} ${ratedPowerW} ${capacityKwp}`;
  let bounds = known.get(key);
  if (!bounds) {
    if (known.size >= KEPT) known.delete(known.keys().next().value!);
    const subject = { kind, ratedPowerW, capacityKwp };
    known.set(
      key,
      (bounds = { subject, limits: counterLimits(subject), fault: createCheck(subject) }),
    );
  }
  return bounds;
}

function createCheck(subject: BoundsSubject): BoundsCheck {
  const tables = new WeakMap<FieldList, Float64Array>();
  const tableOf = (fields: FieldList): Float64Array => {
    let table = tables.get(fields);
    if (!table)
      tables.set(
        fields,
        (table = Float64Array.from(fields.names, (name) => readingBound(name, subject))),
      );
    return table;
  };
  // Most readings carry the same quantities as the one before.
  let [lastFields, bounds]: [FieldList | undefined, Float64Array] = [
    undefined,
    new Float64Array(0),
  ];
  return ({ fields, values }) => {
    if (fields !== lastFields) [lastFields, bounds] = [fields, tableOf(fields)];
    for (let i = 0; i < values.length; i++) {
      if (Math.abs(values[i]!) > bounds[i]!)
        return `${fields.names[i]!} is beyond ${bounds[i]!} ${quantities.get(fields.names[i]!)!.unit}, which the device cannot reach`;
    }
    return undefined;
  };
}
