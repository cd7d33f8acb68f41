import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import { setShortcut, type DirectRun } from '../direct-run.ts';
import { isLocked, whenFree } from './lock-wait.ts';
import { PlannedOnceCompiler } from './query-compiler.ts';
import type { PoolLoad } from '../postgres/watched-pool.ts';
import { RolledBack } from '../transactions/rolled-back.ts';

export interface SqliteOptions {
  /** Path of the database file. */
  file: string;
  /** How long a write waits for another process's write, in milliseconds; default 5 s. Meanwhile, this process serves other requests. */
  busyTimeoutMs?: number;
}

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Kysely on node:sqlite: WAL, synchronous=FULL (an answered write survives a power cut), statements kept
 * prepared, write transactions begun IMMEDIATE one after the other, reads on a separate connection.
 */
export function createSqliteDialect({
  file,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
}: SqliteOptions): Dialect & { load(): PoolLoad } {
  const adapter = new ManyConnectionsAdapter();
  const turns = new Turns();
  return {
    load: () => turns.load(),
    createAdapter: () => adapter,
    createDriver: () => new SqliteDriver({ file, busyTimeoutMs }, adapter, turns),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new PlannedOnceCompiler(),
  };
}

/** Tells kysely that there is more than one connection; otherwise it would make reads wait for writes. */
class ManyConnectionsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #options: Required<SqliteOptions>;
  #writer!: PreparingConnection;
  #reader!: PreparingConnection;
  readonly #turn: Turns;
  readonly #adapter: DialectAdapter;

  constructor(options: Required<SqliteOptions>, adapter: DialectAdapter, turn: Turns) {
    this.#options = options;
    this.#adapter = adapter;
    this.#turn = turn;
  }

  async init(): Promise<void> {
    const { file, busyTimeoutMs } = this.#options;
    this.#writer = new PreparingConnection(new DatabaseSync(file, { timeout: busyTimeoutMs }));
    this.#writer.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -16384; pragma wal_autocheckpoint = 8000',
    );
    this.#reader = new PreparingConnection(
      new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true }),
    );
    this.#reader.exec('pragma cache_size = -16384; pragma mmap_size = 268435456');
    // SQLite itself would wait for locks on the thread that serves everybody. It no longer does from here on; `whenFree` waits instead.
    for (const connection of [this.#writer, this.#reader])
      connection.exec('pragma busy_timeout = 0');
    const read: DirectRun = (query) => {
      try {
        return this.#reader.run<any>(query).rows;
      } catch (error) {
        if (!isLocked(error)) throw error;
        return whenFree(busyTimeoutMs, () => this.#reader.run<any>(query).rows);
      }
    };
    setShortcut(this.#adapter, { run: read, takes: 'reads' });
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(
      this.#writer,
      this.#reader,
      this.#turn,
      this.#options.busyTimeoutMs,
    );
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    connection.end('commit');
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.end('rollback');
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    // Waits for a running transaction, so that closing never interrupts one.
    const release = await this.#turn.take();
    setShortcut(this.#adapter, undefined);
    // The writer is closed last, because a read-only connection cannot move the write-ahead log into the database file.
    this.#reader.close();
    this.#writer.close();
    release();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #writer: PreparingConnection;
  readonly #reader: PreparingConnection;
  readonly #turn: Turns;
  readonly #busyTimeoutMs: number;
  #release: (() => void) | undefined;
  #rolledBack = false;

  constructor(
    writer: PreparingConnection,
    reader: PreparingConnection,
    turn: Turns,
    busyTimeoutMs: number,
  ) {
    this.#writer = writer;
    this.#reader = reader;
    this.#turn = turn;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  async begin(): Promise<void> {
    const askedAt = performance.now();
    const release = await this.#turn.take();
    try {
      await whenFree(this.#busyTimeoutMs, () => this.#writer.exec('begin immediate'), askedAt);
    } catch (error) {
      release();
      throw error;
    }
    this.#release = release;
  }

  end(command: 'commit' | 'rollback'): void {
    const release = this.#release;
    this.#rolledBack = command === 'rollback';
    // The turn has already been given back, because SQLite has rolled back by itself. The next transaction may have begun and must not be ended here.
    if (!release) return;
    try {
      // A failed COMMIT usually leaves the transaction open; kysely then asks for the rollback.
      if (command === 'commit' || this.#writer.inTransaction) this.#writer.exec(command);
    } finally {
      if (command === 'rollback' || !this.#writer.inTransaction) {
        this.#release = undefined;
        release();
      }
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#release) return this.#writer.run(query);
    // kysely learns of a rollback a moment later. Statements that it lets through until then would be carried out outside of the transaction.
    if (this.#rolledBack) throw new RolledBack();
    // Only plain SELECTs may run alongside somebody else's transaction.
    if (query.query.kind === 'SelectQueryNode')
      return whenFree(this.#busyTimeoutMs, () => this.#reader.run(query));
    const askedAt = performance.now();
    const release = await this.#turn.take();
    try {
      return await whenFree(this.#busyTimeoutMs, () => this.#writer.run(query), askedAt);
    } finally {
      release();
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.#reader.iterate<R>(query)) yield { rows: [row] };
  }
}

const STATEMENTS_KEPT = 500;

class PreparingConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(script: string): void {
    this.#database.exec(script);
  }

  run<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, names, emptyRow } = this.#prepare(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (emptyRow)
      return { rows: rowsOf<R>(emptyRow, names, statement.all(...parameters) as never) };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // The statement does not come from the cache, where the next user of the same text would reset it during the iteration.
  iterate<R>(query: CompiledQuery): IterableIterator<R> {
    return this.#database
      .prepare(query.sql)
      .iterate(...(query.parameters as SQLInputValue[])) as unknown as IterableIterator<R>;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(text: string): Prepared {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = this.#database.prepare(text);
    const names = statement.columns().map(({ name }) => name);
    const prepared = {
      statement,
      names,
      emptyRow:
        names.length > 0 ? Object.fromEntries(names.map((name) => [name, null])) : undefined,
    };
    if (names.length > 0) statement.setReturnArrays(true);
    if (this.#statements.size >= STATEMENTS_KEPT)
      this.#statements.delete(this.#statements.keys().next().value!);
    this.#statements.set(text, prepared);
    return prepared;
  }
}

interface Prepared {
  statement: StatementSync;
  /** Names of its columns. */
  names: readonly string[];
  /** A row without values; undefined for a statement without rows. */
  emptyRow: Row | undefined;
}

type Row = Record<string, unknown>;

// Builds rows as objects of one shape. Those of node:sqlite are hash tables,
// several times slower to read and to spread (benchmarks/RESULTS.md, Signed list).
function rowsOf<R>(
  emptyRow: Row,
  names: readonly string[],
  values: readonly (readonly unknown[])[],
): R[] {
  return values.map((cells) => {
    const row = { ...emptyRow };
    for (let column = 0; column < names.length; column++) row[names[column]!] = cells[column];
    return row as R;
  });
}

/** Grants turns one after the other, in the order of the requests. */
class Turns {
  #tail: Promise<void> = Promise.resolve();
  /** How many have the turn or wait for it. */
  #asking = 0;

  async take(): Promise<() => void> {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    this.#asking += 1;
    await before;
    return () => {
      this.#asking -= 1;
      resolve();
    };
  }

  load(): PoolLoad {
    const busy = Math.min(1, this.#asking);
    return { busy, idle: 1 - busy, waiting: this.#asking - busy };
  }
}
