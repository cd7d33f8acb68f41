import { sql, type RawBuilder } from 'kysely';
import { anyOf, listParameter } from '../../storage/any-of.ts';
import { isStorageAway } from '../../storage/away.ts';
import type { Db } from '../../storage/database.ts';
import { engineOf } from '../../storage/engine.ts';
import type { Cell } from '../../storage/postgres/binary-array.ts';
import { prepareQuery } from '../../storage/prepare.ts';
import { upsertRows, type BulkColumn } from './bulk-rows.ts';
import { decodeDay, decodeFirstAt, encodeDay, type FieldListSource } from '../../energy/codec/day-codec.ts';
import type { Sample } from '../../energy/day-state.ts';
import { createFieldLists } from '../field-lists.ts';
import { decodeMonth, encodeMonth } from '../../energy/month-state.ts';
import type { DayRow, SampleRow, Series } from '../port.ts';

const sampleColumns: readonly BulkColumn[] = [
  { name: 'series', type: 'short', key: true },
  { name: 'at', type: 'int', key: true },
  { name: 'fields', type: 'tiny', key: false },
  { name: 'values', type: 'bytes', key: false },
];
const dayColumns: readonly BulkColumn[] = [
  { name: 'binding', type: 'short', key: true },
  { name: 'day', type: 'short', key: true },
  { name: 'lastAt', type: 'int', key: false },
  { name: 'state', type: 'bytes', key: false },
];
const monthColumns: readonly BulkColumn[] = [
  { name: 'binding', type: 'short', key: true },
  { name: 'month', type: 'short', key: true },
  { name: 'state', type: 'bytes', key: false },
];

interface StoredDay {
  binding: number;
  day: number;
  lastAt: number;
  state: Uint8Array;
}

interface StoredSample {
  at: number;
  fields: number;
  values: Uint8Array;
}

const selectRange = prepareQuery<{ series: number; fromAt: number; toAt: number; limit: number }, StoredSample>((db, p) =>
  db
    .selectFrom('sample')
    .select(['at', 'fields', 'values'])
    .where('series', '=', p('series'))
    .where('at', '>=', p('fromAt'))
    .where('at', '<', p('toAt'))
    .orderBy('at')
    .limit(p('limit')),
);

const selectRanges = prepareQuery<{ series: unknown; fromAt: number; toAt: number }, StoredSample & { series: number }>((db, p) =>
  db
    .selectFrom('sample')
    .select(['series', 'at', 'fields', 'values'])
    .where(anyOf(db, 'series', p('series')))
    .where('at', '>=', p('fromAt'))
    .where('at', '<', p('toAt'))
    .orderBy('series')
    .orderBy('at'),
);

const EVERYTHING = 2 ** 31 - 1;

// One query per engine: PostgreSQL looks up each binding with a lateral join, which SQLite lacks.
const selectOutermost = (end: 'newest' | 'oldest') =>
  prepareQuery<{ bindings: unknown; beforeDay: number }, StoredDay>((db, p) =>
    engineOf(db) === 'postgres'
      ? db
          .selectFrom(sql<{ no: number }>`unnest(${p('bindings')}::int4[])`.as<'wanted'>(sql`wanted(no)`))
          .innerJoinLateral(
            (from) =>
              from
                .selectFrom('deviceDay')
                .selectAll()
                .whereRef('deviceDay.binding', '=', 'wanted.no')
                .where('deviceDay.day', '<', p('beforeDay'))
                .orderBy('day', end === 'newest' ? 'desc' : 'asc')
                .limit(1)
                .as('found'),
            (join) => join.onTrue(),
          )
          .selectAll('found')
      : db
          .selectFrom(sql<{ value: number }>`json_each(${p('bindings')})`.as('wanted'))
          .innerJoin('deviceDay', 'deviceDay.binding', 'wanted.value')
          .whereRef('deviceDay.day', '=', (from) =>
            from
              .selectFrom('deviceDay as other')
              .whereRef('other.binding', '=', 'wanted.value')
              .where('other.day', '<', p('beforeDay'))
              .select((e) => e.fn[end === 'newest' ? 'max' : 'min']('other.day').as('day')),
          )
          .selectAll('deviceDay'),
  );
const selectNewest = selectOutermost('newest');
const selectOldest = selectOutermost('oldest');

/** At most `count` newest or first days of each binding, with a column `isFirst` that tells which. */
function daysAtEnd(db: Db, end: 'newest' | 'first', bindings: unknown, count: number): RawBuilder<unknown> {
  const isFirst = sql.lit(end === 'first' ? 1 : 0);
  const order = sql.raw(end === 'newest' ? 'desc' : 'asc');
  if (engineOf(db) === 'postgres') {
    return sql`select ${isFirst} as "isFirst", "found".* from unnest(${bindings}::int4[]) as wanted(no) cross join lateral
      (select * from "deviceDay" where "deviceDay"."binding" = wanted.no order by "day" ${order} limit ${count}) as "found"`;
  }
  const [beyond, nothingBeyond] = end === 'newest' ? ([sql`>=`, sql.lit(0)] as const) : ([sql`<=`, sql.lit(EVERYTHING)] as const);
  return sql`select ${isFirst} as "isFirst", "deviceDay".* from json_each(${bindings}) as wanted
    inner join "deviceDay" on "deviceDay"."binding" = wanted.value and "deviceDay"."day" ${beyond} coalesce(
      (select "other"."day" from "deviceDay" as "other" where "other"."binding" = wanted.value order by "other"."day" ${order} limit 1 offset ${count} - 1), ${nothingBeyond})`;
}

interface EndsWanted {
  newest: unknown;
  newestCount: number;
  first: unknown;
  firstCount: number;
}

const selectEnds = prepareQuery<EndsWanted, StoredDay & { isFirst: number }>((db, p) => {
  const newest = daysAtEnd(db, 'newest', p('newest'), p('newestCount'));
  const first = daysAtEnd(db, 'first', p('first'), p('firstCount'));
  return db.selectFrom(sql<StoredDay & { isFirst: number }>`(${newest} union all ${first})`.as('ends')).selectAll();
});

const selectDays = prepareQuery<{ bindings: unknown; fromDay: number; toDay: number }, StoredDay>((db, p) =>
  db
    .selectFrom('deviceDay')
    .selectAll()
    .where(anyOf(db, 'binding', p('bindings')))
    .where('day', '>=', p('fromDay'))
    .where('day', '<=', p('toDay'))
    .orderBy('binding')
    .orderBy('day'),
);

const selectMonths = prepareQuery<{ bindings: unknown; fromMonth: number; toMonth: number }, { binding: number; month: number; state: Uint8Array }>((db, p) =>
  db
    .selectFrom('deviceMonth')
    .selectAll()
    .where(anyOf(db, 'binding', p('bindings')))
    .where('month', '>=', p('fromMonth'))
    .where('month', '<=', p('toMonth'))
    .orderBy('binding')
    .orderBy('month'),
);

const selectBefore = prepareQuery<{ binding: number; day: number }, StoredDay>((db, p) =>
  db.selectFrom('deviceDay').selectAll().where('binding', '=', p('binding')).where('day', '<', p('day')).orderBy('day', 'desc').limit(1),
);
const selectAfter = prepareQuery<{ binding: number; day: number }, StoredDay>((db, p) =>
  db.selectFrom('deviceDay').selectAll().where('binding', '=', p('binding')).where('day', '>', p('day')).orderBy('day').limit(1),
);

const selectFirst = prepareQuery<{ series: number; fromAt: number; toAt: number }, { at: number }>((db, p) =>
  db.selectFrom('sample').select('at').where('series', '=', p('series')).where('at', '>=', p('fromAt')).where('at', '<', p('toAt')).orderBy('at').limit(1),
);

/** The end of a range as a number that both engines accept: Infinity becomes the largest safe integer. */
const endOf = (toAt: number): number => Math.min(toAt, Number.MAX_SAFE_INTEGER);

/** The series on SQLite and PostgreSQL. `database` is the database itself; each method takes it or one of its transactions as `db`. */
export function createSqlSeries(database: Db, fieldLists = createFieldLists(database)): Series {
  const decoded = (db: Db, rows: readonly StoredDay[]): Promise<DayRow[]> => fieldLists.resolving(db, (listOf) => rows.map((row) => dayRow(row, listOf)));
  return {
    fieldLists,
    sharesTransaction: true,
    open: async () => {},
    migrate: async () => {},
    isReady: async () => true,
    isAway: isStorageAway,
    close: async () => {},
    put: (db: Db, { samples = [], days = [], months = [] }) =>
      upsertRows(db, [
        { table: 'sample', columns: sampleColumns, cells: sampleCells(samples), far: areFar(samples) },
        {
          table: 'deviceDay',
          columns: dayColumns,
          cells: days.flatMap(({ binding, day, state }) => [binding, day, state.last.at, encodeDay(state)]),
          far: false,
        },
        { table: 'deviceMonth', columns: monthColumns, cells: months.flatMap(({ binding, month, state }) => [binding, month, encodeMonth(state)]), far: false },
      ]),
    async range(db: Db, seriesId, fromAt, toAt, limit = EVERYTHING) {
      const rows = await selectRange(db, { series: seriesId, fromAt, toAt: endOf(toAt), limit });
      return fieldLists.resolving(db, (listOf) => rows.map((row) => sampleOf(row, listOf)));
    },
    async ranges(db: Db, seriesIds, fromAt, toAt) {
      const rows = await selectRanges(db, { series: listParameter(db, seriesIds), fromAt, toAt });
      return fieldLists.resolving(db, (listOf) => {
        const found = new Map<number, Sample[]>();
        for (const row of rows) {
          const sample = sampleOf(row, listOf);
          const samples = found.get(row.series);
          if (samples) samples.push(sample);
          else found.set(row.series, [sample]);
        }
        return found;
      });
    },
    async firstSampleAt(db: Db, seriesId, fromAt, toAt) {
      return (await selectFirst(db, { series: seriesId, fromAt, toAt: endOf(toAt) }))[0]?.at;
    },
    async newestDays(db: Db, bindings, beforeDay = EVERYTHING) {
      const rows = await decoded(db, await selectNewest(db, { bindings: listParameter(db, bindings), beforeDay }));
      return new Map(rows.map((row) => [row.binding, row]));
    },
    async endDays(db: Db, newest, first) {
      const asked = {
        newest: listParameter(db, newest.bindings),
        newestCount: newest.count,
        first: listParameter(db, first.bindings),
        firstCount: first.count,
      };
      const stored = (await selectEnds(db, asked)).toSorted((a, b) => a.binding - b.binding || a.day - b.day);
      const rowsOf = (isFirst: number): Promise<DayRow[]> =>
        decoded(
          db,
          stored.filter((row) => row.isFirst === isFirst),
        );
      return { newest: await rowsOf(0), first: await rowsOf(1) };
    },
    async firstReports(db: Db, bindings) {
      const rows = await selectOldest(db, { bindings: listParameter(db, bindings), beforeDay: EVERYTHING });
      return fieldLists.resolving(db, (listOf) => new Map(rows.map(({ binding, lastAt, state }) => [binding, decodeFirstAt(state, lastAt, listOf)])));
    },
    async days(db: Db, bindings, fromDay, toDay) {
      return decoded(db, await selectDays(db, { bindings: listParameter(db, bindings), fromDay, toDay }));
    },
    async neighbourDay(db: Db, binding, day, side) {
      const rows = await (side === 'before' ? selectBefore : selectAfter)(db, { binding, day });
      return (await decoded(db, rows))[0];
    },
    async months(db: Db, bindings, fromMonth, toMonth) {
      const rows = await selectMonths(db, { bindings: listParameter(db, bindings), fromMonth, toMonth });
      return rows.map(({ binding, month, state }) => ({ binding, month, state: decodeMonth(state) }));
    },
    mark: async () => {},
    unmark: async () => {},
    marks: async () => [],
    async remove(db: Db, binding, { days = [], months = [] }) {
      const gone = (table: 'deviceDay' | 'deviceMonth', column: 'day' | 'month', values: readonly number[]) =>
        db
          .deleteFrom(table)
          .where('binding', '=', binding)
          .where(anyOf(db, column, listParameter(db, values)))
          .execute();
      if (days.length > 0) await gone('deviceDay', 'day', days);
      if (months.length > 0) await gone('deviceMonth', 'month', months);
    },
  };
}

/**
 * Whether rows are far apart. Samples of one device lie next to each other in the table, so this is the case if more than a
 * quarter of the rows belong to a different device from the row before.
 */
const areFar = (rows: readonly SampleRow[]): boolean => rows.filter(({ seriesId }, i) => seriesId !== rows[i - 1]?.seriesId).length * 4 > rows.length;

function sampleCells(rows: readonly SampleRow[]): Cell[] {
  const cells: Cell[] = [];
  for (const { seriesId, sample } of rows) cells.push(seriesId, sample.at, sample.fields.id, bytesOf(sample.values));
  return cells;
}

const dayRow = ({ binding, day, lastAt, state }: StoredDay, listOf: FieldListSource): DayRow => ({ binding, day, state: decodeDay(state, lastAt, listOf) });

const sampleOf = ({ at, fields, values }: StoredSample, listOf: FieldListSource): Sample => ({ at, fields: listOf(fields), values: realsOf(values) });

// Float64Array has the machine's byte order, which is little-endian on every platform of Node except s390x.
const bytesOf = (values: Float64Array): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

function realsOf(bytes: Uint8Array): Float64Array {
  // Most byte arrays are aligned to 8 bytes; the others are copied.
  if (bytes.byteOffset % 8 === 0) return new Float64Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length / 8);
  const copy = new Uint8Array(bytes);
  return new Float64Array(copy.buffer, 0, copy.length / 8);
}
