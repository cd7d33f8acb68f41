import { eventKinds } from '@helioport/contract';
import type { Selectable } from 'kysely';
import type { Act } from '../../../identity/accounts/audit.ts';
import { numberSequences } from '../../../platform/events/sequences.ts';
import { Failure, invalidValue } from '../../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type {
  Db,
  DestinationTable,
  Instant,
  PictureTable,
} from '../../../platform/storage/database.ts';
import { armDestination } from '../destinations/shards.ts';

/** What a destination is told of the present: plants, devices and newest values. */
export type Picture = Selectable<PictureTable>;

const PARTS = eventKinds['picture.plant'].bit | eventKinds['picture.device'].bit;

/**
 * Has a picture sent to a destination; its stream waits until every part was sent once. Returns its number, which no other picture of the application
 * has had. `parameter`: what the caller said it with. Throws invalidValue if the destination takes no pictures, tooManyRequests.
 */
export async function beginPicture(
  trx: Db,
  act: Pick<Act, 'at'>,
  {
    id,
    applicationId,
    kinds,
  }: Pick<Selectable<DestinationTable>, 'id' | 'applicationId' | 'kinds'>,
  parameter: 'id' | 'picture',
): Promise<number> {
  if ((kinds & PARTS) === 0)
    throw invalidValue(parameter, 'a destination that takes picture.plant or picture.device');
  // Also makes callers wait for each other.
  const sequence = {
    subject: applicationId,
    kind: eventKinds['picture.complete'].bit,
    count: 1,
    plantId: null,
    accountId: '',
  };
  const [numbered] = await numberSequences(trx, [sequence], act.at);
  const former = await trx
    .selectFrom('picture')
    .select('state')
    .where('destinationId', '=', id)
    .executeTakeFirst();
  if (former?.state === 'sending')
    throw new Failure('tooManyRequests', {
      data: { retryAfterSeconds: 60 },
      message: 'a picture is being sent',
    });
  const number = numbered!.sequence;
  await trx.deleteFrom('picture').where('destinationId', '=', id).execute();
  await trx
    .insertInto('picture')
    .values({
      destinationId: id,
      number,
      state: 'sending',
      reason: null,
      createdAt: act.at,
      endedAt: null,
    })
    .execute();
  // Whoever serves the destination lets go of it, and begins again with the picture.
  await trx
    .updateTable('destination')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await armDestination(trx, id, act.at);
  return number;
}

/** Pictures of some destinations that may go on now. */
export const listPictures = (
  db: Db,
  destinationIds: readonly string[],
  now: Instant,
): Promise<Picture[]> =>
  db
    .selectFrom('picture')
    .selectAll()
    .where('endedAt', 'is', null)
    .where('nextAt', '<=', now)
    .where(anyOf(db, 'destinationId', listParameter(db, destinationIds)))
    .orderBy('destinationId')
    .execute();
