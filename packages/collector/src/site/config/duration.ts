import { HOUR_MS, MINUTE_MS } from '@helioport/contract/durations';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS };

/** Milliseconds of a text such as `10s`, `5m` or `1h`; undefined if it is none. */
export function durationOf(text: unknown): number | undefined {
  const [, digits, unit] = typeof text === 'string' ? (/^(\d{1,6})([smh])$/.exec(text) ?? []) : [];
  return digits === undefined || unit === undefined ? undefined : Number(digits) * UNITS[unit]!;
}
