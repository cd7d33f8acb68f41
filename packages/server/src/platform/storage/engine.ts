import { PostgresAdapter, type Kysely } from 'kysely';

/** The two database engines. */
export type Engine = 'sqlite' | 'postgres';

/** Which engine a database or transaction runs on. */
export function engineOf(db: Kysely<any>): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** What both engines need, side by side: the form of the one that a database or transaction runs on. */
export const onEngine = <T>(db: Kysely<any>, forms: Readonly<Record<Engine, () => T>>): T =>
  forms[engineOf(db)]();
