import { eventKinds } from '@helioport/contract';
import { CompiledQuery } from 'kysely';
import type { Db, Instant } from '../storage/database.ts';
import { onEngine } from '../storage/engine.ts';
import { binaryArray } from '../storage/postgres/binary-array.ts';
import { EVENTS_AT_MOST } from './append.ts';
import { APPEND_KEY } from './position.ts';
import { packSamples, type NewSamples, type PackedSamples } from './samples.ts';
import {
  lockSequences,
  placeInBlock,
  type SequenceBlock,
  type SequenceBlocks,
} from './sequence-blocks.ts';

/** Samples of one plant that one transaction has stored. */
export interface NewSampleEntry {
  readonly plantId: string;
  /** The owner of the plant. */
  readonly accountId: string;
  readonly devices: readonly NewSamples[];
}

type Row = Pick<PackedSamples, 'head' | 'bytes'> &
  Pick<NewSampleEntry, 'plantId' | 'accountId'> & { readonly numbers: string };

const KIND = eventKinds['telemetry.sample'].bit;

/**
 * Appends samples to the log, as appendEntries does with events of other kinds; once in a transaction, since it locks sequences in their order.
 * Each report pays for this, so the SQL is written for each engine.
 */
export async function appendSamples(
  trx: Db,
  entries: readonly NewSampleEntry[],
  now: Instant,
): Promise<void> {
  const sequences = await lockSequences(
    trx,
    entries.flatMap(({ devices }) => devices.map(({ seriesId }) => seriesId)),
  );
  const rows = entries.flatMap((entry) => rowsOf(entry, sequences, now));
  const write = onEngine(trx, { sqlite: () => writeLists, postgres: () => writeArrays });
  await write(trx, rows, sequences.blocks, now);
}

function rowsOf(
  { plantId, accountId, devices }: NewSampleEntry,
  sequences: SequenceBlocks,
  now: Instant,
): Row[] {
  const place = placeInBlock({ plantId, accountId });
  const counts = countsOf(devices);
  const given = new Map<number, string>();
  for (const [seriesId, count] of counts) {
    const [last, previousAt] = sequences.take(seriesId, count, place, now);
    given.set(seriesId, `[${last},${previousAt}]`);
  }
  return packSamples(devices, counts, EVENTS_AT_MOST).map(({ head, bytes, seriesIds }) => {
    const numbers = `[${seriesIds.map((seriesId) => given.get(seriesId)).join(',')}]`;
    return { head, bytes, numbers, plantId, accountId };
  });
}

function countsOf(devices: readonly NewSamples[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { seriesId, samples } of devices)
    if (samples.length > 0) counts.set(seriesId, (counts.get(seriesId) ?? 0) + samples.length);
  return counts;
}

// In groups, which save calls; of powers of two, so that few different statements have to be prepared.
const ROWS_AT_ONCE = 16;
const inGroups = (before: string, row: string): ReadonlyMap<number, string> =>
  new Map(
    [1, 2, 4, 8, ROWS_AT_ONCE].map((rows) => [
      rows,
      `${before} values ${Array(rows).fill(row).join(', ')}`,
    ]),
  );
const INSERT_ROWS = inGroups(
  'insert into event (kind, "accountId", "plantId", "recordedAt", events, samples, numbers)',
  `(${KIND}, ?, ?, ?, ?, ?, ?)`,
);
const REPLACE_BLOCKS = inGroups('insert or replace into "sequenceBlock" (block, state)', '(?, ?)');

async function writeLists(
  trx: Db,
  rows: readonly Row[],
  blocks: readonly SequenceBlock[],
  now: Instant,
): Promise<void> {
  await writeList(trx, INSERT_ROWS, rows, ({ accountId, plantId, head, bytes, numbers }) => [
    accountId,
    plantId,
    now,
    head,
    bytes,
    numbers,
  ]);
  await writeList(trx, REPLACE_BLOCKS, blocks, ({ block, state }) => [block, state]);
}

async function writeList<T>(
  trx: Db,
  texts: ReadonlyMap<number, string>,
  list: readonly T[],
  cellsOf: (one: T) => unknown[],
): Promise<void> {
  for (let done = 0, count = ROWS_AT_ONCE; done < list.length; done += count) {
    while (count > list.length - done) count /= 2;
    await trx.executeQuery(
      CompiledQuery.raw(texts.get(count)!, list.slice(done, done + count).flatMap(cellsOf)),
    );
  }
}

// One statement, since each takes a round trip.
const WRITE_ARRAYS = `with given as (
    update "sequenceBlock" as one set state = given.state from unnest($1::int4[], $2::bytea[]) as given(block, state) where one.block = given.block)
  insert into event (key, kind, "accountId", "plantId", "recordedAt", events, samples, numbers)
  select ${APPEND_KEY}, ${KIND}, "accountId", "plantId", $3, head, bytes, numbers
  from unnest($4::text[], $5::text[], $6::text[], $7::bytea[], $8::text[]) with ordinality as entry("accountId", "plantId", head, bytes, numbers, row)
  order by row`;

async function writeArrays(
  trx: Db,
  rows: readonly Row[],
  blocks: readonly SequenceBlock[],
  now: Instant,
): Promise<void> {
  const texts = (name: 'accountId' | 'plantId' | 'head' | 'numbers'): Buffer =>
    binaryArray(
      'text',
      rows.map((row) => Buffer.from(row[name])),
    );
  const bytes = (list: readonly Uint8Array[]): Buffer => binaryArray('bytes', list);
  const parameters = [
    binaryArray(
      'short',
      blocks.map(({ block }) => block),
    ),
    bytes(blocks.map(({ state }) => state)),
    now,
    texts('accountId'),
    texts('plantId'),
    texts('head'),
    bytes(rows.map((row) => row.bytes)),
    texts('numbers'),
  ];
  await trx.executeQuery(CompiledQuery.raw(WRITE_ARRAYS, parameters));
}
