import { types } from 'cassandra-driver';
import type { Mark } from '../port.ts';
import { eachOf } from '../../../platform/kernel/each-of.ts';
import type { Cluster, Row, Statement } from './cluster.ts';
import { inGroups } from './in-groups.ts';

/** Neighbouring bindings whose marks are one partition: they are usually of one fleet, so that its reports and lists ask for few of them. */
const BINDINGS_A_PART = 32;

/** Requests in which all marks are read, and how many of them at once. A node refuses a request that meets more than 100,000 remains of removed rows. */
const STRETCHES = 256;
const STRETCHES_AT_ONCE = 16;

/** Marks of a cluster. */
export interface MarkTable {
  put(marks: readonly Mark[], timestamp: number): Promise<void>;
  remove(marks: readonly Mark[], timestamp: number): Promise<void>;
  of(bindings: readonly number[]): Promise<Mark[]>;
  all(): Promise<Mark[]>;
}

/** Rows are those of writers, which use them again for each attempt: otherwise, the remains of all marks of an hour would be in the way of a reader that looks for some. */
export function createMarkTable(cluster: Cluster): MarkTable {
  const table = `${cluster.address.keyspace}.binding_mark`;
  const insert = `insert into ${table} (part, binding, writer, attempt, day, series, from_at, to_at) values (?, ?, ?, ?, ?, ?, ?, ?) using timestamp ?`;
  const remove = `delete from ${table} using timestamp ? where part = ? and binding = ? and writer = ?`;
  const ofOne = `select * from ${table} where part = ? and binding = ?`;
  const ofParts = `select * from ${table} where part in ?`;

  const inParts = (
    marks: readonly Mark[],
    statementOf: (mark: Mark, part: number) => Statement,
  ): Statement[] =>
    marks.map((mark) => ({
      partition: partOf(mark.binding),
      ...statementOf(mark, partOf(mark.binding)),
    }));

  return {
    put: (marks, timestamp) =>
      cluster.write(
        inParts(marks, ({ binding, attempt, day, samples }, part) => ({
          query: insert,
          params: [
            part,
            binding,
            writerOf(attempt),
            attempt,
            day,
            samples?.seriesId,
            samples?.fromAt,
            samples?.toAt,
            timestamp,
          ],
        })),
      ),
    remove: (marks, timestamp) =>
      cluster.write(
        inParts(marks, ({ binding, attempt }, part) => ({
          query: remove,
          params: [timestamp, part, binding, writerOf(attempt)],
        })),
      ),
    async of(bindings) {
      const wanted = new Set(bindings);
      const [first] = wanted;
      if (wanted.size === 1)
        return (await cluster.read(ofOne, [partOf(first!), first])).map(markOf);
      const rows = await inGroups(new Set(bindings.map(partOf)), (parts) =>
        cluster.read(ofParts, [parts]),
      );
      return rows.map(markOf).filter(({ binding }) => wanted.has(binding));
    },
    async all() {
      const found: Mark[] = [];
      await eachOf(stretches, STRETCHES_AT_ONCE, async (stretch) => {
        found.push(
          ...(
            await cluster.read(
              `select * from ${table} where token(part) > ? and token(part) <= ?`,
              stretch,
            )
          ).map(markOf),
        );
      });
      return found;
    },
  };
}

const partOf = (binding: number): number => Math.floor(binding / BINDINGS_A_PART);

/** An attempt is called WRITER/NUMBER. */
const writerOf = (attempt: string): string => attempt.split('/', 1)[0]!;

function markOf(row: Row): Mark {
  const mark: Mark = {
    binding: row['binding'] as number,
    attempt: row['attempt'] as string,
    day: row['day'] as number,
  };
  if (row['series'] === null) return mark;
  return {
    ...mark,
    samples: {
      seriesId: row['series'] as number,
      fromAt: instantOf(row['from_at']),
      toAt: instantOf(row['to_at']),
    },
  };
}

/** Stretches of tokens, which spread evenly over 64 bits. */
const stretches = Array.from({ length: STRETCHES }, (_, i) => [edge(i), edge(i + 1)] as const);

/** The lowest token belongs to no row. */
function edge(stretch: number): types.Long {
  return types.Long.fromString(
    String(
      ((1n << 64n) * BigInt(stretch)) / BigInt(STRETCHES) -
        (1n << 63n) -
        (stretch === STRETCHES ? 1n : 0n),
    ),
  );
}

const instantOf = (value: unknown): number => (value as types.Long).toNumber();
