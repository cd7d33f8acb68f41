import { sql } from 'kysely';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import type { CommandState } from './life-cycle.ts';

/** How far a command is. */
export interface CommandChange {
  readonly id: string;
  readonly plantId: string;
  readonly state: CommandState;
}

/** Far more than are open at a time, except while a strategy begins in a whole fleet. */
const OPEN_AT_MOST = 2_000;

const columns = (db: Db) => db.selectFrom('command').select(['id', 'plantId', 'state']);

const open = prepareQuery<{ limit: number }, CommandChange>((db, p) =>
  columns(db).where('endedAt', 'is', null).orderBy('nextAt', 'desc').limit(p('limit')),
);
// One query for each action, since each has an index.
const ended = (action: 'read' | 'write') =>
  prepareQuery<{ since: Instant }, CommandChange>((db, p: ParameterOf<{ since: Instant }>) =>
    columns(db).where('action', '=', sql.lit(action)).where('endedAt', '>=', p('since')),
  );
const [endedReads, endedWrites] = [ended('read'), ended('write')];

/** The open commands, and those that have ended since. */
export async function recentCommands(db: Db, since: Instant): Promise<CommandChange[]> {
  const lists = await Promise.all([
    open(db, { limit: OPEN_AT_MOST }),
    endedReads(db, { since }),
    endedWrites(db, { since }),
  ]);
  return lists.flat();
}
