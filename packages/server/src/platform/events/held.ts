import { sql } from 'kysely';
import type { Db, Instant } from '../storage/database.ts';
import { onEngine } from '../storage/engine.ts';
import { settledKey } from './position.ts';

/** Events that nobody can be sent yet, because a transaction that began before them is still open. */
export interface Held {
  /** When the first of them was recorded. */
  readonly since: Instant;
  /** Whose transaction it is. PostgreSQL shows that to every role. */
  readonly by: Holder;
}

interface Holder {
  /** The process of PostgreSQL; null for a transaction that was prepared. */
  readonly pid: number | null;
  readonly database: string;
  /** What the program calls itself, or the name of a prepared transaction. */
  readonly program: string;
}

/** Finds out whether an open transaction holds the log back, unless it ends just then. Only on PostgreSQL can there be one. */
export async function findHeld(db: Db): Promise<Held | undefined> {
  return onEngine(db, { sqlite: async () => undefined, postgres: () => findHeldEntry(db) });
}

async function findHeldEntry(db: Db): Promise<Held | undefined> {
  const first = await db
    .selectFrom('event')
    .select('recordedAt')
    .where('key', '>', sql.lit(0))
    .where('key', '>', settledKey)
    .orderBy('key')
    .orderBy('no')
    .limit(1)
    .executeTakeFirst();
  const by = first && (await findHolder(db));
  return by && { since: first.recordedAt, by };
}

/** The oldest write transaction of all databases of the cluster. */
async function findHolder(db: Db): Promise<Holder | undefined> {
  const { rows } = await sql<Holder>`
    select pid, database, program from (
      select pid, datname as database, application_name as program, age(backend_xid) as age
      from pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()
      union all
      select null, database, gid, age(transaction) from pg_prepared_xacts) as open
    order by age desc limit 1`.execute(db);
  return rows[0];
}
