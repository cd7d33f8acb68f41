import { DAY_MS } from '@helioport/contract/durations';
import type { ValidReading } from './readings/reading.ts';

/** Number of devices that one PostgreSQL transaction may lock: all connections share a table of some 6,400 locks. */
const DEVICES_AT_ONCE = 500;

/** On SQLite, a transaction holds the event loop: some 20 ms for this many readings. */
const READINGS_AT_ONCE = 2_000;

/** Days that devices go on to within a slice, some 50 ms for this many: to fold a day costs as much as a hundred readings of it. */
const FURTHER_DAYS_AT_ONCE = 50;

/** Counts the days that devices go on to, in readings in order of time. UTC days: each is part of two local days at most. */
function createDayCount(): (reading: ValidReading) => number {
  const lastDays = new Map<string, number>();
  let count = 0;
  return ({ sn, at }) => {
    const [day, last] = [Math.floor(at / DAY_MS), lastDays.get(sn)];
    if (last !== undefined && last !== day) count += 1;
    lastDays.set(sn, day);
    return count;
  };
}

/** How many days devices go on to in readings, in the order in which they came. */
export function furtherDays(readings: readonly ValidReading[]): number {
  const countOf = createDayCount();
  return readings.reduce((_, reading) => countOf(reading), 0);
}

/** What is stored of a report in one transaction each. Usually a single slice, which may be empty; more if there are very many devices, readings or days. */
export function slices(readings: readonly ValidReading[]): (readonly ValidReading[])[] {
  return byDevices(readings).flatMap((slice) => {
    if (slice.length <= FURTHER_DAYS_AT_ONCE) return [slice];
    // In order of time. Otherwise, a slice could change a day that an earlier slice has already continued from.
    const ordered = slice.toSorted((a, b) => a.at - b.at);
    const ends = endsOf(ordered);
    if (ends.length === 1) return [slice];
    return ends.map((end, i) => ordered.slice(ends[i - 1] ?? 0, end));
  });
}

/** Two parts of readings, the earlier ones first; those of one day by devices. Undefined for what cannot be parted. */
export function halves(
  readings: readonly ValidReading[],
): [readonly ValidReading[], readonly ValidReading[]] | undefined {
  const middleOf = <T>(values: Iterable<T>): T | undefined => {
    const all = [...new Set(values)];
    return all.length < 2 ? undefined : all.toSorted((a, b) => (a < b ? -1 : 1))[all.length >> 1];
  };
  const parted = (
    isLater: (reading: ValidReading) => boolean,
  ): [readonly ValidReading[], readonly ValidReading[]] => [
    readings.filter((reading) => !isLater(reading)),
    readings.filter(isLater),
  ];
  const dayOf = ({ at }: ValidReading): number => Math.floor(at / DAY_MS);
  const day = middleOf(readings.map(dayOf));
  if (day !== undefined) return parted((reading) => dayOf(reading) >= day);
  const device = middleOf(readings.map(({ sn }) => sn));
  return device === undefined ? undefined : parted(({ sn }) => sn >= device);
}

/** Where the slices of readings in order of time end. */
function endsOf(ordered: readonly ValidReading[]): number[] {
  const ends: number[] = [];
  let [from, countOf] = [0, createDayCount()];
  for (const [i, reading] of ordered.entries()) {
    if (i - from < READINGS_AT_ONCE && countOf(reading) <= FURTHER_DAYS_AT_ONCE) continue;
    ends.push(i);
    [from, countOf] = [i, createDayCount()];
    countOf(reading);
  }
  return [...ends, ordered.length];
}

function byDevices(readings: readonly ValidReading[]): (readonly ValidReading[])[] {
  if (readings.length <= DEVICES_AT_ONCE) return [readings];
  const sns = [...new Set(readings.map(({ sn }) => sn))];
  if (sns.length <= DEVICES_AT_ONCE) return [readings];
  const sliceOf = new Map(sns.map((sn, i) => [sn, Math.floor(i / DEVICES_AT_ONCE)]));
  return [...Map.groupBy(readings, ({ sn }) => sliceOf.get(sn)!).values()];
}
