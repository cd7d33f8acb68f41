import type { Db } from '../../platform/storage/database.ts';
import type { DaySample } from '../energy/day-state.ts';
import type { Series, SeriesRows } from '../series/port.ts';
import type { BoundDevice } from '../bindings/bound-device.ts';
import { fillGaps } from './fill-gaps.ts';
import { loadAmended, type LateReadings } from './load-amended.ts';
import { withinDays, type StoredCounts } from './readings/day-room.ts';
import { mergeReadings, type Merged } from './readings/merge-sample.ts';
import type { FieldSettling } from './readings/settle-fields.ts';
import { calculateDays, refoldDays } from './refold.ts';
import { samplePages } from '../series/sample-pages.ts';
import type { Anew } from './write-anew.ts';

/** What late readings change. */
export interface DayAmendment {
  readonly device: BoundDevice;
  /** Samples that are new or changed, ascending. */
  readonly samples: readonly DaySample[];
  /** Samples to which the readings added nothing. */
  readonly kept: readonly DaySample[];
  /** How many of the readings were new or changed something. */
  readonly news: number;
  /** Readings for which their days have no room; they change nothing. */
  readonly surplus: readonly DaySample[];
  /** The roll-ups that follow; undefined if they are to be calculated once the samples have been stored. */
  readonly anew: Anew | undefined;
}

/** Finds out which samples are new or changed by late readings, and what follows for the roll-ups, in order. Writes nothing. */
export async function planAmendments(
  db: Db,
  series: Series,
  late: readonly LateReadings[],
  { dayReadings, fields }: { dayReadings: number; fields: FieldSettling },
): Promise<DayAmendment[]> {
  const amendments = new Map<LateReadings, DayAmendment>();
  const filled = await fillGaps(db, series, late, { dayReadings, fields });
  for (const [one, { merged, anew }] of filled)
    amendments.set(one, amendmentOf(one, merged, anew, []));
  const others = late.filter((one) => !filled.has(one));
  for await (const { late: one, samples, loaded } of loadAmended(db, series, others)) {
    const { kept, surplus } = withinDays(
      one.readings,
      one.device.calendar,
      dayReadings,
      countsOf(one.device, samples),
      (at) => found(samples, at) !== undefined,
    );
    const merged = mergeReadings((at) => found(samples, at), kept, fields.of(one.device.ownerId));
    const anew =
      merged.changed.length === 0
        ? undefined
        : await calculateDays(db, series, one.device, loaded(merged.changed));
    amendments.set(one, amendmentOf(one, merged, anew, surplus));
  }
  for (const one of late) {
    if (amendments.has(one)) continue;
    const [stored, counts] = [
      await storedSamples(db, series, one),
      await storedCounts(db, series, one),
    ];
    const { kept, surplus } = withinDays(
      one.readings,
      one.device.calendar,
      dayReadings,
      counts,
      (at) => stored.has(at),
    );
    const merged = mergeReadings((at) => stored.get(at), kept, fields.of(one.device.ownerId));
    amendments.set(one, amendmentOf(one, merged, undefined, surplus));
  }
  return late.map((one) => amendments.get(one)!);
}

const amendmentOf = (
  { device }: LateReadings,
  { changed, kept, news }: Merged,
  anew: Anew | undefined,
  surplus: readonly DaySample[],
): DayAmendment => ({
  device,
  samples: changed,
  kept,
  news,
  anew,
  surplus,
});

/** Binary search. */
function found(samples: readonly DaySample[], at: number): DaySample | undefined {
  let [low, high] = [0, samples.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const sample = samples[middle]!;
    if (sample.at === at) return sample;
    if (sample.at < at) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/**
 * Stores amendments and recalculates the roll-ups that they affect.
 * @returns rows that are still to be written
 */
export async function amendSamples(
  db: Db,
  series: Series,
  amendments: readonly DayAmendment[],
): Promise<Required<SeriesRows>> {
  for (const { device, samples, anew } of amendments) {
    if (samples.length === 0 || anew) continue;
    await series.put(db, {
      samples: samples.map((sample) => ({ seriesId: device.seriesId, sample })),
    });
    await refoldDays(
      db,
      series,
      device,
      samples.map(({ at }) => at),
    );
  }
  const calculated = amendments.flatMap(({ device, samples, anew }) =>
    anew ? [{ device, samples, anew }] : [],
  );
  for (const { device, anew } of calculated) {
    if (anew.gone.days.length + anew.gone.months.length > 0)
      await series.remove(db, device.binding, anew.gone);
  }
  return {
    samples: calculated.flatMap(({ device, samples }) =>
      samples.map((sample) => ({ seriesId: device.seriesId, sample })),
    ),
    days: calculated.flatMap(({ anew }) => anew.days),
    months: calculated.flatMap(({ anew }) => anew.months),
  };
}

/** How many of a device's samples, which are all of some days, lie on each of these. */
function countsOf({ calendar }: BoundDevice, samples: readonly DaySample[]): StoredCounts {
  const counts = new Map<number, number>();
  return {
    most: samples.length,
    of(day) {
      let count = counts.get(day);
      if (count === undefined) {
        const { startAt, endAt } = calendar.dayWindow(day);
        count = samples.filter(({ at }) => at >= startAt && at < endAt).length;
        counts.set(day, count);
      }
      return count;
    },
  };
}

/** How many samples are stored of each day that has readings. */
async function storedCounts(
  db: Db,
  series: Series,
  { device: { binding, calendar }, readings }: LateReadings,
): Promise<StoredCounts> {
  const counts = new Map<number, number>();
  for (const { first, last } of stretchesOf(readings)) {
    const [fromDay, toDay] = [calendar.dayOf(first), calendar.dayOf(last)];
    for (const { day, state } of await series.days(db, [binding], fromDay, toDay))
      counts.set(day, state.samples);
  }
  return { most: Math.max(0, ...counts.values()), of: (day) => counts.get(day) ?? 0 };
}

// If samples are further apart than this, each stretch is read separately.
const STRETCH_MS = 2 * 86_400_000;

/** The first and the last instants of readings, ascending, that lie close together. */
function stretchesOf(readings: readonly DaySample[]): { first: number; last: number }[] {
  const stretches: { first: number; last: number }[] = [];
  for (const { at } of readings) {
    const stretch = stretches.at(-1);
    if (stretch && at - stretch.last <= STRETCH_MS) stretch.last = at;
    else stretches.push({ first: at, last: at });
  }
  return stretches;
}

/** The stored samples at the instants of readings, by instant. */
async function storedSamples(
  db: Db,
  series: Series,
  { device, readings }: LateReadings,
): Promise<Map<number, DaySample>> {
  const stored = new Map<number, DaySample>();
  const wanted = new Set(readings.map(({ at }) => at));
  for (const { first, last } of stretchesOf(readings)) {
    for await (const page of samplePages(db, series, device.seriesId, first, last + 1))
      for (const sample of page) if (wanted.has(sample.at)) stored.set(sample.at, sample);
  }
  return stored;
}
