import { MINUTE_MS } from '@helioport/contract/durations';
import type { ZoneRecord } from '@helioport/contract';
import { createCache } from '../kernel/cache.ts';
import { createLocalZone } from './local-zone.ts';

const MONTH_MS = 30.4 * 86_400_000;
// Zones change their offset on the quarter hour.
const QUARTER_MS = 15 * MINUTE_MS;

/** Records by the zone's name. */
const records = createCache<string, { readonly quarter: number; readonly record: ZoneRecord }>(
  1_000,
);

/** A zone's offsets at an instant, cached for the current quarter of an hour. */
export function zoneRecord(timeZone: string, now: number): ZoneRecord {
  const quarter = Math.floor(now / QUARTER_MS);
  const known = records.get(timeZone);
  if (known?.quarter === quarter) return known.record;
  const record = makeRecord(timeZone, now);
  records.set(timeZone, { quarter, record });
  return record;
}

function makeRecord(name: string, now: number): ZoneRecord {
  const zone = createLocalZone(name);
  // Standard time is the smallest offset within half a year of now: daylight-saving time only adds to it.
  const standard = Math.min(
    ...Array.from({ length: 13 }, (_, i) => zone.offsetAt(now + (i - 6) * MONTH_MS)),
  );
  return {
    name,
    standardOffsetMinutes: standard / MINUTE_MS,
    daylightMinutes: (zone.offsetAt(now) - standard) / MINUTE_MS,
  };
}
