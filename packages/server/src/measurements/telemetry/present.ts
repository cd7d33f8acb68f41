import type { Values } from '@helioport/contract';
import type { Db } from '../../platform/storage/database.ts';
import type { DaySample } from '../energy/day-state.ts';
import { readingOf } from './thinning.ts';
import { findBoundDevices } from '../bindings/reportable-devices.ts';
import type { SettledReads } from '../series/port.ts';
import type { Latest } from './telemetry.ts';

/** How far ahead a device's clock may be before its readings are held back until their time has come. */
const TOLERANCE_MS = 300_000;
/** Values measured at most this long before the last reading complete it, as in the fold. */
const VALUES_HOLD_MS = 3_600_000;
/** How far to look back from now for the last reading; usually, the shorter time is enough. */
const LOOK_BACK_MS = [7_200_000, 86_400_000];

/**
 * The newest values of bindings as of `now`. A device's clock may be up to a day ahead; readings from the future are not shown as current unless
 * there are no others. Takes three statements, and only if there are such readings.
 */
export async function presentOf(
  db: Db,
  series: SettledReads,
  latest: Map<number, Latest>,
  now: number,
): Promise<Map<number, Latest>> {
  const upTo = now + TOLERANCE_MS;
  const ahead = [...latest.values()]
    .filter(({ lastAt }) => lastAt > upTo)
    .map(({ bindingNo }) => bindingNo);
  if (ahead.length === 0) return latest;
  const present = new Map(latest);
  let missing = [...(await findBoundDevices(db, ahead)).values()].filter(({ binding }) =>
    ahead.includes(binding),
  );
  for (const backMs of LOOK_BACK_MS) {
    if (missing.length === 0) break;
    const samples = await series.ranges(
      db,
      [...new Set(missing.map(({ seriesId }) => seriesId))],
      now - backMs,
      upTo + 1,
    );
    missing = missing.filter((device) => {
      const ofDevice =
        samples.get(device.seriesId)?.filter(({ at }) => at >= device.fromAt && at < device.toAt) ??
        [];
      if (ofDevice.length === 0) return true;
      present.set(device.binding, { ...latest.get(device.binding)!, ...valuesOf(ofDevice) });
      return false;
    });
  }
  return present;
}

/** The values known at the time of the last of the given samples. */
function valuesOf(samples: readonly DaySample[]): Pick<Latest, 'lastAt' | 'values' | 'olderAt'> {
  const lastAt = samples.at(-1)!.at;
  const values: { -readonly [Name in keyof Values]: Values[Name] } = {};
  const olderAt: { [name: string]: number } = {};
  for (const sample of samples) {
    if (sample.at < lastAt - VALUES_HOLD_MS) continue;
    const reading = readingOf(sample);
    Object.assign(values, reading.values);
    for (const name in reading.values) olderAt[name] = sample.at;
  }
  return { lastAt, values, olderAt };
}
