import { markReporting } from '../devices/states.ts';
import type { Trx } from '../storage/database.ts';
import { amendSamples } from './amend.ts';
import { appendDays, closeDays, isAppend, type AppendedDays } from './append-days.ts';
import type { Sample } from './day-state.ts';
import { mergeSample } from './merge-sample.ts';
import type { Refused, ValidReading } from './reading.ts';
import { lockReporters, type BoundDevice, type Reporter, type ReporterDevice, type Source } from './reporters.ts';
import type { SampleRow, Series } from './series.ts';

/** What became of a batch. */
export interface Stored {
  readonly accepted: number;
  readonly duplicate: number;
  readonly refused: readonly Refused[];
}

/** Readings of one device in one plant, ascending, one for each instant. */
interface Bundle {
  readonly device: BoundDevice;
  readonly samples: Sample[];
  /** Readings that were merged into these samples. */
  readonly readings: number;
  /** Readings that said what another one of the batch had said. */
  readonly repeated: number;
}

/** Stores readings with all that is derived from them. The transaction's work as a whole or nothing. */
export async function storeBatch(trx: Trx, series: Series, source: Source, readings: readonly ValidReading[], now: number): Promise<Stored> {
  const reporters = await lockReporters(trx, source, [...new Set(readings.map(({ sn }) => sn))]);
  const { bundles, refused, devices } = assign(readings, reporters, source, series);
  const newest = await series.newestDays(
    trx,
    bundles.map(({ device }) => device.binding),
  );
  let [accepted, duplicate] = [0, 0];
  const appended: AppendedDays[] = [];
  const rows: SampleRow[] = [];
  for (const { device, samples, readings: count, repeated } of bundles) {
    const day = newest.get(device.binding);
    let changed = samples.length;
    if (isAppend(device, day, samples[0]!.at)) {
      appended.push(appendDays(device, day, samples));
      for (const sample of samples) rows.push({ series: device.series, sample });
    } else changed = (await amendSamples(trx, series, device, samples)).size;
    const news = count - repeated - (samples.length - changed);
    accepted += news;
    duplicate += count - news;
  }
  const months = await closeDays(trx, series, appended);
  await series.put(trx, { samples: rows, days: appended.flatMap(({ days }) => days), months });
  await markReporting(
    trx,
    [...devices].map(([device, lastAt]) => ({ ...device, lastAt })),
    now,
  );
  return { accepted, duplicate, refused };
}

function assign(
  readings: readonly ValidReading[],
  reporters: ReadonlyMap<string, Reporter>,
  source: Source,
  series: Series,
): { bundles: Bundle[]; refused: Refused[]; devices: Map<ReporterDevice, number> } {
  const refused: Refused[] = [];
  const devices = new Map<ReporterDevice, number>();
  const byBinding = new Map<BoundDevice, ValidReading[]>();
  let lastSn = '';
  let reporter: Reporter | undefined;
  for (const reading of readings) {
    const { index, sn, at } = reading;
    // Readings of a device mostly come one after the other.
    if (sn !== lastSn) reporter = reporters.get((lastSn = sn));
    // A foreign and an unknown serial number get the same answer.
    if (!reporter) {
      refused.push({
        index,
        sn,
        reason:
          source === 'operator' ? 'no device with this serial number is bound to a plant' : 'no device with this serial number is bound to this collector',
      });
      continue;
    }
    const bound = reporter.bindings.findLast(({ fromAt }) => fromAt <= at);
    if (!bound || at >= bound.toAt) {
      refused.push({ index, sn, reason: 'the device stood in no plant at that time' });
      continue;
    }
    if (at > (devices.get(reporter.device) ?? 0)) devices.set(reporter.device, at);
    const of = byBinding.get(bound);
    if (of) of.push(reading);
    else byBinding.set(bound, [reading]);
  }
  return { bundles: [...byBinding].map(([device, of]) => bundle(device, of, series)), refused, devices };
}

function bundle(device: BoundDevice, readings: ValidReading[], series: Series): Bundle {
  let ascending = true;
  for (let i = 1; i < readings.length && ascending; i++) ascending = readings[i]!.at > readings[i - 1]!.at;
  if (ascending) return { device, samples: readings, readings: readings.length, repeated: 0 };
  const samples: Sample[] = [];
  let repeated = 0;
  // The sort is stable: of two readings of one instant the later one in the batch wins.
  for (const reading of readings.toSorted((a, b) => a.at - b.at)) {
    const before = samples.at(-1);
    if (before?.at !== reading.at) {
      samples.push(reading);
      continue;
    }
    const merged = mergeSample(before, reading, series.fieldLists);
    if (merged === before) repeated += 1;
    samples[samples.length - 1] = merged;
  }
  return { device, samples, readings: readings.length, repeated };
}
