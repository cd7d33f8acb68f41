import { HOUR_MS } from '@helioport/contract/durations';

/** The UTC offsets of one IANA zone. */
export interface LocalZone {
  /** Milliseconds by which the zone's wall clock is ahead of UTC. */
  offsetAt(at: number): number;
  /** The first instant at which the wall clock shows `wall` (milliseconds as if it were UTC) or later. */
  firstReaching(wall: number): number;
}

const SPAN_MS = 26 * HOUR_MS;

const zones = new Map<string, LocalZone>();

/** @throws RangeError when the zone is unknown */
export function createLocalZone(timeZone: string): LocalZone {
  let zone = zones.get(timeZone);
  if (!zone) zones.set(timeZone, (zone = makeLocalZone(timeZone)));
  return zone;
}

function makeLocalZone(timeZone: string): LocalZone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  // The stretch of constant offset that was looked up last: a whole hour if both ends have this offset, otherwise a single instant.
  let known = { fromAt: 0, toAt: 0, offset: 0 };

  const measure = (at: number): number => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = format
      .format(at)
      .match(/\d+/g)!
      .map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
  };

  const offsetAt = (at: number): number => {
    if (at >= known.fromAt && at < known.toAt) return known.offset;
    const offset = measure(at);
    const hour = Math.floor(at / HOUR_MS) * HOUR_MS;
    // In this century, no zone has changed its offset twice within an hour.
    known =
      measure(hour) === offset && measure(hour + HOUR_MS - 1) === offset
        ? { fromAt: hour, toAt: hour + HOUR_MS, offset }
        : { fromAt: at, toAt: at + 1, offset };
    return offset;
  };

  /** The instant at which the offset changes, between two instants with different offsets. */
  const changeBetween = (before: number, after: number): number => {
    const offset = measure(before);
    let [low, high] = [before, after];
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (measure(middle) === offset) low = middle;
      else high = middle;
    }
    return high;
  };

  return {
    offsetAt,
    firstReaching(wall) {
      const from = wall - SPAN_MS;
      const to = wall + SPAN_MS;
      const [before, after] = [measure(from), measure(to)];
      if (before === after) return wall - before;
      const change = changeBetween(from, to);
      return wall - before < change ? wall - before : Math.max(change, wall - after);
    },
  };
}
