import { rowsParameter } from '../../../platform/storage/rows-of.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { decodeFirstAt } from '../../energy/codec/day-codec.ts';
import type { DaySample } from '../../energy/day-state.ts';
import { createFieldLists } from '../field-lists.ts';
import { decodeMonth } from '../../energy/month-state.ts';
import { MAIN_DATABASE } from '../home.ts';
import type { DayRow, Series } from '../port.ts';
import { upsertRows } from './bulk-rows.ts';
import {
  dayRow,
  dayRows,
  EVERYTHING,
  monthRows,
  selectAfter,
  selectBefore,
  selectDays,
  selectEnds,
  selectMonths,
  selectNewest,
  selectOldest,
  type StoredDay,
} from './rollups.ts';
import {
  sampleOf,
  sampleRows,
  samplesOf,
  selectAround,
  selectFirst,
  selectRange,
  selectRanges,
} from './samples.ts';

/** The end of a range as a number that both engines accept: Infinity becomes the largest safe integer. */
const endOf = (toAt: number): number => Math.min(toAt, Number.MAX_SAFE_INTEGER);

/** The series on SQLite and PostgreSQL. `database` is the database itself; each method takes it or one of its transactions as `db`. */
export function createSqlSeries(database: Db, fieldLists = createFieldLists(database)): Series {
  const decoded = (db: Db, rows: readonly StoredDay[]): Promise<DayRow[]> =>
    fieldLists.resolving(db, (listOf) => rows.map((row) => dayRow(row, listOf)));
  const series: Series = {
    name: MAIN_DATABASE,
    fieldLists,
    sharesTransaction: true,
    withRevisions: () => series,
    open: async () => {},
    isMigrated: async () => true,
    migrate: async () => {},
    examine: async () => [],
    nodes: () => ({ up: 0, down: 0 }),
    isReady: async () => true,
    close: async () => {},
    put: (db: Db, { samples = [], days = [], months = [] }) =>
      upsertRows(db, [sampleRows(samples), dayRows(days), monthRows(months)]),
    async range(db: Db, seriesId, fromAt, toAt, limit = EVERYTHING) {
      const rows = await selectRange(db, { series: seriesId, fromAt, toAt: endOf(toAt), limit });
      return fieldLists.resolving(db, (listOf) => rows.map((row) => sampleOf(row, listOf)));
    },
    async ranges(db: Db, seriesIds, fromAt, toAt) {
      const rows = await selectRanges(db, { series: listParameter(db, seriesIds), fromAt, toAt });
      return fieldLists.resolving(db, (listOf) => {
        const found = new Map<number, DaySample[]>();
        for (const stored of rows) found.set(stored.series, samplesOf(stored, fromAt, listOf));
        return found;
      });
    },
    async around(db: Db, spans) {
      const fromAt = Math.min(...spans.map((span) => span.fromAt));
      const rows = await selectAround(db, {
        spans: rowsParameter(spans.map((span) => [span.seriesId, span.fromAt, span.toAt])),
        fromAt,
      });
      return fieldLists.resolving(db, (listOf) => {
        const found = new Map<number, DaySample[]>();
        for (const stored of rows)
          found.set(
            stored.series,
            samplesOf(stored, fromAt, listOf).filter(({ at }, i, all) => at !== all[i - 1]?.at),
          );
        return found;
      });
    },
    async firstSampleAt(db: Db, seriesId, fromAt, toAt) {
      return (await selectFirst(db, { series: seriesId, fromAt, toAt: endOf(toAt) }))[0]?.at;
    },
    async newestDays(db: Db, bindings, beforeDay = EVERYTHING) {
      const rows = await decoded(
        db,
        await selectNewest(db, { bindings: listParameter(db, bindings), beforeDay }),
      );
      return new Map(rows.map((row) => [row.binding, row]));
    },
    async endDays(db: Db, newest, first) {
      const asked = {
        newest: listParameter(db, newest.bindings),
        newestCount: newest.count,
        first: listParameter(db, first.bindings),
        firstCount: first.count,
      };
      const stored = (await selectEnds(db, asked)).toSorted(
        (a, b) => a.binding - b.binding || a.day - b.day,
      );
      const rowsOf = (isFirst: number): Promise<DayRow[]> =>
        decoded(
          db,
          stored.filter((row) => row.isFirst === isFirst),
        );
      return { newest: await rowsOf(0), first: await rowsOf(1) };
    },
    async firstReports(db: Db, bindings) {
      const rows = await selectOldest(db, {
        bindings: listParameter(db, bindings),
        beforeDay: EVERYTHING,
      });
      return fieldLists.resolving(
        db,
        (listOf) =>
          new Map(
            rows.map(({ binding, lastAt, state }) => [
              binding,
              decodeFirstAt(state, lastAt, listOf),
            ]),
          ),
      );
    },
    async days(db: Db, bindings, fromDay, toDay) {
      return decoded(
        db,
        await selectDays(db, { bindings: listParameter(db, bindings), fromDay, toDay }),
      );
    },
    async neighbourDay(db: Db, binding, day, side) {
      const rows = await (side === 'before' ? selectBefore : selectAfter)(db, { binding, day });
      return (await decoded(db, rows))[0];
    },
    async months(db: Db, bindings, fromMonth, toMonth) {
      const rows = await selectMonths(db, {
        bindings: listParameter(db, bindings),
        fromMonth,
        toMonth,
      });
      return rows.map(({ binding, month, state }) => ({
        binding,
        month,
        state: decodeMonth(state),
      }));
    },
    mark: async () => {},
    unmark: async () => {},
    marks: async () => [],
    seal: async () => {},
    async thin(db: Db, seriesId, fromAt, toAt, kept) {
      await db
        .deleteFrom('sample')
        .where('series', '=', seriesId)
        .where('at', '>=', fromAt)
        .where('at', '<', toAt)
        .where((eb) => eb.not(anyOf(db, 'at', listParameter(db, kept))))
        .execute();
    },
    async remove(db: Db, binding, { days = [], months = [] }) {
      const gone = (
        table: 'deviceDay' | 'deviceMonth',
        column: 'day' | 'month',
        values: readonly number[],
      ) =>
        db
          .deleteFrom(table)
          .where('binding', '=', binding)
          .where(anyOf(db, column, listParameter(db, values)))
          .execute();
      if (days.length > 0) await gone('deviceDay', 'day', days);
      if (months.length > 0) await gone('deviceMonth', 'month', months);
    },
  };
  return series;
}
