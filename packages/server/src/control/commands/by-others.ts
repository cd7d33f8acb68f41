import type { WriteByOthers } from '@helioport/contract';
import { sql, type SqlBool } from 'kysely';
import type { Caller } from '../../identity/accounts/caller.ts';
import {
  reachParameters,
  visible,
  type Reach,
  type ReachParameters,
} from '../../fleet/plants/access.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { emailsOf, recordOfCommand } from './history.ts';

/** Which writes of others are listed. */
export interface ByOthers {
  readonly reach: Reach;
  /** Only commands older than the one with this id. */
  readonly before?: string | undefined;
  readonly unseen: boolean;
  readonly limit: number;
}

/** Higher than the id of any command. */
const NEWEST = '9'.repeat(19);

/** Whether somebody other than the owner of the plant requested a command. Applications act in their owners’ names. */
const isByOthers = sql<SqlBool>`(command."accountId" is null or command."accountId" != plant."ownerId"
  or command."grantId" is not null or command.door = 'operator')`;

const byOthers = prepareQuery(
  (db, p: ParameterOf<ReachParameters & { before: string; unseen: number; limit: number }>) => {
    const writes = visible(db, p)
      .innerJoin('command', 'command.plantId', 'plant.id')
      .innerJoin('device', 'device.id', 'command.deviceId')
      .selectAll('command')
      .select(['device.sn', 'device.kind', 'device.model', 'device.facts', 'plant.writesSeen'])
      .where('command.action', '=', sql.lit('write'))
      .where('command.id', '<', p('before'))
      .where(isByOthers)
      .orderBy('command.id', 'desc')
      .limit(p('limit'));
    return p.has('unseen')
      ? writes.where((eb) =>
          eb.or([
            eb('plant.writesSeen', 'is', null),
            eb('plant.writesSeen', '<', eb.ref('command.id')),
          ]),
        )
      : writes;
  },
);

/** The writes to plants of a reach that somebody other than the owner requested, newest first. */
export async function listByOthers(
  db: Db,
  caller: Caller,
  { reach, before = NEWEST, unseen, limit }: ByOthers,
): Promise<WriteByOthers[]> {
  const found = await byOthers(db, {
    ...reachParameters(db, reach),
    before,
    unseen: unseen ? 1 : 0,
    limit,
  });
  const emailOf = await emailsOf(db, caller, found);
  return found.map(({ sn, kind, model, facts, writesSeen, ...command }) => {
    const { deviceId: id, plantId } = command;
    const record = recordOfCommand({ id, plantId, sn, kind, model, facts }, command);
    return {
      ...record,
      byEmail: emailOf(command),
      plantId,
      seen: writesSeen !== null && command.id <= writesSeen,
    };
  });
}

/** When writes ended. */
type Ended = { readonly after: Instant; readonly until: Instant };

/** What somebody has written to the devices of a plant. */
export interface ChangesByOthers {
  /** As in the audit trail. */
  readonly actor: string;
  readonly plantName: string;
  readonly writes: number;
}

const changes = prepareQuery((db, p: ParameterOf<ReachParameters & Ended>) =>
  visible(db, p)
    .innerJoin('command', 'command.plantId', 'plant.id')
    .select(['command.actor', 'plant.name as plantName'])
    .select((eb) => eb.fn.countAll<number>().as('writes'))
    .where('command.action', '=', sql.lit('write'))
    .where('command.endedAt', '>', p('after'))
    .where('command.endedAt', '<=', p('until'))
    // What was done before the plant was the owner's is not reported any more.
    .whereRef('command.queuedAt', '>=', 'access.createdAt')
    // What was never sent has changed nothing.
    .where('command.sentAt', 'is not', null)
    .where(isByOthers)
    .groupBy(['command.actor', 'plant.id', 'plant.name'])
    .orderBy('writes', 'desc')
    .orderBy('plant.name'),
);

/** What others have written to the devices of a reach, as far as it ended within a time; the largest numbers first. */
export const countByOthers = (db: Db, reach: Reach, ended: Ended): Promise<ChangesByOthers[]> =>
  changes(db, { ...reachParameters(db, reach), ...ended });

/** Records that the owner of a plant has seen a write and all earlier ones. */
export async function markSeen(trx: Db, plantId: string, id: string): Promise<void> {
  await trx
    .updateTable('plant')
    .set({ writesSeen: id })
    .where('id', '=', plantId)
    .where((eb) => eb.or([eb('writesSeen', 'is', null), eb('writesSeen', '<', id)]))
    .execute();
}
