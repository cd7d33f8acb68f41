import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

export interface SqliteOptions {
  /** Path of the database file. */
  file: string;
  /** How long a write waits for another process's write, in milliseconds. */
  busyTimeoutMs?: number;
}

/**
 * Kysely on node:sqlite: WAL, synchronous=FULL (an answered write survives a power cut), statements kept
 * prepared, write transactions begun IMMEDIATE one after the other, reads on a connection of their own.
 */
export function createSqliteDialect(options: SqliteOptions): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class SqliteDriver implements Driver {
  readonly #options: SqliteOptions;
  #writer!: PreparingConnection;
  #reader!: PreparingConnection;
  readonly #turn = new Turns();

  constructor(options: SqliteOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    const { file, busyTimeoutMs = 5000 } = this.#options;
    this.#writer = new PreparingConnection(new DatabaseSync(file, { timeout: busyTimeoutMs }));
    this.#writer.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -65536');
    this.#reader = new PreparingConnection(new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true }));
    this.#reader.exec('pragma cache_size = -65536; pragma mmap_size = 268435456');
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this.#writer, this.#reader, this.#turn);
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
    // Waits for a running transaction, so that closing never cuts one.
    const release = await this.#turn.take();
    // The writer last: a read-only connection cannot put the write-ahead log into the database file.
    this.#reader.close();
    this.#writer.close();
    release();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #writer: PreparingConnection;
  readonly #reader: PreparingConnection;
  readonly #turn: Turns;
  #release: (() => void) | undefined;

  constructor(writer: PreparingConnection, reader: PreparingConnection, turn: Turns) {
    this.#writer = writer;
    this.#reader = reader;
    this.#turn = turn;
  }

  async begin(): Promise<void> {
    const release = await this.#turn.take();
    try {
      this.#writer.exec('begin immediate');
    } catch (error) {
      release();
      throw error;
    }
    this.#release = release;
  }

  end(command: 'commit' | 'rollback'): void {
    const release = this.#release;
    try {
      // A failed COMMIT leaves the transaction open; kysely then asks for the rollback.
      if (command === 'commit' || this.#writer.inTransaction) this.#writer.exec(command);
    } finally {
      if (command === 'rollback' || !this.#writer.inTransaction) {
        this.#release = undefined;
        release?.();
      }
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#release) return this.#writer.run(query);
    // Only plain SELECTs may run beside a transaction of somebody else.
    if (query.query.kind === 'SelectQueryNode') return this.#reader.run(query);
    const release = await this.#turn.take();
    try {
      return this.#writer.run(query);
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
    const { statement, returnsRows } = this.#prepare(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // Not from the cache: an iterated statement must not be reset by the next user of the same text.
  iterate<R>(query: CompiledQuery): IterableIterator<R> {
    return this.#database.prepare(query.sql).iterate(...(query.parameters as SQLInputValue[])) as unknown as IterableIterator<R>;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(text: string): Prepared {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = this.#database.prepare(text);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.delete(this.#statements.keys().next().value!);
    this.#statements.set(text, prepared);
    return prepared;
  }
}

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
}

/** One after the other, in the order of asking. */
class Turns {
  #tail: Promise<void> = Promise.resolve();

  async take(): Promise<() => void> {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    await before;
    return resolve;
  }
}
