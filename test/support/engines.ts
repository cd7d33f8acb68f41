import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject } from 'vitest';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { migrate } from '../../packages/server/src/platform/storage/migrate.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { clusterAddress, openCassandraSeries } from './cassandra/series.ts';
import { newKeyspace } from './cassandra/shared.ts';
import { proving } from './effort.ts';
import { isOnOneEngine } from '../tiers.ts';
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
  await runOn(
    clusterUrl,
    `create database ${name} template ${inject('postgresTemplate')} ${inject('postgresStrategy')}`,
  );
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return open(
    url.href,
    async () => void (await runOn(clusterUrl, `drop database ${name} with (force)`)),
  );
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
  ...(engine === 'sqlite'
    ? { HELIOPORT_DATA_DIR: dirname(address) }
    : { HELIOPORT_DATABASE_URL: address }),
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
 * Runs a behaviour suite on both engines, the real ones; on PostgreSQL only in `npm run prove` where `test/tiers.ts` says so.
 * `database()` is the suite's own database, to be asked inside tests and hooks.
 */
export const describeEngines = (name: string, suite: Suite): void =>
  describeOn(
    proving || !isOnOneEngine(expect.getState().testPath!) ? ['SQLite', 'PostgreSQL'] : ['SQLite'],
    name,
    suite,
  );

/** Of what a server withstands, a long proof is on both engines, and a brief round on SQLite: it says little more on the slower one, whose times on a loaded machine say nothing. */
export const describeLoad = (name: string, suite: Suite): void =>
  describeOn(proving ? ['SQLite', 'PostgreSQL'] : ['SQLite'], name, suite);

/** What only PostgreSQL has to do. */
export const describePostgres = (name: string, suite: Suite): void =>
  describeOn(['PostgreSQL'], name, suite);

function describeOn(engines: readonly Engine[], name: string, suite: Suite): void {
  for (const engine of engines) {
    describe.skipIf(engine === 'PostgreSQL' && inject('postgresUrl') === '')(
      `${name} on ${engine}`,
      () => {
        let current: TestDatabase;
        beforeAll(async () => {
          current = await suiteEngines[engine]();
        });
        afterAll(() => current.drop());
        suite(() => current, engine);
      },
    );
  }
}

/** How an engine for the series is made over a main database. */
export type SeriesOf = (db: Db) => Series;

/** Makes the series of a suite, once its main database is there; the last part closes them. */
type SeriesMaker = (
  database: TestDatabase,
) => Promise<readonly [SeriesOf, close: () => Promise<void>]>;

const sql: SeriesMaker = async () => [oncePerDatabase((db) => createSqlSeries(db)), async () => {}];
const memory: SeriesMaker = async () => [
  oncePerDatabase((db) => createMemorySeries(createFieldLists(db))),
  async () => {},
];
const cassandra: SeriesMaker = async ({ db }) => {
  const series = await openCassandraSeries(clusterAddress(await newKeyspace()), db);
  return [() => series, () => series.close()];
};

function oncePerDatabase(make: SeriesOf): SeriesOf {
  const made = new WeakMap<Db, Series>();
  return (db) => {
    if (!made.has(db)) made.set(db, make(db));
    return made.get(db)!;
  };
}

export const seriesEngines: Record<
  string,
  readonly [create: () => Promise<TestDatabase>, series: SeriesMaker]
> = {
  SQLite: [createSqliteDatabase, sql],
  PostgreSQL: [createPostgresDatabase, sql],
  'memory beside SQLite': [createSqliteDatabase, memory],
  'memory beside PostgreSQL': [createPostgresDatabase, memory],
  'Cassandra beside PostgreSQL': [createPostgresDatabase, cassandra],
  ...(proving && { 'Cassandra beside SQLite': [createSqliteDatabase, cassandra] as const }),
};

/** Whether a machine lacks what an engine for series needs. */
export const isMissing = (engine: string): boolean =>
  (engine.includes('PostgreSQL') && inject('postgresUrl') === '') ||
  (engine.includes('Cassandra') && inject('cassandraUrl') === '');

type SeriesSuite = (database: () => TestDatabase, seriesOf: SeriesOf, engine: string) => void;

/**
 * Runs a behaviour suite on every engine for series, each beside a main database of the suite's own. `seriesOf` makes it, the same one
 * for the same database.
 */
export const describeSeriesEngines = (name: string, suite: SeriesSuite): void =>
  describeSeriesEnginesOn(/./, name, suite);

/** Runs a suite on the engines whose names match. */
export function describeSeriesEnginesOn(wanted: RegExp, name: string, suite: SeriesSuite): void {
  for (const [engine, [create, make]] of Object.entries(seriesEngines)) {
    if (!wanted.test(engine)) continue;
    describe.skipIf(isMissing(engine))(`${name} on ${engine}`, () => {
      let current: TestDatabase;
      let made: Awaited<ReturnType<SeriesMaker>>;
      beforeAll(async () => {
        current = await create();
        made = await make(current);
      }, 240_000);
      afterAll(async () => {
        await made[1]();
        await current.drop();
      });
      suite(
        () => current,
        (db) => made[0](db),
        engine,
      );
    });
  }
}

/** A suite with the series on the run's node, in a keyspace of its own, beside a main database on SQLite. */
export function describeCassandra(
  name: string,
  body: (database: () => TestDatabase, series: () => Series) => void,
): void {
  describe.skipIf(inject('cassandraUrl') === '')(`${name} on Cassandra`, () => {
    let database: TestDatabase;
    let series: Series;
    beforeAll(async () => {
      database = await createSqliteDatabase();
      series = await openCassandraSeries(clusterAddress(await newKeyspace()), database.db);
    }, 240_000);
    afterAll(async () => {
      await series.close();
      await database.drop();
    });

    body(
      () => database,
      () => series,
    );
  });
}
