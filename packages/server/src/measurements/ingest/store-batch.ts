import { markReporting } from '../../fleet/devices/states.ts';
import type { Db, Trx } from '../../platform/storage/database.ts';
import { amendSamples, planAmendments, type DayAmendment } from './amend.ts';
import type { Attempt, Change, Steps } from './attempt.ts';
import { appendDays, isAppend, type AppendedDays } from './append-days.ts';
import { closeDays } from './close-days.ts';
import type { DaySample } from '../energy/day-state.ts';
import { boundLate } from './late-bound.ts';
import type { LateReadings } from './load-amended.ts';
import { findMarks, mendMarked } from './mend.ts';
import { mergeReadings, type Merged } from './readings/merge-sample.ts';
import { noRoom, withinDays } from './readings/day-room.ts';
import type { DroppedValues } from './readings/dropped.ts';
import type { RefusedReading, ValidReading } from './readings/reading.ts';
import { createFieldSettling, settled, type FieldsOf } from './readings/settle-fields.ts';
import {
  assign,
  type ReportArrival,
  type Assigned,
  type AssignedDelivery,
} from './reports/assign.ts';
import { appendSampleEvents, type SampleEvents } from './reports/append-sample-events.ts';
import { joinDeliveries, type Bundle } from './reports/join-reports.ts';
import {
  lockReportableDevices,
  type ReadingsOf,
  type DeviceAsRead,
} from '../bindings/reportable-devices.ts';
import { ReachesBack } from './earlier-days.ts';
import type { BoundDevice } from '../bindings/bound-device.ts';
import type { DayRow, SampleRow, Series, SeriesRows } from '../series/port.ts';

/** Where readings are stored, and how many of one device on one day at most. */
export interface ReadingStore {
  readonly series: Series;
  readonly dayReadings: number;
  /** How many stored samples late readings may have folded anew in one transaction. */
  readonly lateSamples: number;
}

/** The outcome of a batch. */
export interface Stored {
  readonly accepted: number;
  readonly duplicate: number;
  readonly refused: readonly RefusedReading[];
  /** Values beyond the bounds of their devices. */
  readonly dropped: DroppedValues;
}

/** The readings of deliveries by devices. */
interface Begun {
  readonly deliveries: readonly AssignedDelivery[];
  readonly assigned: readonly Assigned[];
}

/** What deliveries have changed. */
interface Changed {
  /** Of each delivery whether it was stored. */
  readonly isIn: readonly boolean[];
  /** How many readings of a bundle were new. */
  readonly news: ReadonlyMap<Bundle, number>;
  /** Readings for which their days have no room. */
  readonly surplus: ReadonlySet<DaySample>;
  readonly sampleEvents: readonly SampleEvents[];
}

/** What deliveries are about to change. */
interface Plan extends Changed {
  readonly amendments: readonly DayAmendment[];
  /** The rows of readings that are newer than what is stored. */
  readonly appended: Required<SeriesRows>;
}

/** The steps by which the readings of one sender are stored with everything derived from them. */
export function batchSteps<Given extends readonly [trx: Trx, ...rest: unknown[]]>(
  shelf: ReadingStore,
  readings: readonly ValidReading[],
  arrival: ReportArrival,
  senderOf: (...given: Given) => ReadingsOf | 'operator',
): Steps<Given, Begun, Changed, Stored> {
  const steps = deliverySteps<Given>(shelf, async (...given) => {
    const sender = senderOf(...given);
    const reporters = await lockReportableDevices(given[0], sender, [
      ...new Set(readings.map(({ sn }) => sn)),
    ]);
    return [
      { ...arrival, sender: sender === 'operator' ? sender : 'collector', readings, reporters },
    ];
  });
  return { ...steps, end: async (...all) => (await steps.end(...all))[0]! };
}

/**
 * The steps by which deliveries, whose devices are locked, are stored with everything derived from them, as if one followed the other. Everything is
 * read and calculated before the first write. Left out, with no result, are those that only a delivery before them makes possible to judge
 * (reports/join-reports.ts). `planned` gets the results before the first write.
 */
export function deliverySteps<Given extends readonly [trx: Trx, ...rest: unknown[]]>(
  { series: { sharesTransaction }, dayReadings, lateSamples }: ReadingStore,
  deliveriesOf: (...given: Given) => Promise<readonly AssignedDelivery[]>,
  planned: (outcomes: readonly (Stored | undefined)[]) => void = () => {},
): Steps<Given, Begun, Changed, (Stored | undefined)[]> {
  return {
    async begin(...given) {
      const deliveries = await deliveriesOf(...given);
      return { deliveries, assigned: deliveries.map(assign) };
    },
    written: ({ assigned }) =>
      assigned.flatMap(({ bundles }) => bundles.map(({ device }) => device.seriesId)),
    async change(own, db, { assigned }) {
      const plan = await planSeries(own, db, assigned, {
        sharesTransaction,
        dayReadings,
        lateSamples,
      });
      planned(outcomesOf(assigned, plan, dayReadings));
      await writeSeries(own, db, plan);
      return plan;
    },
    async end({ deliveries, assigned }, changed, ...given) {
      const { isIn, sampleEvents } = changed;
      const [trx] = given;
      const now = Math.max(0, ...deliveries.map((delivery) => delivery.now));
      await appendSampleEvents(trx, sampleEvents, now);
      for (const sender of ['collector', 'operator'] as const) {
        const live = assigned.filter(
          (_, i) => isIn[i] && deliveries[i]!.sender === sender && !deliveries[i]!.isBacklog,
        );
        // Of each delivery, since one of them may have come as it was measured, and another one not.
        const last = live.flatMap((one) => lastReports(one.bundles));
        await markReporting(trx, last, now, sender === 'collector');
      }
      return outcomesOf(assigned, changed, dayReadings);
    },
  };
}

const outcomesOf = (
  assigned: readonly Assigned[],
  changed: Changed,
  dayReadings: number,
): (Stored | undefined)[] =>
  assigned.map((one, i) => (changed.isIn[i] ? storedOf(one, changed, dayReadings) : undefined));

/** Finds out what deliveries change. Writes only marks. Throws FieldListsWanted, TooManyLate. */
async function planSeries(
  own: Attempt,
  db: Db,
  assigned: readonly Assigned[],
  {
    sharesTransaction,
    dayReadings,
    lateSamples,
  }: { sharesTransaction: boolean } & Pick<ReadingStore, 'dayReadings' | 'lateSamples'>,
): Promise<Plan> {
  const { series } = own;
  const arrived = assigned.flatMap((one) => one.bundles);
  const newest = await markedDays(own, db, arrived);
  const { bundles, isIn } = joinDeliveries(
    assigned.map((one) => one.bundles),
    newest,
  );
  const fields = createFieldSettling(series.fieldLists);
  const news = new Map<Bundle, number>();
  const appendedDays: AppendedDays[] = [];
  const rows: SampleRow[] = [];
  const late: (LateReadings & { readonly bundle: Bundle; readonly isNewer: boolean })[] = [];
  const surplus = new Set<DaySample>();
  const reporting = new Set(boundDevices(bundles));
  for (const bundle of bundles) {
    const { device, readings: ofDevice, cameAscending } = bundle;
    const isNewer = isAppend(device, newest.get(device.binding), ofDevice[0]!.at);
    const roomy = isNewer
      ? withinNewer(bundle, newest.get(device.binding), dayReadings)
      : { kept: ofDevice, surplus: [] };
    if (roomy.kept.length === 0) {
      news.set(bundle, 0);
      for (const one of roomy.surplus) surplus.add(one);
      continue;
    }
    const merged =
      isNewer && !goesOn(device, reporting)
        ? mergedNewer(roomy.kept, cameAscending, fields.of(device.ownerId))
        : undefined;
    const days = merged && appended(device, newest.get(device.binding), merged.changed);
    if (days) {
      appendedDays.push(days);
      for (const one of roomy.surplus) surplus.add(one);
      for (const sample of merged.changed) rows.push({ seriesId: device.seriesId, sample });
      news.set(bundle, merged.news);
    } else {
      // A fold that has failed has changed the newest day.
      late.push({
        device,
        readings: ofDevice,
        newest: isNewer ? undefined : newest.get(device.binding),
        bundle,
        isNewer,
      });
    }
  }
  // Beside another engine, no transaction is open meanwhile.
  if (sharesTransaction) await boundLate(db, series, late, lateSamples);
  const amendments = await planAmendments(db, series, late, { dayReadings, fields });
  for (const [i, amendment] of amendments.entries()) {
    news.set(late[i]!.bundle, amendment.news);
    for (const one of amendment.surplus) surplus.add(one);
  }
  const months = await closeDays(db, series, appendedDays);
  fields.end();
  const sampleEvents = [
    ...appendedDays,
    ...amendments.map((amendment, i) =>
      sampleEventsOf(amendment, sharesTransaction, !late[i]!.isNewer),
    ),
  ];
  return {
    isIn,
    news,
    surplus,
    sampleEvents,
    amendments,
    appended: { samples: rows, days: appendedDays.flatMap(({ days }) => days), months },
  };
}

async function writeSeries(
  { series, revise }: Attempt,
  db: Db,
  { amendments, appended: { samples, days, months } }: Plan,
): Promise<void> {
  const amended = await amendSamples(db, series, amendments);
  await series.put(db, {
    samples: [...samples, ...amended.samples],
    days: [...days, ...amended.days],
    months: [...months, ...amended.months],
  });
  // Only at the end, since a writer that unbinds a device locks its plant before its binding.
  for (const { device, samples: changed } of amendments)
    if (changed.length > 0) revise(device.binding, changed[0]!.at);
}

/** Marks all days that readings may change, and reads the newest ones; what former attempts left half-written is recalculated. */
async function markedDays(
  own: Attempt,
  db: Db,
  bundles: readonly Bundle[],
): Promise<Map<number, DayRow>> {
  const devices = boundDevices(bundles);
  const read = (): Promise<Map<number, DayRow>> =>
    own.series.newestDays(db, [...new Set(devices.map(({ binding }) => binding))]);
  // At once, for each is a round trip: what is read here was written before the devices were claimed.
  const [marks, newest] = await Promise.all([
    findMarks(own, devices),
    read(),
    own.mark(changesOf(bundles)),
  ]);
  return (await mendMarked(db, own, devices, marks)) ? read() : newest;
}

/** The readings of a device, newer than what is stored, for which their days have room. */
const withinNewer = (
  { device, readings }: Bundle,
  newest: DayRow | undefined,
  dayReadings: number,
) =>
  withinDays(
    readings,
    device.calendar,
    dayReadings,
    {
      most: newest?.state.samples ?? 0,
      of: (day) => (day === newest?.day ? newest.state.samples : 0),
    },
    () => false,
  );

/** Readings that are newer than what is stored, merged with each other. */
const mergedNewer = (
  readings: readonly ValidReading[],
  cameAscending: boolean,
  fieldsOf: FieldsOf,
): Pick<Merged, 'changed' | 'news'> =>
  cameAscending
    ? { changed: readings.map((one) => settled(one, fieldsOf)), news: readings.length }
    : mergeReadings(nothingAt, readings, fieldsOf);

/** The outcome of a delivery. Where its readings were joined with others, all of them were new. */
function storedOf(
  { bundles, refused, dropped }: Assigned,
  { news, surplus }: Changed,
  dayReadings: number,
): Stored {
  let [accepted, all] = [0, 0];
  const over: RefusedReading[] = [];
  for (const bundle of bundles) {
    const { readings } = bundle;
    const before = over.length;
    if (surplus.size > 0)
      for (const one of readings)
        if (surplus.has(one))
          over.push({ index: one.index, sn: one.sn, reason: noRoom(dayReadings) });
    const roomy = readings.length - (over.length - before);
    accepted += news.get(bundle) ?? roomy;
    all += roomy;
  }
  return { accepted, duplicate: all - accepted, refused: [...refused, ...over], dropped };
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
const sampleEventsOf = (
  { device, samples, kept }: DayAmendment,
  sharesTransaction: boolean,
  amended: boolean,
): SampleEvents => ({
  device,
  samples: sharesTransaction ? samples : [...samples, ...kept].toSorted((a, b) => a.at - b.at),
  amended,
});

/** A generator, because engines that share the caller's transaction do not need the changes. */
function* changesOf(bundles: readonly Bundle[]): Generator<Change> {
  for (const { device, readings } of bundles)
    yield { device, at: readings[0]!.at, lastAt: readings.at(-1)!.at };
}

const boundDevices = (bundles: readonly Bundle[]): BoundDevice[] =>
  bundles.map(({ device }) => device);

/** Appends samples to the newest day; undefined if other stored days are needed as well. */
function appended(
  device: BoundDevice,
  newest: DayRow | undefined,
  samples: readonly DaySample[],
): AppendedDays | undefined {
  try {
    return appendDays(device, newest, samples);
  } catch (error) {
    if (error instanceof ReachesBack) return undefined;
    throw error;
  }
}

/** When each device last reported in a delivery. */
function lastReports(bundles: readonly Bundle[]): (DeviceAsRead & { lastAt: number })[] {
  const lastAts = new Map<DeviceAsRead, number>();
  for (const { reporter, readings } of bundles)
    lastAts.set(reporter, Math.max(lastAts.get(reporter) ?? 0, readings.at(-1)!.at));
  return Array.from(lastAts, ([device, lastAt]) => ({ ...device, lastAt }));
}

const nothingAt = (): undefined => undefined;
