import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { migrate } from '../../packages/server/src/platform/storage/migrate.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { startCassandra } from '../../test/support/cassandra/cluster.ts';
import { clusterAddress, openCassandraSeries } from '../../test/support/cassandra/series.ts';
import { startPostgres } from '../../test/support/postgres.ts';

/** One place for measurements, and all that a server needs to use it. */
export interface SeriesEngine {
  readonly name: string;
  readonly storage: Storage;
  readonly series: Series;
  /** Settings of a server that uses it. */
  readonly environment: Record<string, string>;
  /** Bytes on disk of samples and roll-ups: of all copies, without logs. */
  bytes(): Promise<{ readonly samples: number; readonly rollups: number }>;
  close(): Promise<void>;
}

export async function postgresEngine(): Promise<SeriesEngine> {
  const { storage, environment, close } = await openPostgres();
  const bytesOf = async (...tables: readonly string[]): Promise<number> => {
    const { rows } = await sql<{
      bytes: number;
    }>`select sum(pg_total_relation_size(oid))::int8 as bytes from pg_class where relname = any(${tables}) and relkind = 'r'`.execute(
      storage.db,
    );
    return rows[0]!.bytes;
  };
  return {
    name: 'PostgreSQL',
    storage,
    series: createSqlSeries(storage.db),
    environment,
    bytes: async () => ({
      samples: await bytesOf('sample'),
      rollups: await bytesOf('deviceDay', 'deviceMonth'),
    }),
    close,
  };
}

export async function cassandraEngine(jars: string, nodes: number): Promise<SeriesEngine> {
  const { storage, environment, close } = await openPostgres();
  const cluster = await startCassandra(jars, { nodes, commitlogSync: 'periodic' });
  const address = `cassandra://${cluster.ips.join(',')}:${cluster.port}/bench?dc=datacenter1&replication=${nodes}`;
  const series = await openCassandraSeries(clusterAddress(address), storage.db);
  return {
    name: `PostgreSQL with Cassandra, ${nodes} node${nodes > 1 ? 's, three copies' : ''}`,
    storage,
    series,
    environment: { ...environment, HELIOPORT_SERIES_URL: address },
    async bytes() {
      for (let node = 0; node < nodes; node++) {
        await cluster.nodetool(node, 'flush', 'bench');
        await cluster.nodetool(node, 'compact', 'bench');
      }
      const tables = cluster.folders.flatMap((folder) => {
        const place = join(folder, 'data', 'bench');
        return readdirSync(place).map((name) => ({ name, bytes: sizeOf(join(place, name)) }));
      });
      const sum = (names: RegExp): number =>
        tables.reduce((total, { name, bytes }) => total + (names.test(name) ? bytes : 0), 0);
      return { samples: sum(/^sample/), rollups: sum(/^device_/) };
    },
    async close() {
      await series.close();
      await close();
      await cluster.close();
    },
  };
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce(
    (sum, file) => sum + (file.isFile() ? statSync(join(folder, file.name)).size : 0),
    0,
  );

async function openPostgres() {
  const cluster = await startPostgres({ durable: true });
  const admin = new pg.Client({ connectionString: cluster.url });
  await admin.connect();
  await admin.query('create database bench');
  await admin.end();
  const url = Object.assign(new URL(cluster.url), { pathname: '/bench' }).href;
  const storage = openStorage(url);
  await migrate(storage.db, storage.engine, 0);
  return {
    storage,
    environment: {
      HELIOPORT_DATABASE_URL: url,
      HELIOPORT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    close: async () => {
      await storage.close();
      await cluster.stop();
    },
  };
}
