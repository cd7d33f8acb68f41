import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { decodeDay, encodeDay, type FieldListSource } from '../../energy/codec/day-codec.ts';
import { encodeMonth } from '../../energy/month-state.ts';
import { anyOf } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { onEngine } from '../../../platform/storage/engine.ts';
import { prepareQuery } from '../../../platform/storage/prepare.ts';
import type { DayRow, MonthRow } from '../port.ts';
import type { BulkColumn, BulkRows } from './bulk-rows.ts';

/** A number above all days and counts of rows. */
export const EVERYTHING = 2 ** 31 - 1;

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

export interface StoredDay {
  binding: number;
  day: number;
  lastAt: number;
  state: Uint8Array;
}

// One query per engine: PostgreSQL looks up each binding with a lateral join, which SQLite lacks.
const selectOutermost = (end: 'newest' | 'oldest') =>
  prepareQuery<{ bindings: unknown; beforeDay: number }, StoredDay>((db, p) =>
    onEngine<SelectQueryBuilder<any, any, StoredDay>>(db, {
      postgres: () =>
        db
          .selectFrom(
            sql<{ no: number }>`unnest(${p('bindings')}::int4[])`.as<'wanted'>(sql`wanted(no)`),
          )
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
          .selectAll('found'),
      sqlite: () =>
        db
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
    }),
  );
export const selectNewest = selectOutermost('newest');
export const selectOldest = selectOutermost('oldest');

/** At most `count` newest or first days of each binding, with a column `isFirst` that tells which. */
function daysAtEnd(
  db: Db,
  end: 'newest' | 'first',
  bindings: unknown,
  count: number,
): RawBuilder<unknown> {
  const isFirst = sql.lit(end === 'first' ? 1 : 0);
  const order = sql.raw(end === 'newest' ? 'desc' : 'asc');
  const [beyond, nothingBeyond] =
    end === 'newest' ? ([sql`>=`, sql.lit(0)] as const) : ([sql`<=`, sql.lit(EVERYTHING)] as const);
  return onEngine(db, {
    postgres:
      () => sql`select ${isFirst} as "isFirst", "found".* from unnest(${bindings}::int4[]) as wanted(no) cross join lateral
      (select * from "deviceDay" where "deviceDay"."binding" = wanted.no order by "day" ${order} limit ${count}) as "found"`,
    sqlite:
      () => sql`select ${isFirst} as "isFirst", "deviceDay".* from json_each(${bindings}) as wanted
    inner join "deviceDay" on "deviceDay"."binding" = wanted.value and "deviceDay"."day" ${beyond} coalesce(
      (select "other"."day" from "deviceDay" as "other" where "other"."binding" = wanted.value order by "other"."day" ${order} limit 1 offset ${count} - 1), ${nothingBeyond})`,
  });
}

interface EndsWanted {
  newest: unknown;
  newestCount: number;
  first: unknown;
  firstCount: number;
}

export const selectEnds = prepareQuery<EndsWanted, StoredDay & { isFirst: number }>((db, p) => {
  const newest = daysAtEnd(db, 'newest', p('newest'), p('newestCount'));
  const first = daysAtEnd(db, 'first', p('first'), p('firstCount'));
  return db
    .selectFrom(sql<StoredDay & { isFirst: number }>`(${newest} union all ${first})`.as('ends'))
    .selectAll();
});

export const selectDays = prepareQuery<
  { bindings: unknown; fromDay: number; toDay: number },
  StoredDay
>((db, p) =>
  db
    .selectFrom('deviceDay')
    .selectAll()
    .where(anyOf(db, 'binding', p('bindings')))
    .where('day', '>=', p('fromDay'))
    .where('day', '<=', p('toDay'))
    .orderBy('binding')
    .orderBy('day'),
);

export const selectMonths = prepareQuery<
  { bindings: unknown; fromMonth: number; toMonth: number },
  { binding: number; month: number; state: Uint8Array }
>((db, p) =>
  db
    .selectFrom('deviceMonth')
    .selectAll()
    .where(anyOf(db, 'binding', p('bindings')))
    .where('month', '>=', p('fromMonth'))
    .where('month', '<=', p('toMonth'))
    .orderBy('binding')
    .orderBy('month'),
);

export const selectBefore = prepareQuery<{ binding: number; day: number }, StoredDay>((db, p) =>
  db
    .selectFrom('deviceDay')
    .selectAll()
    .where('binding', '=', p('binding'))
    .where('day', '<', p('day'))
    .orderBy('day', 'desc')
    .limit(1),
);
export const selectAfter = prepareQuery<{ binding: number; day: number }, StoredDay>((db, p) =>
  db
    .selectFrom('deviceDay')
    .selectAll()
    .where('binding', '=', p('binding'))
    .where('day', '>', p('day'))
    .orderBy('day')
    .limit(1),
);

export const dayRow = (
  { binding, day, lastAt, state }: StoredDay,
  listOf: FieldListSource,
): DayRow => ({
  binding,
  day,
  state: decodeDay(state, lastAt, listOf),
});

/** Days and months as they are written. */
export const dayRows = (rows: readonly DayRow[]): BulkRows => ({
  table: 'deviceDay',
  columns: dayColumns,
  cells: rows.flatMap(({ binding, day, state }) => [binding, day, state.last.at, encodeDay(state)]),
  far: false,
});
export const monthRows = (rows: readonly MonthRow[]): BulkRows => ({
  table: 'deviceMonth',
  columns: monthColumns,
  cells: rows.flatMap(({ binding, month, state }) => [binding, month, encodeMonth(state)]),
  far: false,
});
