import type { Values } from '@helioport/contract';
import type { Db } from '../storage/database.ts';
import { readingOf } from './readings.ts';
import { findBoundDevice } from './reporters.ts';
import type { Series } from './series.ts';
import type { Latest } from './telemetry.ts';

/** How far ahead a device's clock may run before what it says has to wait for its time. */
const TOLERANCE_MS = 300_000;
/** Values of so long before the last reading count beside it, as in the fold. */
const VALUES_HOLD_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * The newest of a binding as of `now`: one reading of a clock gone wrong, up to a day ahead, is not shown as the present for a day.
 * Where there is nothing but such readings they are what is known. Costs statements for those bindings alone.
 */
export async function presentOf(db: Db, series: Series, latest: Latest, now: number): Promise<Latest> {
  if (latest.lastAt <= now + TOLERANCE_MS) return latest;
  const device = await findBoundDevice(db, latest.binding);
  if (!device) return latest;
  const samples = await series.range(db, device.series, Math.max(device.fromAt, now - DAY_MS), Math.min(device.toAt, now + TOLERANCE_MS + 1));
  const last = samples.at(-1);
  if (!last) return latest;
  const values: { -readonly [Name in keyof Values]: Values[Name] } = {};
  const valuesAt: { [name: string]: number } = {};
  for (const sample of samples) {
    if (sample.at < last.at - VALUES_HOLD_MS) continue;
    const reading = readingOf(sample);
    Object.assign(values, reading.values);
    for (const name in reading.values) valuesAt[name] = sample.at;
  }
  return { ...latest, lastAt: last.at, values, valuesAt };
}
