import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import type { Db, Tables } from './database.ts';
import type { Engine } from './engine.ts';
import { createPostgresDialect } from './postgres.ts';
import { createSqliteDialect } from './sqlite.ts';

export interface Storage {
  readonly engine: Engine;
  readonly db: Db;
  close(): Promise<void>;
}

/** Opens a database by address: `postgres://...` or the path of a SQLite file. Creates nothing but the file. */
export function openStorage(address: string): Storage {
  const engine: Engine = /^postgres(ql)?:\/\//.test(address) ? 'postgres' : 'sqlite';
  if (engine === 'sqlite') mkdirSync(dirname(address), { recursive: true });
  const dialect = engine === 'postgres' ? createPostgresDialect({ url: address }) : createSqliteDialect({ file: address });
  const db = new Kysely<Tables>({ dialect });
  return { engine, db, close: () => db.destroy() };
}
