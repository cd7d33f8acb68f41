import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildPortal } from '../../scripts/lib/portal.mjs';
import { migrate } from '../../packages/server/src/platform/storage/migrate.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { findCassandra } from './cassandra/jars.ts';
import { offerCassandra } from './cassandra/shared.ts';
import { runOn } from './engines.ts';
import { findPostgres, startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of a PostgreSQL for the tests; empty on a machine without one. */
    postgresUrl: string;
    /** A migrated, empty database in it, of which each suite makes a copy: that is faster than migrating each. */
    postgresTemplate: string;
    /** How PostgreSQL is to copy it. */
    postgresStrategy: string;
    /** The same as a file. */
    sqliteTemplate: string;
    /** Where to ask for the address of a Cassandra node, which is started for the first who asks; empty on a machine without one. */
    cassandraUrl: string;
  }
}

/** The built portal, one PostgreSQL cluster for the whole run, and an empty database of each engine; every suite makes its own from these. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-template-'));
  const sqliteTemplate = join(folder, 'helioport.db');
  const [{ url, stop, template }, cassandraJars] = await Promise.all([
    migratedCluster(),
    findCassandra(),
    migrateEmpty(sqliteTemplate),
    buildPortal(fileURLToPath(new URL('../..', import.meta.url)), console.log),
  ]);
  project.provide('sqliteTemplate', sqliteTemplate);
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', template);
  project.provide('postgresStrategy', url === '' ? '' : await quickestCopy(url));
  const cassandra = cassandraJars === undefined ? undefined : await offerCassandra(cassandraJars);
  project.provide('cassandraUrl', cassandra?.url ?? '');
  return async () => {
    await cassandra?.close();
    if (url !== '') await runOn(url, `drop database ${template} with (force)`);
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function migratedCluster(): Promise<{
  url: string;
  stop: () => Promise<void>;
  template: string;
}> {
  const cluster = await findCluster();
  const template = `template_${randomBytes(8).toString('hex')}`;
  if (cluster.url !== '') {
    await runOn(cluster.url, `create database ${template}`);
    await migrateEmpty(Object.assign(new URL(cluster.url), { pathname: template }).href);
  }
  return { ...cluster, template };
}

async function migrateEmpty(address: string): Promise<void> {
  const { db, engine, close } = openStorage(address);
  await migrate(db, engine, 0);
  await close();
}

/** Where nothing waits for a disk, copying files takes half of the time of writing a copy to the log, which is usual from PostgreSQL 15 on. */
async function quickestCopy(url: string): Promise<string> {
  const [{ version, fsync }] = (await runOn(
    url,
    "select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync",
  )) as [{ version: number; fsync: string }];
  return version >= 150_000 && fsync === 'off' ? 'strategy file_copy' : '';
}

async function findCluster(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['HELIOPORT_TEST_POSTGRES_URL'];
  if (given !== undefined) return { url: given, stop: async () => {} };
  if (findPostgres()) return startPostgres();
  console.log('skipped: suites on PostgreSQL (not installed)');
  return { url: '', stop: async () => {} };
}
