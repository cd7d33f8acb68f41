import {
  decodeDay,
  decodeFirstAt,
  encodeDay,
  type FieldListSource,
} from '../../energy/codec/day-codec.ts';
import { decodeMonth, encodeMonth } from '../../energy/month-state.ts';
import type { DayRow, MonthRow } from '../port.ts';
import type { Cluster, Row, Statement } from './cluster.ts';
import { inGroups } from './in-groups.ts';

const INSTANT_BYTES = 8;
export const LAST_DAY = 2 ** 31 - 1;

/** Days and months of a cluster. Rows are in the order of binding and time. */
export interface RollupTables {
  puts(days: readonly DayRow[], months: readonly MonthRow[], timestamp: number): Statement[];
  remove(
    binding: number,
    days: readonly number[],
    months: readonly number[],
    timestamp: number,
  ): Promise<void>;
  /** Removes what was written before a timestamp. */
  removeBefore(binding: number, timestamp: number): Promise<void>;
  newest(bindings: readonly number[], count: number, beforeDay: number): Promise<Row[]>;
  first(bindings: readonly number[], count: number): Promise<Row[]>;
  days(bindings: readonly number[], fromDay: number, toDay: number): Promise<Row[]>;
  neighbour(binding: number, day: number, side: 'before' | 'after'): Promise<Row[]>;
  months(bindings: readonly number[], fromMonth: number, toMonth: number): Promise<MonthRow[]>;
}

export function createRollupTables(cluster: Cluster): RollupTables {
  const { keyspace } = cluster.address;
  const [day, month] = [`${keyspace}.device_day`, `${keyspace}.device_month`];
  const insertDay = `insert into ${day} (binding, day, state) values (?, ?, ?) using timestamp ?`;
  const insertMonth = `insert into ${month} (binding, month, state) values (?, ?, ?) using timestamp ?`;
  const ofMany = `select binding, day, state from ${day} where binding in ?`;
  const ofOne = `select binding, day, state from ${day} where binding = ?`;

  /** The rows of a query for many bindings, which gets some of them as its first parameter. */
  const ofBindings = (
    bindings: readonly number[],
    query: string,
    rest: readonly unknown[],
    read = cluster.read,
  ): Promise<Row[]> => inGroups(new Set(bindings), (group) => read(query, [group, ...rest]));

  return {
    puts: (days, months, timestamp) => [
      ...days.map((row): Statement => ({
        query: insertDay,
        params: [row.binding, row.day, encodeRow(row), timestamp],
      })),
      ...months.map((row): Statement => ({
        query: insertMonth,
        params: [row.binding, row.month, Buffer.from(encodeMonth(row.state)), timestamp],
      })),
    ],
    remove: (binding, days, months, timestamp) =>
      cluster.write([
        ...days.map((one) => ({
          query: `delete from ${day} using timestamp ? where binding = ? and day = ?`,
          params: [timestamp, binding, one],
        })),
        ...months.map((one) => ({
          query: `delete from ${month} using timestamp ? where binding = ? and month = ?`,
          params: [timestamp, binding, one],
        })),
      ]),
    removeBefore: (binding, timestamp) =>
      cluster.write(
        [day, month].map((table) => ({
          query: `delete from ${table} using timestamp ? where binding = ?`,
          params: [timestamp, binding],
        })),
      ),
    newest: async (bindings, count, beforeDay) =>
      (beforeDay === LAST_DAY
        ? await ofBindings(bindings, `${ofMany} per partition limit ?`, [count])
        : await ofBindings(bindings, `${ofMany} and day < ? per partition limit ?`, [
            beforeDay,
            count,
          ])
      ).toSorted(byDay),
    first: async (bindings, count) =>
      (
        await ofBindings(
          bindings,
          `${ofMany} order by day asc per partition limit ?`,
          [count],
          cluster.readFew,
        )
      ).toSorted(byDay),
    days: async (bindings, fromDay, toDay) =>
      (
        await ofBindings(bindings, `${ofMany} and day >= ? and day <= ?`, [fromDay, toDay])
      ).toSorted(byDay),
    neighbour: (binding, from, side) =>
      cluster.readSome(
        side === 'before'
          ? `${ofOne} and day < ? order by day desc limit ?`
          : `${ofOne} and day > ? order by day asc limit ?`,
        [binding, from],
        1,
      ),
    async months(bindings, fromMonth, toMonth) {
      const rows = await ofBindings(
        bindings,
        `select binding, month, state from ${month} where binding in ? and month >= ? and month <= ?`,
        [fromMonth, toMonth],
      );
      return rows
        .map((row): MonthRow => ({
          binding: row['binding'] as number,
          month: row['month'] as number,
          state: decodeMonth(row['state'] as Buffer),
        }))
        .toSorted((a, b) => a.binding - b.binding || a.month - b.month);
    },
  };
}

const byDay = (a: Row, b: Row): number =>
  (a['binding'] as number) - (b['binding'] as number) ||
  (a['day'] as number) - (b['day'] as number);

/** The instant of the last sample, float64 little-endian, and the encoded state. */
function encodeRow({ state }: DayRow): Buffer {
  const encoded = encodeDay(state);
  const bytes = Buffer.allocUnsafe(INSTANT_BYTES + encoded.length);
  bytes.writeDoubleLE(state.last.at, 0);
  bytes.set(encoded, INSTANT_BYTES);
  return bytes;
}

export function decodeDayRow(row: Row, listOf: FieldListSource): DayRow {
  const { lastAt, state } = partsOf(row);
  return {
    binding: row['binding'] as number,
    day: row['day'] as number,
    state: decodeDay(state, lastAt, listOf),
  };
}

/** When the first sample of a stored day was measured, epoch ms. */
export function firstAtOf(row: Row, listOf: FieldListSource): number {
  const { lastAt, state } = partsOf(row);
  return decodeFirstAt(state, lastAt, listOf);
}

function partsOf(row: Row): { readonly lastAt: number; readonly state: Buffer } {
  const bytes = row['state'] as Buffer;
  return { lastAt: bytes.readDoubleLE(0), state: bytes.subarray(INSTANT_BYTES) };
}
