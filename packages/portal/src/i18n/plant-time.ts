import { DAY_MS } from '@helioport/contract/durations';

const fieldsOf = new Map<string, Intl.DateTimeFormat>();

/** Minutes that a zone's clock is ahead of UTC at an instant. */
export function offsetMinutes(at: number, zone: string): number {
  const format =
    fieldsOf.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  fieldsOf.set(zone, format);
  const part = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>;
  const local = Date.UTC(
    part['year']!,
    part['month']! - 1,
    part['day'],
    part['hour'],
    part['minute'],
  );
  return Math.round((local - at) / 60_000);
}

/** An instant on a zone's clock as spreadsheets take it for a time: `2026-11-06 12:05:00`. In an hour that comes twice, only UTC tells which. */
export const sheetTime = (at: number, zone: string): string =>
  new Date(at + offsetMinutes(at, zone) * 60_000).toISOString().slice(0, 19).replace('T', ' ');

/** The local day of an instant, as `2026-11-06`. */
export const localDay = (at: number, zone: string): string =>
  new Date(at + offsetMinutes(at, zone) * 60_000).toISOString().slice(0, 10);

/** The first instant of a local day `2026-11-06`. */
export function startOfDay(day: string, zone: string): number {
  const asUtc = dayAsDate(day).getTime();
  const guess = asUtc - offsetMinutes(asUtc, zone) * 60_000;
  return asUtc - offsetMinutes(guess, zone) * 60_000;
}

/** A calendar day that is given as yyyymmdd, as `2026-11-06`. */
export const textOfDay = (day: number): string =>
  String(day).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');

/** Midnight UTC of a calendar day, for calculations with days and for Intl with the zone UTC. */
export const dayAsDate = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** A calendar day some days later or, if negative, earlier. */
export const addDays = (day: string, days: number): string =>
  new Date(dayAsDate(day).getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** A month `2026-11` some months later or earlier. */
export function addMonths(month: string, months: number): string {
  const date = dayAsDate(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** Whether a record that began on `day` lacks the beginning of a period: a year such as `2026` or a month such as `2026-11`. */
export const beganWithin = (day: string, period: string): boolean =>
  day.startsWith(period) && !`${period}-01-01`.startsWith(day);

/** A local day `2026-11-06` that an address or a field gives; undefined if it is none. */
export const dayFrom = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  /^20\d\d-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)
    ? value
    : undefined;
