import { DAY_MS, MINUTE_MS } from '@helioport/contract/durations';

/** An instant in the local time of a zone. */
export interface LocalTime {
  /** Days since 1970-01-01 in the local calendar. */
  day: number;
  /** Minutes since local midnight. */
  minute: number;
  /** 0 = Sunday. */
  weekday: number;
}

/** Converts instants to the local time of one IANA zone. */
export type LocalClock = (at: number) => LocalTime;

// Offsets change only on the quarter hour.
const SPAN_MS = 15 * MINUTE_MS;

export function createLocalClock(timeZone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    timeZoneName: 'longOffset',
    hour: '2-digit',
  });
  let span = Number.NaN;
  let offsetMs = 0;
  return (at) => {
    // Steps are in order of time, so remembering one span saves nearly all of the formatting.
    if (Math.floor(at / SPAN_MS) !== span) {
      span = Math.floor(at / SPAN_MS);
      offsetMs = offsetOf(format, at);
    }
    const local = at + offsetMs;
    const day = Math.floor(local / DAY_MS);
    return { day, minute: (local - day * DAY_MS) / MINUTE_MS, weekday: (((day + 4) % 7) + 7) % 7 };
  };
}

function offsetOf(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  return (
    (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  );
}
