import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import { makeFolder } from '../kernel/files/make-folder.ts';
import type { Db, Tables } from './database.ts';
import { tellOfShortcut, type OnStatement } from './direct-run.ts';
import type { Engine } from './engine.ts';
import { createPostgresDialect } from './postgres/postgres.ts';
import { createSqliteDialect } from './sqlite/sqlite.ts';
import type { PoolLoad, TimeLimits } from './postgres/watched-pool.ts';
import type { WakeUps } from './wake-ups/port.ts';
import { createWakeUps } from './wake-ups/wake-up.ts';

export interface Storage {
  readonly engine: Engine;
  readonly db: Db;
  /** The use of its connections, and how many callers wait for one. */
  load(): PoolLoad;
  readonly wakeUps: WakeUps;
  close(): Promise<void>;
}

/**
 * Opens a database by address: `postgres://...` or the path of a SQLite file. Creates nothing but the file.
 * @param limits how long PostgreSQL may take; SQLite answers at once, and has its own limit for waiting for another process
 * @param onStatement is told of every statement
 */
export function openStorage(
  address: string,
  limits?: TimeLimits,
  onStatement?: OnStatement,
): Storage {
  const engine: Engine = /^postgres(ql)?:\/\//.test(address) ? 'postgres' : 'sqlite';
  if (engine === 'sqlite') makeFolder(dirname(address));
  const dialect =
    engine === 'postgres'
      ? createPostgresDialect({ url: address, ...(limits && { limits }) })
      : createSqliteDialect({ file: address });
  if (onStatement) tellOfShortcut(dialect.createAdapter(), onStatement);
  const db = new Kysely<Tables>({
    dialect,
    ...(onStatement && {
      log: ({ query, queryDurationMillis }) => onStatement(query.sql, queryDurationMillis),
    }),
  });
  const wakeUps = createWakeUps(engine, address);
  return {
    engine,
    db,
    wakeUps,
    load: () => dialect.load(),
    close: async () => {
      await wakeUps.close();
      await db.destroy();
    },
  };
}
