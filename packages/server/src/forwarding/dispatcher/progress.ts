import { eventKinds } from '@helioport/contract';
import { logBounds } from '../../events/read.ts';
import type { Position } from '../../events/position.ts';
import type { Db, Instant } from '../../storage/database.ts';
import type { Pending } from './outgoing.ts';

/** A device whose events wait, in memory. */
export interface Waiting {
  readonly subject: string;
  /** Position before the first entry that waits; in that one, events with a number below `sequence` have been dealt with. */
  position: Position;
  sequence: number;
  attempts: number;
  nextAt: Instant;
  reason: string;
  excerpt: string | null;
}

/** How far a destination is, in memory. */
export interface Progress {
  position: Position;
  probes: number;
  nextAt: Instant;
  failingSince: Instant | null;
  /** The last ones: circuit.ts. */
  outcomes: string;
  readonly waiting: Map<string, Waiting>;
  /** Whether the stream waits for a picture. */
  awaitsPicture: boolean;
}

/** What is to be stored of a destination. */
export interface Changes {
  readonly destinationId: string;
  readonly progress: Omit<Progress, 'waiting' | 'awaitsPicture'>;
  readonly delivered: number;
  readonly failures: number;
  readonly deliveredAt: Instant | undefined;
  readonly failure: { readonly at: Instant; readonly reason: string; readonly excerpt: string | null } | undefined;
  /** null = its events do not wait any more. */
  readonly waiting: ReadonlyMap<string, Waiting | null>;
  readonly deadLetters: readonly DeadLetter[];
}

/** An event that is given up. */
export interface DeadLetter {
  readonly pending: Pending;
  readonly reason: string;
  readonly excerpt: string | null;
  readonly at: Instant;
}

/** Reads how far a destination is. Notes what of the log was deleted before it got there. */
export async function loadProgress(db: Db, destinationId: string, now: Instant): Promise<Progress> {
  const row = await db.selectFrom('destinationProgress').selectAll().where('destinationId', '=', destinationId).executeTakeFirstOrThrow();
  const waiting = await db.selectFrom('waitingDevice').selectAll().where('destinationId', '=', destinationId).execute();
  const picture = await db.selectFrom('picture').select('state').where('destinationId', '=', destinationId).executeTakeFirst();
  await noteLost(db, destinationId, row.no, now);
  const { key, no, probes, nextAt, failingSince, outcomes } = row;
  return {
    position: { key, no },
    probes,
    nextAt,
    failingSince,
    outcomes,
    awaitsPicture: picture?.state === 'sending',
    waiting: new Map(waiting.map(({ destinationId: _, key: k, no: n, ...device }) => [device.subject, { ...device, position: { key: k, no: n } }])),
  };
}

async function noteLost(db: Db, destinationId: string, no: number, at: Instant): Promise<void> {
  const bounds = await logBounds(db);
  if (!bounds || bounds.first <= no + 1) return;
  await db
    .insertInto('lostStretch')
    .values({ destinationId, afterNo: no, untilNo: bounds.first - 1, at })
    .onConflict((conflict) => conflict.columns(['destinationId', 'afterNo']).doUpdateSet({ untilNo: bounds.first - 1, at }))
    .execute();
}

/** Stores what has changed of a destination, if it is still there. */
export async function saveChanges(trx: Db, changes: Changes): Promise<void> {
  const { destinationId, progress, delivered, failures, deliveredAt, failure, waiting, deadLetters } = changes;
  const { position, probes, nextAt, failingSince, outcomes } = progress;
  const { numUpdatedRows } = await trx
    .updateTable('destinationProgress')
    .set((eb) => ({
      ...position,
      probes,
      nextAt,
      failingSince,
      outcomes,
      delivered: eb('delivered', '+', delivered),
      failures: eb('failures', '+', failures),
      ...(deliveredAt !== undefined && { deliveredAt }),
      ...(failure && { failedAt: failure.at, failure: failure.reason, excerpt: failure.excerpt }),
    }))
    .where('destinationId', '=', destinationId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  for (const [subject, device] of waiting) {
    if (!device) {
      await trx.deleteFrom('waitingDevice').where('destinationId', '=', destinationId).where('subject', '=', subject).execute();
      continue;
    }
    const { position: at, sequence, attempts, nextAt: next, reason, excerpt } = device;
    const set = { ...at, sequence, attempts, nextAt: next, reason, excerpt };
    await trx
      .insertInto('waitingDevice')
      .values({ destinationId, subject, ...set })
      .onConflict((conflict) => conflict.columns(['destinationId', 'subject']).doUpdateSet(set))
      .execute();
  }
  for (const { pending, reason, excerpt, at } of deadLetters) {
    const { id: eventId, kind, subject, sn, sequence } = pending.event;
    await trx
      .insertInto('deadLetter')
      .values({ destinationId, eventId, kind: eventKinds[kind].bit, subject, sn, sequence, reason, excerpt, at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
