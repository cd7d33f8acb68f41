const MINUTE = 60_000;

const two = (n: number): string => (n < 10 ? `0${n}` : String(n));

/** `yyyy-MM-dd HH:mm:ss` on a clock that is `offsetMinutes` ahead of UTC. */
export const localDateTime = (at: number, offsetMinutes: number): string => {
  const iso = new Date(at + offsetMinutes * MINUTE).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
};

/** `HH:mm:ss` on the same clock. */
export const localTime = (at: number, offsetMinutes: number): string =>
  localDateTime(at, offsetMinutes).slice(11);

const clocks = new Map<string, Intl.DateTimeFormat>();

/** `yyyy-MM-dd HH:mm:ss` of an instant on the clock of a zone, with the offset in force at that instant. */
export function zoneDateTime(at: number, timeZone: string): string {
  let clock = clocks.get(timeZone);
  // Swedish dates have the format of ISO 8601.
  if (!clock)
    clocks.set(
      timeZone,
      (clock = new Intl.DateTimeFormat('sv-SE', {
        timeZone,
        dateStyle: 'short',
        timeStyle: 'medium',
        hourCycle: 'h23',
      })),
    );
  return clock.format(at);
}

/** `UTC+05:45`. */
export const offsetText = (offsetMinutes: number): string => {
  const minutes = Math.abs(offsetMinutes);
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
};

/** `2026-11-06` from 20261106, `2026-11` from 202611. */
export const calendarText = (date: number): string => {
  const digits = String(date);
  return digits.length === 8
    ? `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
    : `${digits.slice(0, 4)}-${digits.slice(4)}`;
};
