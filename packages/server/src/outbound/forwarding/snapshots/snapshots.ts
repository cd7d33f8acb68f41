import { eventKinds } from '@helioport/contract';
import type { Selectable } from 'kysely';
import type { Act } from '../../../identity/accounts/audit.ts';
import { numberSequences } from '../../../platform/events/sequences.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type {
  Db,
  DestinationTable,
  Instant,
  SnapshotTable,
} from '../../../platform/storage/database.ts';
import { armDestination } from '../destinations/shards.ts';

/** What a destination is sent of the present: plants, devices and newest values. */
export type Snapshot = Selectable<SnapshotTable>;

const PARTS = eventKinds['snapshot.plant'].bit | eventKinds['snapshot.device'].bit;

/**
 * Has a snapshot sent to a destination; its stream waits until every part was sent once. Returns its number, which no other snapshot of the application
 * has had. `parameter`: what the caller said it with. Throws invalidValue if the destination takes no snapshots, tooManyRequests.
 */
export async function beginSnapshot(
  trx: Db,
  act: Pick<Act, 'at'>,
  {
    id,
    applicationId,
    kinds,
  }: Pick<Selectable<DestinationTable>, 'id' | 'applicationId' | 'kinds'>,
  parameter: 'id' | 'snapshot',
): Promise<number> {
  if ((kinds & PARTS) === 0)
    throw refusedNow(parameter, 'a destination that takes snapshot.plant or snapshot.device');
  // Also makes callers wait for each other.
  const sequence = {
    subject: applicationId,
    kind: eventKinds['snapshot.complete'].bit,
    count: 1,
    plantId: null,
    accountId: '',
  };
  const [numbered] = await numberSequences(trx, [sequence], act.at);
  const former = await trx
    .selectFrom('snapshot')
    .select('state')
    .where('destinationId', '=', id)
    .executeTakeFirst();
  if (former?.state === 'sending')
    throw new Failure('tooManyRequests', {
      data: { retryAfterSeconds: 60 },
      message: 'a snapshot is being sent',
    });
  const number = numbered!.sequence;
  await trx.deleteFrom('snapshot').where('destinationId', '=', id).execute();
  await trx
    .insertInto('snapshot')
    .values({
      destinationId: id,
      number,
      state: 'sending',
      reason: null,
      createdAt: act.at,
      endedAt: null,
    })
    .execute();
  // The process that serves the destination lets go of it, and begins again with the snapshot.
  await trx
    .updateTable('destination')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await armDestination(trx, id, act.at);
  return number;
}

/** Snapshots of some destinations that may go on now. */
export const listSnapshots = (
  db: Db,
  destinationIds: readonly string[],
  now: Instant,
): Promise<Snapshot[]> =>
  db
    .selectFrom('snapshot')
    .selectAll()
    .where('endedAt', 'is', null)
    .where('nextAt', '<=', now)
    .where(anyOf(db, 'destinationId', listParameter(db, destinationIds)))
    .orderBy('destinationId')
    .execute();
