import { storeAsSender, type ReportSender } from '../../../fleet/collectors/authenticate.ts';
import { rememberRefusals } from '../../../fleet/collectors/refusals.ts';
import { keepWaiting, type WaitingReading } from '../../../fleet/devices/waiting-readings.ts';
import { holdSenders, keepPlaces, type SenderPlace } from '../../../fleet/collectors/senders.ts';
import type { Series } from '../../series/port.ts';
import { isOvertaken, isStorageAway, Overtaken } from '../../../platform/storage/away.ts';
import type { Commits } from '../../../platform/storage/commit-group.ts';
import type { Db, Trx } from '../../../platform/storage/database.ts';
import { isLocked } from '../../../platform/storage/sqlite/lock-wait.ts';
import { asRefusals, sumDropped, type DroppedValues } from '../readings/dropped.ts';
import { attempt } from '../attempt.ts';
import type { ReportArrival, AssignedDelivery } from './assign.ts';
import { findClaimed } from '../claims.ts';
import { endedWith, failedWith, type GatherOutcome } from '../../../platform/kernel/gather.ts';
import { FieldListsWanted } from '../readings/settle-fields.ts';
import type { RefusedReading, ValidReading } from '../readings/reading.ts';
import {
  tryLockReportableDevices,
  type ReportableDevice,
} from '../../bindings/reportable-devices.ts';
import { batchSteps, deliverySteps, type ReadingStore, type Stored } from '../store-batch.ts';

/** Readings of a collector that are stored together or not at all. */
export interface StoredReport {
  readonly sender: ReportSender;
  readonly readings: readonly ValidReading[];
  /** Its elements that were refused before, to be remembered with the others. */
  readonly refused: readonly RefusedReading[];
  /** Its values that were dropped before, to be remembered as well. */
  readonly dropped: DroppedValues;
  readonly arrival: ReportArrival;
}

/** Where reports are stored. */
export interface Stores extends ReadingStore {
  readonly db: Db;
  readonly commits: Commits;
}

/** What is needed to store a collector's readings. */
type AsSender = [trx: Trx, from: { readonly ownerId: string }];

/** Stores readings that the operator provides, for any device. */
export const storeOfOperator = (
  { db, commits, ...shelf }: Stores,
  readings: readonly ValidReading[],
  arrival: ReportArrival,
): Promise<Stored> =>
  withFieldLists(shelf.series, () =>
    attempt(
      shelf.series,
      { db, first: commits, last: commits<Stored> },
      batchSteps<[trx: Trx]>(shelf, readings, arrival, () => 'operator'),
    ),
  );

/** Stores a report in a transaction of its own. Throws what storeAsSender throws. */
export const storeReport = (
  { db, commits, ...shelf }: Stores,
  { sender, readings, refused, dropped, arrival }: StoredReport,
): Promise<Stored> =>
  withFieldLists(shelf.series, () => {
    const { now } = arrival;
    const asSender = <T>(body: (...given: AsSender) => Promise<T>): Promise<T> =>
      storeAsSender(db, commits<T>, { sender, now }, body);
    const steps = batchSteps<AsSender>(shelf, readings, arrival, (_, { ownerId }) => ({
      ...sender,
      ownerId,
    }));
    return attempt(
      shelf.series,
      { db, first: asSender, last: asSender<Stored> },
      {
        ...steps,
        async end(begun, changed, ...given) {
          const stored = await steps.end(begun, changed, ...given);
          await rememberAll(given[0], [{ sender, refused, dropped, arrival }], [stored]);
          return stored;
        },
      },
    );
  });

/**
 * Stores reports in one transaction, each with its own outcome, as if one followed the other. What would need to wait for others, or be refused as a
 * whole, is left to a transaction of its own; and if the common one fails, so is every report. With an engine that does not share the transaction, it is
 * one attempt. Resolves when the common transaction has ended. Rejects if nobody can write for now.
 */
export async function storeReports(
  stores: Stores,
  reports: readonly StoredReport[],
): Promise<GatherOutcome<Stored>[]> {
  const planned = new Map<StoredReport, Stored>();
  let together: readonly (Stored | undefined)[] = [];
  try {
    together = await withFieldLists(stores.series, () => storeTogether(stores, reports, planned));
  } catch (error) {
    // Another process writes for longer than anybody may wait.
    if (isLocked(error)) throw error;
    // There is only one that can be at fault, or none of them is, and each would wait as long in vain.
    if ((reports.length === 1 || isStorageAway(error)) && !isInTheWay(error))
      return reports.map(() => failedWith(error));
  }
  const alone = inOrderOfDevices(stores);
  return reports.map((report, i) => {
    const stored = together[i];
    if (stored) return endedWith(stored);
    return { ended: alone(report).then((one) => planned.get(report) ?? one) };
  });
}

/** Whether a transaction was in the way of others, or waited too long for them. Stored one by one, reports wait as long as they may. */
const isInTheWay = (error: unknown): boolean =>
  isOvertaken(error) || /^(55P03|57014)$/.test(String((error as { code?: unknown }).code));

/** Stores each report alone, when those before it that have devices in common have ended. */
function inOrderOfDevices(stores: Stores): (report: StoredReport) => Promise<Stored> {
  const lastOf = new Map<string, Promise<Stored>>();
  return (report) => {
    const sns = new Set(report.readings.map(({ sn }) => sn));
    const before = [...sns].flatMap((sn) => lastOf.get(sn) ?? []);
    const stored =
      before.length === 0
        ? storeReport(stores, report)
        : Promise.allSettled(before).then(() => storeReport(stores, report));
    for (const sn of sns) lastOf.set(sn, stored);
    return stored;
  };
}

/**
 * @param planned gets the outcomes before anything is written: what an attempt that fails leaves behind is known when its reports come once more
 * @returns the outcome of each report; undefined if it has to be stored alone
 */
function storeTogether(
  { db, commits, ...shelf }: Stores,
  reports: readonly StoredReport[],
  planned: Map<StoredReport, Stored>,
): Promise<(Stored | undefined)[]> {
  const { series } = shelf;
  const now = Math.max(...reports.map(({ arrival }) => arrival.now));
  const placesOf = (
    trx: Trx,
    some: readonly StoredReport[],
  ): Promise<Map<ReportSender, SenderPlace>> =>
    holdSenders(
      trx,
      some.map(({ sender }) => sender),
      now,
    );
  let places: ReadonlyMap<ReportSender, SenderPlace>;
  let inside: readonly StoredReport[];
  const deliveriesOfAll = async (trx: Trx): Promise<readonly AssignedDelivery[]> => {
    places = await placesOf(trx, reports);
    const deliveries = await deliveriesOf(trx, series, reports, places);
    inside = reports.filter((report) => deliveries.has(report));
    return [...deliveries.values()];
  };
  const steps = deliverySteps<[trx: Trx]>(shelf, deliveriesOfAll, (outcomes) => {
    // Where a failure leaves nothing, reports that come once more are as new as before.
    if (series.sharesTransaction) return;
    for (const [i, outcome] of outcomes.entries()) if (outcome) planned.set(inside[i]!, outcome);
  });
  return attempt(
    series,
    { db, first: commits, last: commits<(Stored | undefined)[]> },
    {
      ...steps,
      async end(begun, changed, trx) {
        // Beside another engine, this is a second transaction: tokens may have been revoked since.
        if (!series.sharesTransaction) {
          const held = await placesOf(trx, inside);
          if (
            inside.some(({ sender }) => held.get(sender)?.plantId !== places.get(sender)!.plantId)
          )
            throw new Overtaken('a token is being changed');
        }
        const stored = await steps.end(begun, changed, trx);
        await rememberAll(trx, inside, stored);
        await keepPlaces(
          trx,
          inside.map(({ sender }) => places.get(sender)!),
        );
        const outcomes = new Map(inside.map((report, i) => [report, stored[i]]));
        return reports.map((report) => outcomes.get(report));
      },
    },
  );
}

/** The reports whose senders may report and whose devices are locked and not claimed, in order. */
async function deliveriesOf(
  trx: Trx,
  series: Series,
  reports: readonly StoredReport[],
  places: ReadonlyMap<ReportSender, SenderPlace>,
): Promise<Map<StoredReport, AssignedDelivery>> {
  const sns = new Set(reports.flatMap(({ readings }) => readings.map(({ sn }) => sn)));
  const reporters = await tryLockReportableDevices(trx, [...places.values()], [...sns]);
  const found = reports.map((report) => {
    const place = places.get(report.sender);
    const own = new Set(report.readings.map(({ sn }) => sn));
    return { report, own, reporters: place && reporters.of(place, own) };
  });
  const claimed = series.sharesTransaction
    ? new Set<number>()
    : await findClaimed(trx, new Set(found.flatMap((one) => seriesOf(one.reporters))));
  const deliveries = new Map<StoredReport, AssignedDelivery>();
  const leftOut = new Set<string>();
  for (const { report, own, reporters: held } of found) {
    const { readings, arrival } = report;
    const isFree =
      held && own.isDisjointFrom(leftOut) && !seriesOf(held).some((one) => claimed.has(one));
    if (isFree)
      deliveries.set(report, { ...arrival, sender: 'collector', readings, reporters: held });
    // What comes later for the same devices is to be stored later.
    else for (const sn of own) leftOut.add(sn);
  }
  return deliveries;
}

const seriesOf = (reporters: ReadonlyMap<string, ReportableDevice> | undefined): number[] =>
  [...(reporters?.values() ?? [])].flatMap(({ bindings }) =>
    bindings.slice(0, 1).map(({ seriesId }) => seriesId),
  );

/** Remembers what was refused of reports; in the order of their collectors, so that two batches never wait for each other in a circle. */
async function rememberAll(
  trx: Trx,
  reports: readonly Pick<StoredReport, 'sender' | 'refused' | 'dropped' | 'arrival'>[],
  stored: readonly (Stored | undefined)[],
): Promise<void> {
  const all = reports.flatMap(({ sender, refused, dropped, arrival }, i) => {
    const refusals = stored[i]
      ? [...refused, ...stored[i].refused, ...asRefusals(sumDropped([dropped, stored[i].dropped]))]
      : [];
    return refusals.length > 0
      ? [{ collectorId: sender.collectorId, refusals, now: arrival.now }]
      : [];
  });
  for (const { collectorId, refusals, now } of all.toSorted((a, b) =>
    a.collectorId < b.collectorId ? -1 : 1,
  )) {
    await rememberRefusals(trx, collectorId, refusals, now);
    await keepWaiting(trx, collectorId, refusals.flatMap(waitingOf), now);
  }
}

/** What is kept of a reading until its device is bound. */
function waitingOf(refusal: object): WaitingReading[] {
  const { waiting } = refusal as Pick<RefusedReading, 'waiting'>;
  if (!waiting) return [];
  const { sn, at, fields, values } = waiting;
  return [
    { sn, at, values: Object.fromEntries(fields.names.map((name, i) => [name, values[i]!])) },
  ];
}

async function withFieldLists<T>(series: Series, store: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof FieldListsWanted)) throw error;
      await error.create(series.fieldLists);
    }
  }
}
