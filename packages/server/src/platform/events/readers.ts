import { eventKinds } from '@helioport/contract';
import { sql, type Expression, type SqlBool } from 'kysely';
import type { Db } from '../storage/database.ts';
import { onEngine } from '../storage/engine.ts';
import { kindsByNumber, type InternalEvent, type InternalKind } from './internal.ts';
import { settledKey, type LogPosition } from './position.ts';

/** Readers of ours that remember how far they are, and what they read. Nothing of that is pruned before they have. */
export const storedReaders = {
  notifications: ['alarm.raised', 'alarm.cleared'],
} as const satisfies Record<string, readonly InternalKind[]>;

export type StoredReader = keyof typeof storedReaders;

/**
 * How far a reader of ours is. It need not read in order as destinations do, so that no open transaction holds it up: `ahead` are the numbers of the
 * entries beyond the position that it has read although others could still come before them.
 */
export interface ReaderPosition extends LogPosition {
  readonly ahead: readonly number[];
}

/** Each of them is looked at again every time. A reader that has so many waits for the open transaction, too. */
const AHEAD_AT_MOST = 1_000;

/** An entry of the log as our own readers get it. */
export interface LoggedChange {
  readonly kind: InternalKind;
  readonly plantId: string | null;
  readonly events: readonly Pick<InternalEvent, 'subject' | 'data'>[];
}

/** Entries of some kinds, other than samples, that a reader has not read, at most `limit`; and how far it is with them. */
export async function readChanges(
  db: Db,
  from: ReaderPosition,
  kinds: readonly InternalKind[],
  limit: number,
): Promise<{ readonly changes: readonly LoggedChange[]; readonly position: ReaderPosition }> {
  const byNumber = kindsByNumber(kinds);
  const atMost = limit + from.ahead.length;
  const waits = from.ahead.length >= AHEAD_AT_MOST;
  const isSettled = onEngine(db, {
    sqlite: () => sql<SqlBool>`true`,
    postgres: () => sql<SqlBool>`key <= ${settledKey}`,
  });
  const rows = await db
    .selectFrom('event')
    .select(['key', 'no', 'kind', 'plantId', 'events', isSettled.as('isSettled')])
    // As the index has it.
    .where('kind', '<>', sql.lit(eventKinds['telemetry.sample'].bit))
    .where('kind', 'in', [...byNumber.keys()])
    .where(isBeyond(db, from))
    .$if(waits, (entries) => entries.where(isSettled))
    .orderBy('key')
    .orderBy('no')
    .limit(atMost)
    .execute();
  const read = new Set(from.ahead);
  const changes = rows
    .filter(({ no }) => !read.has(no))
    .map(({ kind, plantId, events }) => ({
      kind: byNumber.get(kind)!,
      plantId,
      events: JSON.parse(events) as LoggedChange['events'],
    }));
  const { key, no } = rows.findLast(({ isSettled }) => isSettled) ?? from;
  const ahead = rows.filter(({ isSettled }) => !isSettled).map((row) => row.no);
  // Those that are not on this page come again.
  if (waits || rows.length === atMost) {
    const seen = new Set(rows.map((row) => row.no));
    ahead.push(...from.ahead.filter((one) => !seen.has(one)));
  }
  return { changes, position: { key, no, ahead } };
}

const isBeyond = (db: Db, { key, no }: LogPosition) =>
  onEngine(db, {
    sqlite: () => sql<SqlBool>`key = 0 and no > ${no}`,
    postgres: () => sql<SqlBool>`(key, no) > (${key}, ${no})`,
  });

export async function findReaderPosition(db: Db, name: StoredReader): Promise<ReaderPosition> {
  const { key, no, ahead } = await db
    .selectFrom('logReader')
    .select(['key', 'no', 'ahead'])
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return { key, no, ahead: JSON.parse(ahead) as number[] };
}

/** Moves a reader on, in the transaction that deals with what it has read. Returns false if another process has done that meanwhile. */
export async function moveReader(
  trx: Db,
  name: StoredReader,
  from: ReaderPosition,
  to: ReaderPosition,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('logReader')
    .set({ key: to.key, no: to.no, ahead: JSON.stringify(to.ahead) })
    .where('name', '=', name)
    .where('key', '=', from.key)
    .where('no', '=', from.no)
    .where('ahead', '=', JSON.stringify(from.ahead))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The entries that some stored reader has still to read. */
export async function unreadEntries(db: Db): Promise<Expression<SqlBool>> {
  const names = Object.keys(storedReaders) as StoredReader[];
  const each = names.map(async (name) => {
    const { key, no } = await findReaderPosition(db, name);
    const numbers = sql.join([...kindsByNumber(storedReaders[name]).keys()]);
    return sql<SqlBool>`(kind in (${numbers}) and (key, no) > (${key}, ${no}))`;
  });
  return sql<SqlBool>`(${sql.join(await Promise.all(each), sql` or `)})`;
}
