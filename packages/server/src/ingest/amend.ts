import type { Db } from '../storage/database.ts';
import type { Sample } from '../energy/day-state.ts';
import { mergeReadings } from './merge-sample.ts';
import { refoldDays } from './refold.ts';
import type { BoundDevice } from './bound-device.ts';
import type { Series } from '../series/port.ts';

/** Readings of a device that may be older than stored ones or replace them. */
export interface Amendment {
  readonly device: BoundDevice;
  /** Samples that are new or changed, ascending. */
  readonly samples: readonly Sample[];
  /** Samples to which the readings added nothing. */
  readonly kept: readonly Sample[];
  /** How many of the readings were new or changed something. */
  readonly news: number;
}

/** Finds out which samples are new or changed by some readings (ascending by time). Writes nothing. Throws FieldListsWanted. */
export async function planAmendment(db: Db, series: Series, device: BoundDevice, readings: readonly Sample[]): Promise<Amendment> {
  const { changed, kept, news } = mergeReadings(await storedSamples(db, series, device, readings), readings, series.fieldLists);
  return { device, samples: changed, kept, news };
}

/** Stores an amendment and recalculates the roll-ups that it affects. */
export async function amendSamples(db: Db, series: Series, { device, samples }: Amendment): Promise<void> {
  if (samples.length === 0) return;
  await series.put(db, { samples: samples.map((sample) => ({ seriesId: device.seriesId, sample })) });
  await refoldDays(
    db,
    series,
    device,
    samples.map(({ at }) => at),
  );
}

// If samples are further apart than this, each stretch is read separately.
const STRETCH_MS = 2 * 86_400_000;

async function storedSamples(db: Db, series: Series, device: BoundDevice, samples: readonly Sample[]): Promise<Map<number, Sample>> {
  const found = new Map<number, Sample>();
  for (let first = 0; first < samples.length;) {
    let last = first;
    while (last + 1 < samples.length && samples[last + 1]!.at - samples[last]!.at <= STRETCH_MS) last += 1;
    for (const sample of await series.range(db, device.seriesId, samples[first]!.at, samples[last]!.at + 1)) found.set(sample.at, sample);
    first = last + 1;
  }
  return found;
}
