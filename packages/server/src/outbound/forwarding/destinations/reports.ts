import {
  kindsOfBits,
  type DeadLetterShown,
  type DestinationShown,
  type GapReport,
} from '@helioport/contract';
import { readEntries } from '../../../platform/events/read.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { listOf } from '../../../platform/storage/json-list.ts';
import { readDestinationAddress } from '../../sinks/address.ts';
import { applicationsWithin, type DestinationScope } from './destinations.ts';
import { optionsOf } from './settings.ts';

/** Destinations with how far they are, oldest first: those within a scope, or one alone. */
export async function listDestinations(
  db: Db,
  now: Instant,
  only: { readonly scope?: DestinationScope; readonly id?: string },
): Promise<DestinationShown[]> {
  let query = selectDestinations(db);
  if (only.scope) query = query.where('d.applicationId', 'in', applicationsWithin(db, only.scope));
  if (only.id !== undefined) query = query.where('d.id', '=', only.id);
  const rows = await query.orderBy('d.id').execute();
  return Promise.all(rows.map((row) => showDestination(db, row, now)));
}

const selectDestinations = (db: Db) =>
  db
    .selectFrom('destination as d')
    .innerJoin('destinationProgress as p', 'p.destinationId', 'd.id')
    .innerJoin('application as a', 'a.id', 'd.applicationId')
    .selectAll('d')
    .select([
      'a.name as application',
      'p.key',
      'p.no',
      'p.delivered',
      'p.failures',
      'p.deliveredAt',
      'p.failedAt',
      'p.failure',
      'p.excerpt',
    ])
    .select(['p.failingSince', 'p.nextAt'])
    .select((eb) => [
      eb
        .selectFrom('waitingDevice')
        .select(eb.fn.countAll<number>().as('n'))
        .whereRef('destinationId', '=', 'd.id')
        .$asScalar()
        .$notNull()
        .as('waiting'),
      eb
        .selectFrom('deadLetter')
        .select(eb.fn.countAll<number>().as('n'))
        .whereRef('destinationId', '=', 'd.id')
        .$asScalar()
        .$notNull()
        .as('deadLetters'),
      eb
        .selectFrom('snapshot')
        .select('snapshot.state')
        .whereRef('destinationId', '=', 'd.id')
        .$asScalar()
        .as('snapshot'),
    ]);

type ListedDestination = Awaited<
  ReturnType<ReturnType<typeof selectDestinations>['execute']>
>[number];

async function showDestination(
  db: Db,
  row: ListedDestination,
  now: Instant,
): Promise<DestinationShown> {
  const { topic, protocolVersion, batches, gzip, caCertificates } = optionsOf(row.options);
  const { transport } = readDestinationAddress(row.url);
  return {
    id: row.id,
    application: row.application,
    url: row.url,
    transport,
    kinds: kindsOfBits(row.kinds),
    plantIds: listOf(row.plantIds),
    deviceSns: listOf(row.deviceSns),
    topic,
    protocolVersion: transport === 'mqtt' ? protocolVersion : null,
    batches,
    gzip,
    ownCertificates: caCertificates !== null,
    state: row.state,
    reason: row.reason,
    createdAt: row.createdAt,
    delivered: row.delivered,
    failures: row.failures,
    deliveredAt: row.deliveredAt,
    failedAt: row.failedAt,
    failure: row.failure,
    excerpt: row.excerpt,
    failingSince: row.failingSince,
    nextAttemptAt: row.nextAt > now ? row.nextAt : null,
    behindSeconds: await behindSeconds(db, row, now),
    waitingDevices: row.waiting,
    oldestWaitingAt: row.waiting === 0 ? null : await oldestWaitingAt(db, row.id),
    deadLetters: row.deadLetters,
    snapshot: row.snapshot,
  };
}

/** The age of the first entry of the log that was not dealt with; 0 if there is none. */
export async function behindSeconds(
  db: Db,
  position: { readonly key: number; readonly no: number },
  now: Instant,
): Promise<number> {
  const [next] = await readEntries(db, position, 1);
  return next ? Math.max(0, (now - next.recordedAt) / 1000) : 0;
}

/** When the first of the events was recorded that wait for another attempt. */
async function oldestWaitingAt(db: Db, destinationId: string): Promise<Instant | null> {
  const first = await db
    .selectFrom('waitingDevice')
    .select(['key', 'no'])
    .where('destinationId', '=', destinationId)
    .orderBy('key')
    .orderBy('no')
    .limit(1)
    .executeTakeFirst();
  const [entry] = first ? await readEntries(db, first, 1) : [];
  return entry?.recordedAt ?? null;
}

/** Events that were given up, newest first. */
export async function listDeadLetters(
  db: Db,
  destinationId: string,
  limit: number,
): Promise<DeadLetterShown[]> {
  const rows = await db
    .selectFrom('deadLetter')
    .selectAll()
    .where('destinationId', '=', destinationId)
    .orderBy('at', 'desc')
    .orderBy('eventId')
    .limit(limit)
    .execute();
  return rows.map(({ eventId, kind, sn, sequence, reason, excerpt, at }) => ({
    eventId,
    kind: kindsOfBits(kind)[0]!,
    sn,
    sequence,
    reason,
    excerpt,
    at,
  }));
}

/** Deletes at most `limit` of those that were given up before a time; returns how many. By then, their events are no longer in the log. */
export async function pruneDeadLetters(db: Db, before: Instant, limit: number): Promise<number> {
  const old = await db
    .selectFrom('deadLetter')
    .select(['destinationId', 'eventId'])
    .where('at', '<', before)
    .limit(limit)
    .execute();
  for (const [destinationId, letters] of Map.groupBy(old, (letter) => letter.destinationId)) {
    const eventIds = listParameter(
      db,
      letters.map(({ eventId }) => eventId),
    );
    await db
      .deleteFrom('deadLetter')
      .where('destinationId', '=', destinationId)
      .where(anyOf(db, 'eventId', eventIds))
      .execute();
  }
  return old.length;
}

/** What a destination has not acknowledged. */
export async function reportGaps(db: Db, destinationId: string, now: Instant): Promise<GapReport> {
  const [shown] = await listDestinations(db, now, { id: destinationId });
  const waiting = await db
    .selectFrom('waitingDevice as w')
    .leftJoin('device', 'device.id', 'w.subject')
    .select(['device.sn', 'w.attempts', 'w.nextAt', 'w.reason', 'w.excerpt'])
    .where('w.destinationId', '=', destinationId)
    .orderBy('w.subject')
    .limit(1_000)
    .execute();
  const lost = await db
    .selectFrom('lostStretch')
    .select(['afterNo', 'untilNo', 'at'])
    .where('destinationId', '=', destinationId)
    .orderBy('afterNo')
    .execute();
  return {
    behindSeconds: shown!.behindSeconds,
    waiting: waiting.map(({ nextAt, ...device }) => ({ ...device, nextAttemptAt: nextAt })),
    deadLetters: shown!.deadLetters,
    lost: lost.map(({ afterNo, untilNo, at }) => ({ entries: untilNo - afterNo, at })),
  };
}
