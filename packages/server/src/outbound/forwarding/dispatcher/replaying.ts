import type { Selectable } from 'kysely';
import { isAfter } from '../../../platform/events/position.ts';
import { readEntries } from '../../../platform/events/read.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant, ReplayTable } from '../../../platform/storage/database.ts';
import type { Transact } from '../../../platform/storage/transactions/transact.ts';
import { deliveryPauseAfter, type Random } from '../../delivery/schedule.ts';
import type { DestinationDelivery } from './delivery.ts';
import { createFilter } from './filter.ts';
import { before } from './permission.ts';

type Replay = Selectable<ReplayTable>;

export interface ReplayDeps {
  readonly db: Db;
  readonly transaction: Transact;
  readonly signal: AbortSignal;
  readonly random: Random;
  now(): Instant;
}

const ENTRIES_AT_ONCE = 50;

/** Replays of some destinations that may go on now. */
export const listReplays = (
  db: Db,
  destinationIds: readonly string[],
  now: Instant,
): Promise<Replay[]> =>
  db
    .selectFrom('replay')
    .selectAll()
    .where('state', '=', 'running')
    .where('nextAt', '<=', now)
    .where(anyOf(db, 'destinationId', listParameter(db, destinationIds)))
    .orderBy('id')
    .execute();

/** Sends the events of a replay until it is done, an attempt fails, or nothing may be sent for now. */
export async function serveReplay(
  { db, transaction, signal, random, now }: ReplayDeps,
  delivery: DestinationDelivery,
  replay: Replay,
): Promise<void> {
  const select = createFilter(delivery.destination);
  const last = { key: replay.lastKey, no: replay.lastNo };
  let { attempts } = replay;
  let position = { key: replay.key, no: replay.no };
  while (!signal.aborted && !delivery.isHeld()) {
    const entries = (await readEntries(db, position, ENTRIES_AT_ONCE)).filter(
      (entry) => !isAfter(entry, last),
    );
    const wanted = select(
      entries.filter(
        ({ recordedAt }) => recordedAt >= replay.fromAt && recordedAt < replay.untilAt,
      ),
    ).filter(
      ({ event }) =>
        (replay.sn === null || event.sn === replay.sn) &&
        (replay.eventId === null || event.id === replay.eventId),
    );
    const { failed, untried, delivered, withheld } = await delivery.again(wanted);
    const stuck = [...untried, ...[...failed.values()].map(({ pending }) => pending)].toSorted(
      (a, b) => (isAfter(a.entry, b.entry) ? 1 : -1),
    )[0];
    const [problem] = failed.values();
    const isDone = !stuck && entries.length < ENTRIES_AT_ONCE;
    position = stuck ? before(stuck.entry) : (entries.at(-1) ?? position);
    attempts = problem ? attempts + 1 : 0;
    const pause = problem ? deliveryPauseAfter(attempts, random()) : 0;
    const ended = isDone
      ? ('done' as const)
      : pause === undefined
        ? ('failed' as const)
        : undefined;
    await transaction(async (trx) => {
      await trx
        .updateTable('replay')
        .set((eb) => ({
          key: position.key,
          no: position.no,
          attempts,
          nextAt: now() + (pause ?? 0),
          delivered: eb('delivered', '+', delivered.length),
          ...(problem && { reason: problem.outcome.reason }),
          ...(ended && { state: ended, endedAt: now() }),
        }))
        .where('id', '=', replay.id)
        .execute();
      await trx
        .deleteFrom('deadLetter')
        .where('destinationId', '=', replay.destinationId)
        .where(
          anyOf(
            trx,
            'eventId',
            listParameter(
              trx,
              [...delivered, ...withheld].map(({ event }) => event.id),
            ),
          ),
        )
        .execute();
    });
    if (ended || stuck) return;
  }
}
