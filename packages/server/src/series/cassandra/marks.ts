import { types } from 'cassandra-driver';
import type { Mark } from '../port.ts';
import { eachOf } from '../../kernel/each-of.ts';
import type { Cluster, Row } from './cluster.ts';
import { rowsOfBindings } from './of-bindings.ts';

/**
 * Requests in which all marks are read, and how many of them at once. A node refuses a request that meets more than 100,000 remains of removed rows, and marks
 * come and go with each report.
 */
const PARTS = 256;
const PARTS_AT_ONCE = 16;

/** Marks of a cluster. */
export interface MarkTable {
  put(marks: readonly Mark[], timestamp: number): Promise<void>;
  remove(marks: readonly Mark[], timestamp: number): Promise<void>;
  of(bindings: readonly number[]): Promise<Mark[]>;
  all(): Promise<Mark[]>;
}

export function createMarkTable(cluster: Cluster): MarkTable {
  const table = `${cluster.address.keyspace}.mark`;
  const insert = `insert into ${table} (binding, attempt, day) values (?, ?, ?) using timestamp ?`;
  const insertWithSamples = `insert into ${table} (binding, attempt, day, series, from_at, to_at) values (?, ?, ?, ?, ?, ?) using timestamp ?`;
  return {
    put: (marks, timestamp) =>
      cluster.write(
        marks.map(({ binding, attempt, day, samples }) =>
          samples
            ? { query: insertWithSamples, params: [binding, attempt, day, samples.seriesId, samples.fromAt, samples.toAt, timestamp] }
            : { query: insert, params: [binding, attempt, day, timestamp] },
        ),
      ),
    remove: (marks, timestamp) =>
      cluster.write(
        marks.map(({ binding, attempt }) => ({
          query: `delete from ${table} using timestamp ? where binding = ? and attempt = ?`,
          params: [timestamp, binding, attempt],
        })),
      ),
    of: async (bindings) => (await rowsOfBindings(bindings, (group) => cluster.read(`select * from ${table} where binding in ?`, [group]))).map(markOf),
    async all() {
      const found: Mark[] = [];
      await eachOf(parts, PARTS_AT_ONCE, async (part) => {
        found.push(...(await cluster.read(`select * from ${table} where token(binding) > ? and token(binding) <= ?`, part)).map(markOf));
      });
      return found;
    },
  };
}

function markOf(row: Row): Mark {
  const mark: Mark = { binding: row['binding'] as number, attempt: row['attempt'] as string, day: row['day'] as number };
  if (row['series'] === null) return mark;
  return { ...mark, samples: { seriesId: row['series'] as number, fromAt: instantOf(row['from_at']), toAt: instantOf(row['to_at']) } };
}

/** Stretches of tokens, which spread evenly over 64 bits. */
const parts = Array.from({ length: PARTS }, (_, i) => [edge(i), edge(i + 1)] as const);

/** The lowest token belongs to no row. */
function edge(part: number): types.Long {
  return types.Long.fromString(String(((1n << 64n) * BigInt(part)) / BigInt(PARTS) - (1n << 63n) - (part === PARTS ? 1n : 0n)));
}

const instantOf = (value: unknown): number => (value as types.Long).toNumber();
