import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import pg from 'pg';
import { migrate } from '../../packages/server/src/platform/storage/migrate.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { startPostgres } from '../../test/support/postgres.ts';

export type Row = [number, number, number, Buffer];

/** An engine to measure: our databases on it, and the simplest hand-written ways to store rows. */
export interface BenchEngine {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A migrated, empty database. */
  open(): Promise<Storage>;
  /** Stores rows durably by upserts. */
  readonly bare: (rows: readonly Row[]) => Promise<void>;
  /** Stores rows by COPY; only PostgreSQL. */
  readonly copy?: (rows: readonly Row[]) => Promise<void>;
  /** Updates the planner's statistics, as on a server that has run for a while. */
  analyze(storage: Storage): Promise<void>;
  /** Size of the database on disk, bytes. */
  bytes(storage: Storage): Promise<number>;
  close(): Promise<void>;
}

/** Measures on one engine after the other: on both, or on the one that HELIOPORT_BENCH_ENGINE names (sqlite, postgres). Resolves to whether it was both. */
export async function onEngines(measure: (engine: BenchEngine) => Promise<void>): Promise<boolean> {
  const only = process.env['HELIOPORT_BENCH_ENGINE'];
  for (const [name, open] of Object.entries({ sqlite: sqliteEngine, postgres: postgresEngine })) {
    if (only !== undefined && name !== only) continue;
    const engine = await open();
    try {
      await measure(engine);
    } finally {
      await engine.close();
    }
  }
  return only === undefined;
}

const UPSERT =
  'on conflict (series, at) do update set fields = excluded.fields, "values" = excluded."values"';

export async function sqliteEngine(): Promise<BenchEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
  let count = 0;
  const files = new Map<Storage, string>();
  const open = async (): Promise<Storage> => {
    const file = join(folder, `${++count}.db`);
    const storage = openStorage(file);
    await migrate(storage.db, storage.engine, 0);
    files.set(storage, file);
    return storage;
  };
  const plain = await open();
  await plain.close();
  const database = new DatabaseSync(files.get(plain)!);
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536; pragma wal_autocheckpoint = 8000',
  );
  const statement = database.prepare(
    `insert into sample (series, at, fields, "values") values (?, ?, ?, ?) ${UPSERT}`,
  );
  return {
    name: 'SQLite',
    open,
    bare: async (rows) => {
      database.exec('begin immediate');
      for (const [series, at, fields, values] of rows) statement.run(series, at, fields, values);
      database.exec('commit');
    },
    analyze: async () => {},
    bytes: async (storage) => {
      const file = files.get(storage)!;
      const other = new DatabaseSync(file);
      other.exec('pragma wal_checkpoint(truncate)');
      other.close();
      return statSync(file).size;
    },
    close: async () => {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export async function postgresEngine(): Promise<BenchEngine> {
  const cluster = await startPostgres({ durable: true });
  const admin = new pg.Client({ connectionString: cluster.url });
  await admin.connect();
  let count = 0;
  const open = async (): Promise<Storage & { url: string }> => {
    const url = new URL(cluster.url);
    url.pathname = `/bench${++count}`;
    await admin.query(`create database bench${count}`);
    const storage = openStorage(url.href);
    await migrate(storage.db, storage.engine, 0);
    return { ...storage, url: url.href };
  };
  const clients: pg.Client[] = [];
  const client = async (): Promise<pg.Client> => {
    const storage = await open();
    await storage.close();
    const made = new pg.Client({ connectionString: storage.url });
    await made.connect();
    clients.push(made);
    return made;
  };
  const [upserting, copying] = [await client(), await client()];
  const text = (rows: number): string =>
    `insert into sample (series, at, fields, "values") values ${Array.from({ length: rows }, (_, i) => `($${i * 4 + 1}, $${i * 4 + 2}, $${i * 4 + 3}, $${i * 4 + 4})`).join(', ')} ${UPSERT}`;
  return {
    name: 'PostgreSQL',
    open,
    bare: async (rows) =>
      void (await upserting.query({
        name: `rows${rows.length}`,
        text: text(rows.length),
        values: rows.flat(),
      })),
    copy: (rows) => copyRows(copying, rows),
    analyze: async ({ db }) => void (await sql`analyze`.execute(db)),
    bytes: async ({ db }) => {
      const { rows } = await sql<{ bytes: number }>`
        select sum(pg_total_relation_size(oid))::int8 as bytes from pg_class
        where relname in ('sample', 'deviceDay', 'deviceMonth', 'fieldList') and relkind = 'r'`.execute(
        db,
      );
      return rows[0]!.bytes;
    },
    close: async () => {
      await Promise.all(clients.map((each) => each.end()));
      await admin.end();
      await cluster.stop();
    },
  };
}

/** COPY in binary format, in one transaction. pg supports the messages, but has no call for it. */
function copyRows(client: pg.Client, rows: readonly Row[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  interface Wire {
    query(text: string): void;
    sendCopyFromChunk(chunk: Buffer): void;
    endCopyFrom(): void;
  }
  client.query({
    submit: (wire: Wire) =>
      wire.query('copy sample (series, at, fields, "values") from stdin (format binary)'),
    handleCopyInResponse: (wire: Wire) => {
      wire.sendCopyFromChunk(copyBytes(rows));
      wire.endCopyFrom();
    },
    handleCommandComplete: () => {},
    handleReadyForQuery: () => resolve(),
    handleError: reject,
  } as never);
  return promise;
}

function copyBytes(rows: readonly Row[]): Buffer {
  const head = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
  const parts = rows.map(([series, at, fields, values]) => {
    const row = Buffer.alloc(32);
    row.writeInt16BE(4, 0);
    row.writeInt32BE(4, 2);
    row.writeInt32BE(series, 6);
    row.writeInt32BE(8, 10);
    row.writeBigInt64BE(BigInt(at), 14);
    row.writeInt32BE(2, 22);
    row.writeInt16BE(fields, 26);
    row.writeInt32BE(values.length, 28);
    return Buffer.concat([row, values]);
  });
  return Buffer.concat([head, ...parts, Buffer.from([0xff, 0xff])]);
}
