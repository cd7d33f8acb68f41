import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { createFieldLists } from '../../packages/server/src/series/field-lists.ts';
import type { Series } from '../../packages/server/src/series/port.ts';
import { createSqlSeries } from '../../packages/server/src/series/sql/sql-series.ts';
import type { Db } from '../../packages/server/src/storage/database.ts';
import { migrate } from '../../packages/server/src/storage/migrate.ts';
import { openStorage, type Storage } from '../../packages/server/src/storage/open.ts';
import { proving } from './effort.ts';
import { createMemorySeries } from './memory-series.ts';

/** A migrated, empty database of its own and its address; `drop` closes and removes it. */
export interface TestDatabase extends Storage {
  readonly address: string;
  drop(): Promise<void>;
}

export async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-test-'));
  const file = join(folder, 'helioport.db');
  copyFileSync(inject('sqliteTemplate'), file);
  return open(file, async () => rmSync(folder, { recursive: true, force: true }));
}

export async function createPostgresDatabase(): Promise<TestDatabase> {
  const clusterUrl = inject('postgresUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOn(clusterUrl, `create database ${name} template ${inject('postgresTemplate')} ${inject('postgresStrategy')}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return open(url.href, async () => void (await runOn(clusterUrl, `drop database ${name} with (force)`)));
}

async function open(address: string, remove: () => Promise<void>): Promise<TestDatabase> {
  const storage = openStorage(address);
  await migrate(storage.db, storage.engine, 0);
  return {
    ...storage,
    address,
    drop: async () => {
      await storage.close();
      await remove();
    },
  };
}

/** The settings by which a process of its own, or the command line, opens the same database. */
export const settingsOf = ({ engine, address }: TestDatabase): Record<string, string> => ({
  ...(engine === 'sqlite' ? { HELIOPORT_DATA_DIR: dirname(address) } : { HELIOPORT_DATABASE_URL: address }),
  HELIOPORT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
});

export async function runOn(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement);
  await client.end();
  return rows;
}

const suiteEngines = { SQLite: createSqliteDatabase, PostgreSQL: createPostgresDatabase };
type Engine = keyof typeof suiteEngines;
type Suite = (database: () => TestDatabase, engine: Engine) => void;

/**
 * Runs a behaviour suite on both engines, the real ones. `database()` is the suite's own database,
 * to be asked inside tests and hooks.
 */
export const describeEngines = (name: string, suite: Suite): void => describeOn(['SQLite', 'PostgreSQL'], name, suite);

/** Of what a server withstands, a long proof is on both engines, and a brief round on SQLite: a loaded machine says nothing of times on the slower one. */
export const describeLoad = (name: string, suite: Suite): void => describeOn(proving ? ['SQLite', 'PostgreSQL'] : ['SQLite'], name, suite);

function describeOn(engines: readonly Engine[], name: string, suite: Suite): void {
  for (const engine of engines) {
    describe.skipIf(engine === 'PostgreSQL' && inject('postgresUrl') === '')(`${name} on ${engine}`, () => {
      let current: TestDatabase;
      beforeAll(async () => {
        current = await suiteEngines[engine]();
      });
      afterAll(() => current.drop());
      suite(() => current, engine);
    });
  }
}

/** How an engine for the series is made over a main database. */
export type SeriesOf = (db: Db) => Series;

/**
 * Runs a behaviour suite on every engine for series, each beside a main database of the suite's own. `seriesOf` makes it, the same one
 * for the same database.
 */
export function describeSeriesEngines(name: string, suite: (database: () => TestDatabase, seriesOf: SeriesOf, engine: string) => void): void {
  const makers: Record<string, readonly [create: () => Promise<TestDatabase>, series: SeriesOf]> = {
    SQLite: [createSqliteDatabase, (db) => createSqlSeries(db)],
    PostgreSQL: [createPostgresDatabase, (db) => createSqlSeries(db)],
    'memory beside SQLite': [createSqliteDatabase, (db) => createMemorySeries(createFieldLists(db))],
    'memory beside PostgreSQL': [createPostgresDatabase, (db) => createMemorySeries(createFieldLists(db))],
  };
  for (const [engine, [create, make]] of Object.entries(makers)) {
    describe.skipIf(create === createPostgresDatabase && inject('postgresUrl') === '')(`${name} on ${engine}`, () => {
      let current: TestDatabase;
      const made = new WeakMap<Db, Series>();
      beforeAll(async () => {
        current = await create();
      });
      afterAll(() => current.drop());
      suite(
        () => current,
        (db) => {
          if (!made.has(db)) made.set(db, make(db));
          return made.get(db)!;
        },
        engine,
      );
    });
  }
}
