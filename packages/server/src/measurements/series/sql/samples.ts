import { sql, type RawBuilder } from 'kysely';
import type { FieldListSource } from '../../energy/codec/day-codec.ts';
import type { DaySample } from '../../energy/day-state.ts';
import { anyOf } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { onEngine } from '../../../platform/storage/engine.ts';
import type { ArrayCell } from '../../../platform/storage/postgres/binary-array.ts';
import { prepareQuery } from '../../../platform/storage/prepare.ts';
import { rowsOf } from '../../../platform/storage/rows-of.ts';
import { packSample, realsOf, unpackSample, unpackSparse } from '../packed-sample.ts';
import type { SampleRow } from '../port.ts';
import type { BulkColumn, BulkRows } from './bulk-rows.ts';

const sampleColumns: readonly BulkColumn[] = [
  { name: 'series', type: 'short', key: true },
  { name: 'at', type: 'int', key: true },
  { name: 'fields', type: 'tiny', key: false },
  { name: 'values', type: 'bytes', key: false },
];
interface StoredSample {
  at: number;
  /** The number of its list; below zero if it is sparse. */
  fields: number;
  values: Uint8Array;
}

export const selectRange = prepareQuery<
  { series: number; fromAt: number; toAt: number; limit: number },
  StoredSample
>((db, p) =>
  db
    .selectFrom('sample')
    .select(['at', 'fields', 'values'])
    .where('series', '=', p('series'))
    .where('at', '>=', p('fromAt'))
    .where('at', '<', p('toAt'))
    .orderBy('at')
    .limit(p('limit')),
);

/** Samples of one device, in any order. The lists are separated by commas. */
interface StoredSamples {
  series: number;
  /** Instants as distances to the beginning of the range. */
  ats: string;
  /** Numbers of lists, as of StoredSample; a single one if all samples have the same. */
  fields: string;
  /** Their values, one after the other. */
  values: Uint8Array;
}

// A row for each device: handing on a row takes several times as long as reading it. SQLite concatenates bytes like text, whatever they are.
const concatenated = (db: Db) => ({
  list: (expression: RawBuilder<unknown>) =>
    onEngine(db, {
      postgres: () => sql<string>`string_agg((${expression})::text, ',')`,
      sqlite: () => sql<string>`group_concat(${expression}, ',')`,
    }),
  bytes: (column: RawBuilder<unknown>) =>
    onEngine(db, {
      postgres: () => sql<Uint8Array>`string_agg(${column}, ''::bytea)`,
      sqlite: () => sql<Uint8Array>`cast(group_concat(${column}, '') as blob)`,
    }),
});

function samplesAsLists(db: Db, fromAt: number) {
  const { list, bytes } = concatenated(db);
  const [at, fields] = [sql.ref('sample.at'), sql.ref('sample.fields')];
  const start = onEngine(db, {
    postgres: () => sql`${fromAt}::int8`,
    sqlite: () => sql`${fromAt}`,
  });
  return [
    list(sql`${at} - ${start}`).as('ats'),
    sql<string>`case when min(${fields}) = max(${fields}) then cast(min(${fields}) as text) else ${list(fields)} end`.as(
      'fields',
    ),
    bytes(sql.ref('sample.values')).as('values'),
  ] as const;
}

export const selectRanges = prepareQuery<
  { series: unknown; fromAt: number; toAt: number },
  StoredSamples
>((db, p) =>
  db
    .selectFrom('sample')
    .select('series')
    .select(samplesAsLists(db, p('fromAt')))
    .where(anyOf(db, 'series', p('series')))
    .where('at', '>=', p('fromAt'))
    .where('at', '<', p('toAt'))
    .groupBy('series')
    .orderBy('series'),
);

/** `spans`: rows of series, fromAt, toAt. A sample that several spans need is found several times. */
export const selectAround = prepareQuery<{ spans: unknown; fromAt: number }, StoredSamples>(
  (db, p) =>
    db
      .selectFrom(rowsOf(db, ['series', 'fromAt', 'toAt'], p('spans')).as('span'))
      .crossJoin('sample')
      .select('sample.series')
      .select(samplesAsLists(db, p('fromAt')))
      .whereRef('sample.series', '=', 'span.series')
      .where('sample.at', '>=', (e) =>
        e.fn.coalesce(
          e
            .selectFrom('sample as before')
            .select('before.at')
            .whereRef('before.series', '=', 'span.series')
            .whereRef('before.at', '<', 'span.fromAt')
            .orderBy('before.at', 'desc')
            .limit(1)
            .offset(1),
          'span.fromAt',
        ),
      )
      .where('sample.at', '<=', (e) =>
        e.fn.coalesce(
          e
            .selectFrom('sample as after')
            .select('after.at')
            .whereRef('after.series', '=', 'span.series')
            .whereRef('after.at', '>', 'span.toAt')
            .orderBy('after.at')
            .limit(1),
          'span.toAt',
        ),
      )
      .groupBy('sample.series'),
);

export const selectFirst = prepareQuery<
  { series: number; fromAt: number; toAt: number },
  { at: number }
>((db, p) =>
  db
    .selectFrom('sample')
    .select('at')
    .where('series', '=', p('series'))
    .where('at', '>=', p('fromAt'))
    .where('at', '<', p('toAt'))
    .orderBy('at')
    .limit(1),
);

/** Samples as they are written. */
export const sampleRows = (rows: readonly SampleRow[]): BulkRows => ({
  table: 'sample',
  columns: sampleColumns,
  cells: sampleCells(rows),
  far: areFar(rows),
});

/**
 * Whether rows are far apart. Samples of one device lie next to each other in the table, so this is the case if more than a
 * quarter of the rows belong to a different device from the row before.
 */
const areFar = (rows: readonly SampleRow[]): boolean =>
  rows.filter(({ seriesId }, i) => seriesId !== rows[i - 1]?.seriesId).length * 4 > rows.length;

function sampleCells(rows: readonly SampleRow[]): ArrayCell[] {
  const cells: ArrayCell[] = [];
  for (const { seriesId, sample } of rows) {
    const { isSparse, bytes } = packSample(sample);
    const { id } = sample.fields;
    cells.push(seriesId, sample.at, isSparse ? -id : id, bytes);
  }
  return cells;
}

export const sampleOf = (
  { at, fields, values }: StoredSample,
  listOf: FieldListSource,
): DaySample => unpackSample(at, Math.abs(fields), { isSparse: fields < 0, bytes: values }, listOf);

export function samplesOf(
  { ats, fields, values }: StoredSamples,
  fromAt: number,
  listOf: FieldListSource,
): DaySample[] {
  const all = realsOf(values);
  const lists = fields.split(',').map((text) => {
    const id = Number(text);
    return { list: listOf(Math.abs(id)), isSparse: id < 0 };
  });
  let next = 0;
  let isAscending = true;
  const samples = ats.split(',').map((text, i): DaySample => {
    const at = fromAt + Number(text);
    const { list, isSparse } = lists[i] ?? lists[0]!;
    if (!isSparse)
      return { at, fields: list, values: all.subarray(next, (next += list.names.length)) };
    const sparse = unpackSparse(all, next, list);
    next = sparse.end;
    return { at, fields: list, values: sparse.values };
  });
  for (let i = 1; i < samples.length; i++) isAscending &&= samples[i]!.at > samples[i - 1]!.at;
  return isAscending ? samples : samples.toSorted((a, b) => a.at - b.at);
}
