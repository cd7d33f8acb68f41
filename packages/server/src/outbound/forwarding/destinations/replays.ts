import type { Act } from '../../../identity/accounts/audit.ts';
import { headPosition, type LogPosition } from '../../../platform/events/position.ts';
import {
  entryNumberOf,
  findEntryAt,
  findEntryOf,
  logBounds,
} from '../../../platform/events/read.ts';
import { invalidValue, refusedNow } from '../../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { withinBounds } from '../../../platform/storage/bounds/within.ts';
import { armDestination } from './shards.ts';

/** What is to be sent once more. */
export interface WantedReplay {
  readonly eventId?: string | undefined;
  /** Recorded from this time on, epoch ms. */
  readonly from?: Instant | undefined;
  /** Recorded before this time; until now, if undefined. */
  readonly until?: Instant | undefined;
  readonly sn?: string | undefined;
  /** All events that were given up. */
  readonly deadLetters?: boolean | undefined;
}

/** Dead letters that one call sends again, of so many that it looks at. */
const LETTERS_AT_ONCE = 50;
const LETTERS_AT_MOST = 10_000;

/**
 * Begins to send events once more, beside those that happen now. Returns the ids of the replays. Throws invalidValue for an event that the log no
 * longer has or that is none, and for a time before the log begins; tooManyRequests.
 */
export async function beginReplays(
  trx: Db,
  act: Act,
  destinationId: string,
  wanted: WantedReplay,
): Promise<string[]> {
  const ids: string[] = [];
  const stretches = await stretchesOf(trx, act, destinationId, wanted);
  await withinBounds(
    trx,
    'runningReplays',
    { destinationId },
    { at: act.at, adding: stretches.length },
  );
  for (const stretch of stretches) {
    const id = act.newId();
    await trx
      .insertInto('replay')
      .values({
        id,
        destinationId,
        ...stretch,
        state: 'running',
        reason: null,
        createdAt: act.at,
        endedAt: null,
      })
      .execute();
    ids.push(id);
  }
  await armDestination(trx, destinationId, act.at);
  return ids;
}

interface Stretch extends LogPosition {
  readonly lastKey: number;
  readonly lastNo: number;
  readonly fromAt: Instant;
  readonly untilAt: Instant;
  readonly sn: string | null;
  readonly eventId: string | null;
}

async function stretchesOf(
  trx: Db,
  act: Act,
  destinationId: string,
  { eventId, from, until, sn, deadLetters }: WantedReplay,
): Promise<Stretch[]> {
  if (deadLetters) {
    const letters = await trx
      .selectFrom('deadLetter')
      .select('eventId')
      .where('destinationId', '=', destinationId)
      .orderBy('at')
      .limit(LETTERS_AT_MOST)
      .execute();
    // Those that the log has lost stay on the list, and must not stand in the way of others.
    const first = (await logBounds(trx))?.first ?? Infinity;
    const kept = letters.filter(({ eventId: id }) => (entryNumberOf(id) ?? 0) >= first);
    const stretches: Stretch[] = [];
    for (const letter of kept.slice(0, LETTERS_AT_ONCE)) {
      const stretch = await stretchOfEvent(trx, letter.eventId);
      if (stretch) stretches.push(stretch);
    }
    return stretches;
  }
  if (eventId !== undefined) {
    const stretch = await stretchOfEvent(trx, eventId);
    if (!stretch) throw refusedNow('eventId', 'the id of an event that the log still has');
    return [stretch];
  }
  const fromAt = from ?? 0;
  const untilAt = until ?? Math.max(act.at, fromAt) + 1;
  if (untilAt <= fromAt) throw invalidValue('until', 'a time after from');
  await checkKept(trx, from);
  const start = await positionBefore(trx, fromAt);
  const { key: lastKey, no: lastNo } = await headPosition(trx);
  return start
    ? [{ ...start, lastKey, lastNo, fromAt, untilAt, sn: sn ?? null, eventId: null }]
    : [];
}

async function stretchOfEvent(db: Db, eventId: string): Promise<Stretch | undefined> {
  const entry = await findEntryOf(db, eventId);
  return (
    entry && {
      key: entry.key,
      no: entry.no - 1,
      lastKey: entry.key,
      lastNo: entry.no,
      fromAt: entry.recordedAt,
      untilAt: entry.recordedAt + 1,
      sn: null,
      eventId,
    }
  );
}

/** A replay from before the log begins would look complete without being so. */
async function checkKept(db: Db, from: Instant | undefined): Promise<void> {
  if (from === undefined) return;
  const oldest = await db
    .selectFrom('event')
    .select(['no', 'recordedAt'])
    .orderBy('no')
    .limit(1)
    .executeTakeFirst();
  if (oldest && oldest.no > 1 && from < oldest.recordedAt)
    throw refusedNow('from', `a time that the log still has: ${oldest.recordedAt} or later`);
}

// Entries that were appended about then may stand in another order than by time.
const NEIGHBOURS = 1_000;

async function positionBefore(db: Db, at: Instant): Promise<LogPosition | undefined> {
  const no = await findEntryAt(db, at);
  if (no === undefined) return undefined;
  const near = await db
    .selectFrom('event')
    .select('key')
    .where('no', '>=', no)
    .orderBy('no')
    .limit(NEIGHBOURS)
    .execute();
  const key = Math.min(...near.map((entry) => entry.key));
  return { key, no: key === 0 ? no - 1 : 0 };
}
