import type { Db } from '../storage/database.ts';
import { refoldDays } from './refold.ts';
import { findBoundDevice } from './reporters.ts';
import type { Series } from './series.ts';

const SAMPLES_AT_ONCE = 5_000;

/**
 * Makes all roll-ups of a binding anew from its samples: after a change of what the fold knows beside them
 * (rated power, a time zone put right for the past). Needs a transaction.
 */
export async function recalculateBinding(trx: Db, series: Series, binding: number): Promise<void> {
  const device = await findBoundDevice(trx, binding);
  if (!device) return;
  await series.clearRollups(trx, binding);
  const instants: number[] = [];
  const days = new Set<number>();
  const end = Math.min(device.toAt, Number.MAX_SAFE_INTEGER);
  for (let at = device.fromAt; ;) {
    const samples = await series.range(trx, device.series, at, end, SAMPLES_AT_ONCE);
    for (const sample of samples) {
      const day = device.calendar.dayOf(sample.at);
      if (!days.has(day)) instants.push(sample.at);
      days.add(day);
    }
    const last = samples.at(-1);
    if (!last || samples.length < SAMPLES_AT_ONCE) break;
    at = last.at + 1;
  }
  await refoldDays(trx, series, device, instants);
}
