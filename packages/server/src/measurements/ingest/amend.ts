import type { Db } from '../../platform/storage/database.ts';
import type { Sample } from '../energy/day-state.ts';
import type { Series, SeriesRows } from '../series/port.ts';
import type { BoundDevice } from './bound-device.ts';
import { fillGaps } from './fill-gaps.ts';
import { loadAmended, type LateReadings } from './load-amended.ts';
import { mergeReadings, type Merged } from './readings/merge-sample.ts';
import { calculateDays, refoldDays } from './refold.ts';
import type { Anew } from './write-anew.ts';

/** What late readings change. */
export interface Amendment {
  readonly device: BoundDevice;
  /** Samples that are new or changed, ascending. */
  readonly samples: readonly Sample[];
  /** Samples to which the readings added nothing. */
  readonly kept: readonly Sample[];
  /** How many of the readings were new or changed something. */
  readonly news: number;
  /** The roll-ups that follow; undefined if they are to be calculated once the samples have been stored. */
  readonly anew: Anew | undefined;
}

/** Finds out which samples are new or changed by late readings, and what follows for the roll-ups, in order. Writes nothing. Throws FieldListsWanted. */
export async function planAmendments(
  db: Db,
  series: Series,
  late: readonly LateReadings[],
): Promise<Amendment[]> {
  const amendments = new Map<LateReadings, Amendment>();
  const filled = await fillGaps(db, series, late);
  for (const [one, { merged, anew }] of filled) amendments.set(one, amendmentOf(one, merged, anew));
  const others = late.filter((one) => !filled.has(one));
  for await (const { late: one, samples, loaded } of loadAmended(db, series, others)) {
    const merged = mergeReadings((at) => found(samples, at), one.readings, series.fieldLists);
    const anew =
      merged.changed.length === 0
        ? undefined
        : await calculateDays(db, series, one.device, loaded(merged.changed));
    amendments.set(one, amendmentOf(one, merged, anew));
  }
  for (const one of late) {
    if (amendments.has(one)) continue;
    const stored = await storedSamples(db, series, one);
    amendments.set(
      one,
      amendmentOf(
        one,
        mergeReadings((at) => stored.get(at), one.readings, series.fieldLists),
        undefined,
      ),
    );
  }
  return late.map((one) => amendments.get(one)!);
}

const amendmentOf = (
  { device }: LateReadings,
  { changed, kept, news }: Merged,
  anew: Anew | undefined,
): Amendment => ({
  device,
  samples: changed,
  kept,
  news,
  anew,
});

/** Binary search. */
function found(samples: readonly Sample[], at: number): Sample | undefined {
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
  amendments: readonly Amendment[],
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

// If samples are further apart than this, each stretch is read separately.
const STRETCH_MS = 2 * 86_400_000;

async function storedSamples(
  db: Db,
  series: Series,
  { device, readings }: LateReadings,
): Promise<Map<number, Sample>> {
  const stored = new Map<number, Sample>();
  for (let first = 0; first < readings.length;) {
    let last = first;
    while (last + 1 < readings.length && readings[last + 1]!.at - readings[last]!.at <= STRETCH_MS)
      last += 1;
    for (const sample of await series.range(
      db,
      device.seriesId,
      readings[first]!.at,
      readings[last]!.at + 1,
    ))
      stored.set(sample.at, sample);
    first = last + 1;
  }
  return stored;
}
