import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';

export type Value = string | number | null | Uint8Array;

/** Writes rows in bulk, bypassing the product: one call per table, columns in order. */
export interface Bulk {
  insert(
    table: string,
    columns: Readonly<Record<string, string>>,
    rows: Iterable<readonly Value[]>,
  ): Promise<void>;
  /** Updates the planner's statistics, and flushes everything to disk. */
  finish(): Promise<void>;
}

export function sqliteBulk(file: string): Bulk {
  const database = new DatabaseSync(file);
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -500000; pragma foreign_keys = off',
  );
  return {
    async insert(table, columns, rows) {
      const names = Object.keys(columns);
      const statement = database.prepare(
        `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
      );
      database.exec('begin');
      for (const row of rows) statement.run(...(row as SQLInputValue[]));
      database.exec('commit');
    },
    async finish() {
      database.exec('analyze; pragma wal_checkpoint(truncate)');
      database.close();
    },
  };
}

const ROWS_AT_ONCE = 5_000;

/** `columns` has the type of each column, which PostgreSQL needs for arrays. */
export async function postgresBulk(url: string): Promise<Bulk> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The role `replica` skips the triggers that check foreign keys.
  await client.query('set session_replication_role = replica; set synchronous_commit = off');
  return {
    async insert(table, columns, rows) {
      const names = Object.keys(columns);
      const arrays = Object.values(columns).map((type, i) => `$${i + 1}::${type}[]`);
      const text = `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) overriding system value select * from unnest(${arrays.join(', ')})`;
      let batch: Value[][] = names.map(() => []);
      const flush = async (): Promise<void> => {
        if (batch[0]!.length > 0)
          await client.query({ name: `bulk-${table}`, text, values: batch });
        batch = names.map(() => []);
      };
      for (const row of rows) {
        for (const [i, value] of row.entries()) batch[i]!.push(value);
        if (batch[0]!.length === ROWS_AT_ONCE) await flush();
      }
      await flush();
    },
    async finish() {
      for (const [table, column] of [
        ['device', 'series'],
        ['binding', 'no'],
      ]) {
        await client.query(
          `select setval(pg_get_serial_sequence('"${table}"', '${column}'), (select max("${column}") from "${table}"))`,
        );
      }
      await client.query('vacuum analyze');
      await client.end();
    },
  };
}
