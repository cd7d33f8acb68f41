import { quantities } from '@helioport/contract';
import { readingBound, type BoundsSubject } from '../energy/bounds.ts';
import type { FieldList } from '../energy/field-list.ts';
import type { Sample } from '../energy/day-state.ts';

/** Why a reading cannot come from a device; undefined if it can. */
export type BoundsCheck = (reading: Sample) => string | undefined;

const checks = new Map<string, BoundsCheck>();
const CHECKS_KEPT = 1_000;

/** Checks readings against the table of bounds; there are few kinds of devices, and many readings of each. */
export function boundsCheckOf({ kind, ratedPowerW, capacityKwp }: BoundsSubject): BoundsCheck {
  const key = `${kind} ${ratedPowerW} ${capacityKwp}`;
  let check = checks.get(key);
  if (!check) {
    if (checks.size >= CHECKS_KEPT) checks.delete(checks.keys().next().value!);
    checks.set(key, (check = createCheck({ kind, ratedPowerW, capacityKwp })));
  }
  return check;
}

function createCheck(subject: BoundsSubject): BoundsCheck {
  const tables = new WeakMap<FieldList, Float64Array>();
  return ({ fields, values }) => {
    let bounds = tables.get(fields);
    if (!bounds) tables.set(fields, (bounds = Float64Array.from(fields.names, (name) => readingBound(name, subject))));
    for (let i = 0; i < values.length; i++) {
      if (Math.abs(values[i]!) > bounds[i]!)
        return `${fields.names[i]!} is beyond ${bounds[i]!} ${quantities.get(fields.names[i]!)!.unit}, which the device cannot reach`;
    }
    return undefined;
  };
}
