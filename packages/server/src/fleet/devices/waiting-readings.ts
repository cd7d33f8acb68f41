import { DAY_MS } from '@helioport/contract/durations';
import { sql } from 'kysely';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { armTasks } from '../../platform/work/arm.ts';

/** A reading of a device that nobody has bound yet. */
export interface WaitingReading {
  readonly sn: string;
  readonly at: Instant;
  /** By quantity, in its unit. */
  readonly values: Readonly<Record<string, number>>;
}

/** How many are kept of a collector, the newest. */
export const WAITING_KEPT = 10_000;
/** How long they are kept. */
export const WAITING_MS = 7 * DAY_MS;
/** The kind of work that gives them to a device once it is bound; its key is device.id. */
export const DELIVER_WAITING = 'waitingReadings';

const ROWS_AT_ONCE = 500;

/**
 * Keeps what a collector has reported of devices that are in no plant, for the owner of its plant. What is bound elsewhere is not kept. Called after
 * `rememberRefusals`, in whose order the reports of a collector take turns.
 */
export async function keepWaiting(
  trx: Db,
  collectorId: string,
  readings: readonly WaitingReading[],
  now: Instant,
): Promise<void> {
  if (readings.length === 0) return;
  const place = await trx
    .selectFrom('device')
    .innerJoin('plant', 'plant.id', 'device.plantId')
    .select('plant.ownerId')
    .where('device.id', '=', collectorId)
    .executeTakeFirst();
  if (!place) return;
  const serialNumbers = [...new Set(readings.map(({ sn }) => sn))];
  const bound = await trx
    .selectFrom('device')
    .select('sn')
    .where(anyOf(trx, 'sn', listParameter(trx, serialNumbers)))
    .where('plantId', 'is not', null)
    .execute();
  const elsewhere = new Set(bound.map(({ sn }) => sn));
  const rows = readings
    .filter(({ sn }) => !elsewhere.has(sn))
    .slice(-WAITING_KEPT)
    .map(({ sn, at, values }) => ({
      collectorId,
      ownerId: place.ownerId,
      sn,
      at,
      values: JSON.stringify(values),
      receivedAt: now,
    }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await trx
      .insertInto('waitingReading')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
  await trx
    .deleteFrom('waitingReading')
    .where('collectorId', '=', collectorId)
    .where('no', '<=', (eb) =>
      eb
        .selectFrom('waitingReading')
        .select('no')
        .where('collectorId', '=', collectorId)
        .orderBy('no', 'desc')
        .limit(1)
        .offset(WAITING_KEPT),
    )
    .execute();
}

/** Has devices that have just been bound get the readings that waited for them. Those of collectors whose token was shown are the new owner's. */
export async function deliverWaiting(
  trx: Db,
  ownerId: string,
  devices: readonly { readonly id: string; readonly sn: string }[],
  shown: ReadonlySet<string>,
  now: Instant,
): Promise<void> {
  if (shown.size > 0)
    await trx
      .updateTable('waitingReading')
      .set({ ownerId })
      .where(anyOf(trx, 'collectorId', listParameter(trx, [...shown])))
      .execute();
  const serialNumbers = devices.map(({ sn }) => sn);
  const waiting = await trx
    .selectFrom('waitingReading')
    .select('sn')
    .distinct()
    .where(anyOf(trx, 'sn', listParameter(trx, serialNumbers)))
    .where('ownerId', '=', ownerId)
    .execute();
  const sns = new Set(waiting.map(({ sn }) => sn));
  const ids = devices.filter(({ sn }) => sns.has(sn)).map(({ id }) => id);
  await armTasks(trx, DELIVER_WAITING, ids, now);
}

/** Readings that wait for a device. */
interface WaitingBatch {
  readonly collectorId: string;
  readonly ownerId: string;
  readonly sn: string;
  /** Number of the last of them. */
  readonly upTo: number;
  readonly readings: readonly WaitingReading[];
}

/** The next of the readings that wait for a device and are its owner's, as its collector has reported them; with whose they are and the last number. */
export async function nextWaiting(
  db: Db,
  deviceId: string,
  { now, limit }: { readonly now: Instant; readonly limit: number },
): Promise<WaitingBatch | undefined> {
  const rows = await db
    .selectFrom('device')
    .innerJoin('plant', 'plant.id', 'device.plantId')
    .innerJoin('waitingReading as w', (join) =>
      join
        .onRef('w.sn', '=', 'device.sn')
        .onRef('w.collectorId', '=', 'device.collectorId')
        .onRef('w.ownerId', '=', 'plant.ownerId'),
    )
    .select(['w.no', 'w.collectorId', 'w.ownerId', 'w.sn', 'w.at', 'w.values'])
    .where('device.id', '=', deviceId)
    .where('w.receivedAt', '>', now - WAITING_MS)
    .orderBy('w.no')
    .limit(limit)
    .execute();
  const last = rows.at(-1);
  return (
    last && {
      collectorId: last.collectorId,
      ownerId: last.ownerId,
      sn: last.sn,
      upTo: last.no,
      readings: rows.map(({ sn, at, values }) => ({
        sn,
        at,
        values: JSON.parse(values) as Record<string, number>,
      })),
    }
  );
}

/** Forgets readings that have been given to their device. */
export const forgetWaiting = (
  trx: Db,
  { collectorId, ownerId, sn, upTo }: WaitingBatch,
): Promise<unknown> =>
  trx
    .deleteFrom('waitingReading')
    .where('sn', '=', sn)
    .where('collectorId', '=', collectorId)
    .where('ownerId', '=', ownerId)
    .where('no', '<=', upTo)
    .execute();

/** Forgets at most `limit` readings that nobody has claimed in time; returns how many. */
export async function sweepWaiting(db: Db, now: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('waitingReading')
    .where('no', 'in', (eb) =>
      eb
        .selectFrom('waitingReading')
        .select('no')
        .where('receivedAt', '<=', now - WAITING_MS)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** How many readings wait for a device of a refusal, as a column. */
export const waitingReadings = sql<number>`(select count(*) from "waitingReading" as w
  where w.sn = refusal.sn and w."collectorId" = refusal."collectorId" and w."ownerId" = plant."ownerId")`;
