import { setImmediate } from 'node:timers/promises';
import {
  decodeDay,
  decodeFirstAt,
  encodeDay,
} from '../../packages/server/src/measurements/energy/codec/day-codec.ts';
import {
  decodeMonth,
  encodeMonth,
} from '../../packages/server/src/measurements/energy/month-state.ts';
import type { DaySample } from '../../packages/server/src/measurements/energy/day-state.ts';
import type { DbHandle } from '../../packages/server/src/measurements/series/db-handle.ts';
import type { FieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import type {
  DayRow,
  Mark,
  MonthRow,
  Series,
} from '../../packages/server/src/measurements/series/port.ts';
import { StorageAway } from '../../packages/server/src/platform/storage/away.ts';

/** The engine was not there. */
export class MemoryAway extends StorageAway {}

interface StoredSample {
  readonly fields: number;
  readonly values: readonly number[];
}

interface StoredDay {
  readonly lastAt: number;
  readonly state: Uint8Array;
}

/** An engine in memory with no transactions at all: each row is there for everybody as soon as it is written, whatever becomes of the next. */
export interface MemorySeries extends Series {
  /** Does not answer until it is set back. */
  away: boolean;
}

export function createMemorySeries(fieldLists: FieldLists): MemorySeries {
  const samples = new Map<number, Map<number, StoredSample>>();
  const days = new Map<number, Map<number, StoredDay>>();
  const months = new Map<number, Map<number, Uint8Array>>();
  const marks = new Map<string, Mark>();
  const keyOf = ({ binding, attempt }: Mark): string => `${binding} ${attempt}`;
  const isMarked = (binding: number): { isMarked?: boolean } =>
    marks.values().some((mark) => mark.binding === binding) ? { isMarked: true } : {};

  /** Each row takes a turn of the event loop, so that others come in between. */
  async function step(): Promise<void> {
    if (memory.away) throw new MemoryAway('the engine in memory is away');
    await setImmediate();
  }

  function rangeOf(
    db: DbHandle,
    seriesId: number,
    fromAt: number,
    toAt: number,
    limit = Infinity,
  ): Promise<DaySample[]> {
    const found = [...(samples.get(seriesId) ?? [])]
      .filter(([at]) => at >= fromAt && at < toAt)
      .toSorted(([a], [b]) => a - b);
    return fieldLists.resolving(db, (listOf) =>
      found.slice(0, limit).map(([at, { fields, values }]) => ({
        at,
        fields: listOf(fields),
        values: Float64Array.from(values),
      })),
    );
  }

  const daysOf = (binding: number): [number, StoredDay][] =>
    [...(days.get(binding) ?? [])].toSorted(([a], [b]) => a - b);
  const dayRow = (
    db: DbHandle,
    binding: number,
    [day, { lastAt, state }]: [number, StoredDay],
  ): Promise<DayRow> =>
    fieldLists.resolving(db, (listOf) => ({
      binding,
      day,
      state: decodeDay(state, lastAt, listOf),
      ...isMarked(binding),
    }));

  const memory: MemorySeries = {
    away: false,
    name: 'memory',
    fieldLists,
    sharesTransaction: false,
    // Nothing arrives late: each row is there when its write resolves, and never if that fails.
    withRevisions: () => memory,
    seal: async () => {},
    open: async () => {},
    isMigrated: async () => true,
    migrate: async () => {},
    examine: async () => [],
    nodes: () => ({ up: memory.away ? 0 : 1, down: memory.away ? 1 : 0 }),
    isReady: async () => !memory.away,
    close: async () => {},
    async put(_, rows) {
      for (const { seriesId, sample } of rows.samples ?? []) {
        await step();
        rowsIn(samples, seriesId).set(sample.at, {
          fields: sample.fields.id,
          values: [...sample.values],
        });
      }
      for (const { binding, day, state } of rows.days ?? []) {
        await step();
        rowsIn(days, binding).set(day, { lastAt: state.last.at, state: encodeDay(state) });
      }
      for (const { binding, month, state } of rows.months ?? []) {
        await step();
        rowsIn(months, binding).set(month, encodeMonth(state));
      }
    },
    async remove(_, binding, gone) {
      for (const day of gone.days ?? []) {
        await step();
        days.get(binding)?.delete(day);
      }
      for (const month of gone.months ?? []) {
        await step();
        months.get(binding)?.delete(month);
      }
    },
    async mark(added) {
      for (const mark of added) {
        await step();
        marks.set(keyOf(mark), mark);
      }
    },
    async unmark(removed) {
      for (const mark of removed) {
        await step();
        marks.delete(keyOf(mark));
      }
    },
    async marks(bindings) {
      await step();
      return [...marks.values()].filter(({ binding }) => bindings?.includes(binding) ?? true);
    },
    async range(db, seriesId, fromAt, toAt, limit) {
      await step();
      return rangeOf(db, seriesId, fromAt, toAt, limit);
    },
    async ranges(db, seriesIds, fromAt, toAt) {
      await step();
      const found = new Map<number, DaySample[]>();
      for (const id of seriesIds) {
        const ofDevice = await rangeOf(db, id, fromAt, toAt);
        if (ofDevice.length > 0) found.set(id, ofDevice);
      }
      return found;
    },
    async firstSampleAt(db, seriesId, fromAt, toAt) {
      await step();
      return (await rangeOf(db, seriesId, fromAt, toAt, 1))[0]?.at;
    },
    async newestDays(db, bindings, beforeDay = Infinity) {
      await step();
      const found = new Map<number, DayRow>();
      for (const binding of bindings) {
        const newest = daysOf(binding).findLast(([day]) => day < beforeDay);
        if (newest) found.set(binding, await dayRow(db, binding, newest));
      }
      return found;
    },
    async endDays(db, newest, first) {
      await step();
      const rowsOf = (
        bindings: readonly number[],
        cut: (rows: [number, StoredDay][]) => [number, StoredDay][],
      ): Promise<DayRow[]> =>
        Promise.all(
          bindings
            .toSorted((a, b) => a - b)
            .flatMap((binding) => cut(daysOf(binding)).map((row) => dayRow(db, binding, row))),
        );
      return {
        newest: await rowsOf(newest.bindings, (rows) => rows.slice(-newest.count)),
        first: await rowsOf(first.bindings, (rows) => rows.slice(0, first.count)),
      };
    },
    async firstReports(db, bindings) {
      await step();
      const found = new Map<number, number>();
      for (const binding of bindings) {
        const [first] = daysOf(binding);
        if (first)
          found.set(
            binding,
            await fieldLists.resolving(db, (listOf) =>
              decodeFirstAt(first[1].state, first[1].lastAt, listOf),
            ),
          );
      }
      return found;
    },
    async days(db, bindings, fromDay, toDay) {
      await step();
      const rows = bindings
        .toSorted((a, b) => a - b)
        .flatMap((binding) => daysOf(binding).map((row) => ({ binding, row })));
      return Promise.all(
        rows
          .filter(({ row: [day] }) => day >= fromDay && day <= toDay)
          .map(({ binding, row }) => dayRow(db, binding, row)),
      );
    },
    async neighbourDay(db, binding, day, side) {
      await step();
      const all = daysOf(binding);
      const found =
        side === 'before'
          ? all.findLast(([other]) => other < day)
          : all.find(([other]) => other > day);
      return found && dayRow(db, binding, found);
    },
    async months(_, bindings, fromMonth, toMonth) {
      await step();
      return bindings
        .toSorted((a, b) => a - b)
        .flatMap((binding): MonthRow[] =>
          [...(months.get(binding) ?? [])]
            .toSorted(([a], [b]) => a - b)
            .filter(([month]) => month >= fromMonth && month <= toMonth)
            .map(([month, state]) => ({
              binding,
              month,
              state: decodeMonth(state),
              ...isMarked(binding),
            })),
        );
    },
  };
  return memory;
}

function rowsIn<Row>(tables: Map<number, Map<number, Row>>, key: number): Map<number, Row> {
  let rows = tables.get(key);
  if (!rows) tables.set(key, (rows = new Map()));
  return rows;
}
