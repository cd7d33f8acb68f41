import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { migrate } from '../../packages/server/src/platform/storage/migrate.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { findPostgres, startPostgres } from '../../test/support/postgres.ts';
import { postgresBulk, sqliteBulk, type Bulk } from './bulk.ts';

/** Opens databases of one engine for large fleets; each `open` makes a new one. */
export interface Engine {
  readonly name: string;
  open(): Promise<{ storage: Storage; bulk: Bulk }>;
  close(): Promise<void>;
}

function sqliteEngine(): Engine {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
  let count = 0;
  return {
    name: 'SQLite',
    async open() {
      const file = join(folder, `${++count}.db`);
      const storage = openStorage(file);
      await migrate(storage.db, storage.engine, 0);
      return { storage, bulk: sqliteBulk(file) };
    },
    close: async () => rmSync(folder, { recursive: true }),
  };
}

async function postgresEngine(): Promise<Engine> {
  const cluster = await startPostgres();
  let count = 0;
  return {
    name: 'PostgreSQL',
    async open() {
      const url = new URL(cluster.url);
      const admin = new pg.Client({ connectionString: url.href });
      await admin.connect();
      await admin.query(`create database fleet${++count}`);
      await admin.end();
      url.pathname = `/fleet${count}`;
      const storage = openStorage(url.href);
      await migrate(storage.db, storage.engine, 0);
      return { storage, bulk: await postgresBulk(url.href) };
    },
    close: () => cluster.stop(),
  };
}

const makers: Readonly<Record<string, () => Engine | Promise<Engine>>> = {
  sqlite: sqliteEngine,
  ...(findPostgres() && { postgres: postgresEngine }),
};

/** The engines to measure, opened one by one: those that HELIOPORT_BENCH_ENGINES names, else all that are there. */
export async function* wantedEngines(): AsyncGenerator<Engine> {
  const wanted = (process.env['HELIOPORT_BENCH_ENGINES'] ?? Object.keys(makers).join(',')).split(
    ',',
  );
  for (const [name, make] of Object.entries(makers)) {
    if (!wanted.includes(name)) continue;
    const engine = await make();
    try {
      yield engine;
    } finally {
      await engine.close();
    }
  }
}
