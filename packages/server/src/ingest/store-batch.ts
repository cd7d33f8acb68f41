import { markReporting } from '../devices/states.ts';
import { reviseBinding } from '../plants/binding-starts.ts';
import type { Trx } from '../storage/database.ts';
import { amendSamples, planAmendment, type Amendment } from './amend.ts';
import type { Attempt, Change } from './attempt.ts';
import { appendDays, isAppend, type AppendedDays } from './append-days.ts';
import { closeDays } from './close-days.ts';
import type { Sample } from '../energy/day-state.ts';
import { mendDevices } from './mend.ts';
import { mergeReadings } from './merge-sample.ts';
import type { Refused, ValidReading } from './reading.ts';
import { tellSamples, type ToldSamples } from './tell-samples.ts';
import { lockReporters, type Reporter, type ReadingsOf, type ReporterDevice } from './reporters.ts';
import { ReachesBack } from './earlier-days.ts';
import type { BoundDevice } from './bound-device.ts';
import type { DayRow, SampleRow, Series } from '../series/port.ts';

/** The outcome of a batch. */
export interface Stored {
  readonly accepted: number;
  readonly duplicate: number;
  readonly refused: readonly Refused[];
}

/** How readings came. */
export interface Arrival {
  readonly now: number;
  /** Whether they were kept during an outage: then they say nothing of who is online. */
  readonly isBacklog?: boolean | undefined;
}

/** Readings of one device in one plant. */
interface Bundle {
  readonly device: BoundDevice;
  /** The device as it was read. */
  readonly reporter: ReporterDevice;
  /** Ascending; of two readings of one instant, the later one in the batch wins. */
  readings: ValidReading[];
  /** Whether they came in this order, with no more than one for each instant. */
  cameAscending: boolean;
}

/** Stores readings with everything derived from them. Everything is read and calculated before the first write. */
export async function storeBatch(
  trx: Trx,
  own: Attempt,
  sender: ReadingsOf | 'operator',
  readings: readonly ValidReading[],
  { now, isBacklog = false }: Arrival,
): Promise<Stored> {
  const { series } = own;
  const reporters = await lockReporters(trx, sender, [...new Set(readings.map(({ sn }) => sn))]);
  const { bundles, refused } = assign(readings, reporters, sender);
  await mendDevices(trx, own, boundDevices(bundles));
  const newest = await series.newestDays(
    trx,
    bundles.map(({ device }) => device.binding),
  );
  let accepted = 0;
  const appendedDays: AppendedDays[] = [];
  const rows: SampleRow[] = [];
  const amendments: Amendment[] = [];
  const reporting = new Set(boundDevices(bundles));
  for (const { device, readings: ofDevice, cameAscending } of bundles) {
    const merged = cameAscending ? { changed: ofDevice, news: ofDevice.length } : mergeReadings(NOTHING, ofDevice, series.fieldLists);
    const days = goesOn(device, reporting) ? undefined : appended(device, newest.get(device.binding), merged.changed);
    if (days) {
      appendedDays.push(days);
      for (const sample of merged.changed) rows.push({ seriesId: device.seriesId, sample });
      accepted += merged.news;
    } else {
      const amendment = await planAmendment(trx, series, device, ofDevice);
      amendments.push(amendment);
      accepted += amendment.news;
    }
  }
  const months = await closeDays(trx, series, appendedDays);
  await own.mark(changesOf(appendedDays, amendments));
  for (const amendment of amendments) await amendSamples(trx, series, amendment);
  await series.put(trx, { samples: rows, days: appendedDays.flatMap(({ days }) => days), months });
  await tellSamples(trx, [...appendedDays, ...amendments.map((amendment) => toldOf(series, amendment))], now);
  if (!isBacklog) await markReporting(trx, lastReports(bundles), now, sender !== 'operator');
  // Only now, since whoever unbinds a device locks its plant before its binding.
  for (const { device, samples } of amendments) if (samples.length > 0) await reviseBinding(trx, device.binding, samples[0]!.at);
  return { accepted, duplicate: bundles.reduce((sum, bundle) => sum + bundle.readings.length, 0) - accepted, refused };
}

/** Whether a device continues from a binding that also has readings in this batch. These may change the state from which the device continues. */
function goesOn({ former }: BoundDevice, reporting: ReadonlySet<BoundDevice>): boolean {
  for (let one = former; one; one = one.former) if (reporting.has(one)) return true;
  return false;
}

/**
 * What of an amendment is an event. An engine without transactions may have stored samples in an attempt that failed, so that they are repeated
 * without having been recorded; there, each repetition is recorded.
 */
const toldOf = (series: Series, { device, samples, kept }: Amendment): ToldSamples => ({
  device,
  samples: series.sharesTransaction ? samples : [...samples, ...kept].toSorted((a, b) => a.at - b.at),
  amended: true,
});

/** A generator, because engines that share the caller's transaction do not need the changes. */
function* changesOf(...lists: readonly (readonly Pick<Amendment, 'device' | 'samples'>[])[]): Generator<Change> {
  for (const list of lists) for (const { device, samples } of list) if (samples.length > 0) yield { device, at: samples[0]!.at };
}

const boundDevices = (bundles: readonly Bundle[]): BoundDevice[] => bundles.map(({ device }) => device);

/** Appends samples to the newest day; undefined if other stored days are needed as well. */
function appended(device: BoundDevice, newest: DayRow | undefined, samples: readonly Sample[]): AppendedDays | undefined {
  if (!isAppend(device, newest, samples[0]!.at)) return undefined;
  try {
    return appendDays(device, newest, samples);
  } catch (error) {
    if (error instanceof ReachesBack) return undefined;
    throw error;
  }
}

/** When each device last reported in a batch. */
function lastReports(bundles: readonly Bundle[]): (ReporterDevice & { lastAt: number })[] {
  const lastAts = new Map<ReporterDevice, number>();
  for (const { reporter, readings } of bundles) lastAts.set(reporter, Math.max(lastAts.get(reporter) ?? 0, readings.at(-1)!.at));
  return Array.from(lastAts, ([device, lastAt]) => ({ ...device, lastAt }));
}

function assign(
  readings: readonly ValidReading[],
  reporters: ReadonlyMap<string, Reporter>,
  sender: ReadingsOf | 'operator',
): { bundles: Bundle[]; refused: Refused[] } {
  const refused: Refused[] = [];
  const bundles = new Map<BoundDevice, Bundle>();
  let lastSn = '';
  let reporter: Reporter | undefined;
  let bundle: Bundle | undefined;
  for (const reading of readings) {
    const { index, sn, at } = reading;
    // Usually, a device's readings are adjacent and belong to one plant.
    if (sn !== lastSn) {
      reporter = reporters.get((lastSn = sn));
      bundle = undefined;
    }
    // Other people's serial numbers and unknown ones get the same answer, so that nobody can find out which exist.
    if (!reporter) {
      refused.push({
        index,
        sn,
        reason:
          sender === 'operator' ? 'no device with this serial number is bound to a plant' : 'no device with this serial number is bound to this collector',
      });
      continue;
    }
    const device: BoundDevice | undefined = bundle && isIn(bundle.device, at) ? bundle.device : reporter.bindings.findLast((bound) => isIn(bound, at));
    if (!device) {
      refused.push({ index, sn, reason: 'the device was in no plant at that time' });
      continue;
    }
    const fault = device.bounds.fault(reading);
    if (fault !== undefined) {
      refused.push({ index, sn, reason: fault });
      continue;
    }
    if (bundle?.device !== device) {
      bundle = bundles.get(device);
      if (!bundle) bundles.set(device, (bundle = { device, reporter: reporter.device, readings: [], cameAscending: true }));
    }
    const before = bundle.readings.at(-1);
    if (before && at <= before.at) bundle.cameAscending = false;
    bundle.readings.push(reading);
  }
  for (const one of bundles.values()) if (!one.cameAscending) one.readings = one.readings.toSorted((a, b) => a.at - b.at);
  return { bundles: [...bundles.values()], refused };
}

const isIn = ({ fromAt, toAt }: BoundDevice, at: number): boolean => at >= fromAt && at < toAt;

const NOTHING: ReadonlyMap<number, Sample> = new Map();
