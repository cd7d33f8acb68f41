import { MINUTE_MS } from '@helioport/contract/durations';
import { offsetAt, type Zones } from './plant-calendar.ts';

/** An instant on the plant's clock with its offset, such as 2026-11-06T17:00:00+01:00. */
export function instantText(zones: Zones, at: number): string {
  const offset = offsetAt(zones, at);
  const minutes = Math.abs(offset) / MINUTE_MS;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${new Date(at + offset).toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${hours}:${rest}`;
}
