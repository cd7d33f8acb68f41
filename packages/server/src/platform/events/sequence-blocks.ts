import { CompiledQuery } from 'kysely';
import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db, Instant } from '../storage/database.ts';
import { onEngine } from '../storage/engine.ts';
import { binaryArray } from '../storage/postgres/binary-array.ts';

/** The last number given out, and when the event before was recorded; 0 if that belonged to another plant or owner. */
export type Given = readonly [last: number, previousAt: Instant];

/** The row of some devices whose series follow one another, which is also their lock on PostgreSQL. */
export interface SequenceBlock {
  readonly block: number;
  readonly state: Buffer;
}

// A device's neighbours are usually of the same plant and report with it.
const DEVICES = 16;

// Last number, when it was given out, plant and owner: 64-bit integers, big-endian, as both engines can write them in a migration.
const SLOT_BYTES = 32;
const AT = 8;
const PLACE = 16;
const PLACE_BYTES = 16;

/** Where samples belong. */
export function placeOf({
  plantId,
  accountId,
}: {
  readonly plantId: string;
  readonly accountId: string;
}): Buffer {
  const place = Buffer.allocUnsafe(PLACE_BYTES);
  place.writeBigInt64BE(BigInt(plantId), 0);
  place.writeBigInt64BE(BigInt(accountId), 8);
  return place;
}

const READ =
  'select block, state from "sequenceBlock" where block in (select value from json_each(?))';

// Rows are locked in their order, so that transactions do not wait for each other in a circle. Those that are still missing are made and locked
// afterwards, since that writes them. If somebody else makes one of them at that moment, there may be a circle; then the report is sent again.
const LOCK =
  'select block, state from "sequenceBlock" where block = any($1::int4[]) order by block for no key update';
const MAKE = `insert into "sequenceBlock" (block, state) select block, '' from unnest($1::int4[]) as block
  on conflict (block) do update set block = excluded.block returning block, state`;

/** Locks the sequences of the samples of some devices until the transaction ends. */
export async function lockSequences(trx: Db, seriesIds: Iterable<number>): Promise<SequenceBlocks> {
  const blocks = [...new Set(Array.from(seriesIds, blockOf))].toSorted((a, b) => a - b);
  const stored = await onEngine(trx, {
    sqlite: () => read(trx, READ, JSON.stringify(blocks)),
    postgres: () => lockBlocks(trx, blocks),
  });
  const states = new Map(stored.map(({ block, state }) => [block, state]));
  return new SequenceBlocks(blocks.map((block) => ({ block, state: stateOf(states.get(block)) })));
}

/** The last numbers of the samples of some devices, by series; those without any are left out. */
export async function lastNumbers(
  db: Db,
  seriesIds: readonly number[],
): Promise<Map<number, number>> {
  const stored = await db
    .selectFrom('sequenceBlock')
    .select(['block', 'state'])
    .where(anyOf(db, 'block', listParameter(db, [...new Set(seriesIds.map(blockOf))])))
    .execute();
  const states = new Map(stored.map(({ block, state }) => [block, stateOf(state)]));
  return new Map(
    seriesIds.flatMap((seriesId) => {
      const state = states.get(blockOf(seriesId));
      const last = state ? readInt(state, (seriesId % DEVICES) * SLOT_BYTES) : 0;
      return last > 0 ? [[seriesId, last] as const] : [];
    }),
  );
}

interface Stored {
  block: number;
  state: Uint8Array;
}

const read = async (trx: Db, text: string, parameter: unknown): Promise<Stored[]> =>
  (await trx.executeQuery<Stored>(CompiledQuery.raw(text, [parameter]))).rows;

async function lockBlocks(trx: Db, blocks: readonly number[]): Promise<Stored[]> {
  const found = await read(trx, LOCK, binaryArray('short', blocks));
  if (found.length === blocks.length) return found;
  const known = new Set(found.map(({ block }) => block));
  const missing = blocks.filter((block) => !known.has(block));
  return [...found, ...(await read(trx, MAKE, binaryArray('short', missing)))];
}

const blockOf = (seriesId: number): number => Math.floor(seriesId / DEVICES);

function stateOf(stored: Uint8Array | undefined): Buffer {
  if (!stored || stored.length === 0) return Buffer.alloc(DEVICES * SLOT_BYTES);
  return Buffer.from(stored.buffer, stored.byteOffset, stored.length);
}

/** Sequences that are locked; a writer that takes numbers writes `blocks` in the same transaction. */
export class SequenceBlocks {
  readonly blocks: readonly SequenceBlock[];
  readonly #states: ReadonlyMap<number, Buffer>;

  constructor(blocks: readonly SequenceBlock[]) {
    this.blocks = blocks;
    this.#states = new Map(blocks.map(({ block, state }) => [block, state]));
  }

  /** Gives out the next numbers of a device. */
  take(seriesId: number, count: number, place: Buffer, now: Instant): Given {
    const state = this.#states.get(blockOf(seriesId))!;
    const slot = (seriesId % DEVICES) * SLOT_BYTES;
    const last = readInt(state, slot) + count;
    const isSame = isAt(state, slot + PLACE, place);
    const previousAt = isSame ? readInt(state, slot + AT) : 0;
    writeInt(state, slot, last);
    writeInt(state, slot + AT, now);
    if (!isSame) state.set(place, slot + PLACE);
    return [last, previousAt];
  }
}

// For so few bytes, faster than `compare`.
function isAt(bytes: Buffer, at: number, place: Buffer): boolean {
  for (let i = 0; i < PLACE_BYTES; i++) if (bytes[at + i] !== place[i]) return false;
  return true;
}

// Numbers and instants are below 2^53.
const HIGH = 2 ** 32;

const readInt = (bytes: Buffer, at: number): number =>
  bytes.readUInt32BE(at) * HIGH + bytes.readUInt32BE(at + 4);

function writeInt(bytes: Buffer, at: number, value: number): void {
  const high = Math.floor(value / HIGH);
  bytes.writeUInt32BE(high, at);
  bytes.writeUInt32BE(value - high * HIGH, at + 4);
}
