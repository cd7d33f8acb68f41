import { PRODUCTION } from '../channels.ts';
import { readCarry, writeCarry } from './carry-codec.ts';
import { readChannel, writeChannel } from './channel-codec.ts';
import type { DayState, OlderValue } from '../day-state.ts';
import type { FieldList } from '../field-list.ts';
import type { DayPrice } from '../plant-prices.ts';
import { createPackedReader, createPackedWriter, type PackedReader } from './packed-bytes.ts';
import { maskOf, readEach } from './packed-masks.ts';

// Times are stored as distances to lastAt, which the row holds in a column of its own.
const VERSION = 6;
// The formats of earlier releases: without money; without receipts; with the newest sample's values unpacked; without the plant's bounds. Version 5 lacks
// what daily counters owe to their first reading of a day.
const [MONEYLESS, PLAIN, UNPACKED, SHARELESS] = [1, 2, 3, 4] as const;
const PEAK = 1;
const OLDER = 2;
const CARRY = 4;
const REACHING = 8;
const PLANT = 16;
// Unknown to earlier releases, whose days do not have it.
const STEADY = 32;

const writer = createPackedWriter();
const isVarying = ({ varies }: DayPrice): boolean => varies;

/** Returns the field list with a number; throws if it is unknown. */
export type FieldListSource = (id: number) => FieldList;

/** Encodes a day's state for storage. */
export function encodeDay(state: DayState): Buffer {
  const lastAt = state.last.at;
  const { peakPowerW, peakPowerAt, older, carry, isSteady, reachesTo, plantAtMost } = state;
  const peaked = !Number.isNaN(peakPowerW);
  writer.byte(VERSION);
  writer.whole(state.last.fields.id);
  writer.decimals(state.last.values);
  const bounded = plantAtMost === undefined ? 0 : PLANT;
  writer.byte(
    (peaked ? PEAK : 0) |
      (older.length > 0 ? OLDER : 0) |
      (carry ? CARRY : 0) |
      (reachesTo > 0 ? REACHING : 0) |
      bounded |
      (isSteady ? STEADY : 0),
  );
  writer.whole(state.samples);
  writer.whole(Math.max(0, lastAt - state.firstAt));
  if (peaked) {
    writer.real(peakPowerW);
    writer.whole(lastAt - peakPowerAt);
  }
  if (reachesTo > 0) writer.whole(reachesTo);
  if (older.length > 0) writeOlder(older, lastAt);
  writer.whole(maskOf(state.channels));
  for (const channel of state.channels) if (channel) writeChannel(writer, channel, lastAt);
  const priced = maskOf(state.prices);
  writer.whole(priced);
  if (priced !== 0) writePrices(state.prices);
  writer.whole(maskOf(state.atMost));
  for (const mwh of state.atMost) if (mwh !== undefined) writer.whole(mwh);
  // Written as a difference from the device's own bound, which it usually equals.
  if (plantAtMost !== undefined) writer.whole(plantAtMost - (state.atMost[PRODUCTION] ?? 0));
  if (carry) writeCarry(writer, carry);
  return writer.take();
}

function writePrices(prices: DayState['prices']): void {
  writer.whole(maskOf(prices, isVarying));
  for (const price of prices) if (price) writer.real(price.price);
}

function writeOlder(older: readonly OlderValue[], lastAt: number): void {
  writer.whole(older.length);
  for (const { fields, index, at, value } of older) {
    writer.whole(fields.id);
    writer.whole(index);
    writer.whole(lastAt - at);
    writer.real(value);
  }
}

/** Reads only `firstAt` from what `encodeDay` wrote. */
export function decodeFirstAt(bytes: Uint8Array, lastAt: number, listOf: FieldListSource): number {
  const reader = createPackedReader(bytes);
  const version = readVersion(reader);
  readValues(reader, version, listOf(reader.whole()));
  reader.byte();
  reader.whole();
  return lastAt - reader.whole();
}

function readVersion(reader: PackedReader): number {
  const version = reader.byte();
  if (version < MONEYLESS || version > VERSION)
    throw new RangeError(`a stored day has version ${version}, which this release does not know`);
  return version;
}

const readValues = (reader: PackedReader, version: number, { names }: FieldList): Float64Array =>
  version <= UNPACKED ? reader.reals(names.length) : reader.decimals(names.length);

/** Reads what `encodeDay` wrote. */
export function decodeDay(bytes: Uint8Array, lastAt: number, listOf: FieldListSource): DayState {
  const reader = createPackedReader(bytes);
  const version = readVersion(reader);
  const fields = listOf(reader.whole());
  const last = { at: lastAt, fields, values: readValues(reader, version, fields) };
  const parts = reader.byte();
  const samples = reader.whole();
  const firstAt = lastAt - reader.whole();
  const peakPowerW = parts & PEAK ? reader.real() : Number.NaN;
  const peakPowerAt = parts & PEAK ? lastAt - reader.whole() : 0;
  const reachesTo = parts & REACHING ? reader.whole() : 0;
  const older = parts & OLDER ? readOlder(reader, lastAt, listOf) : [];
  const isSteady = (parts & STEADY) !== 0;
  const moneyless = version === MONEYLESS;
  const isPlain = version <= PLAIN;
  const states = readEach(moneyless ? reader.byte() : reader.whole(), () =>
    readChannel(reader, lastAt, isPlain),
  );
  const prices = moneyless ? [] : readPrices(reader);
  const atMost = isPlain ? [] : readEach(reader.whole(), () => reader.whole());
  const plantAtMost = parts & PLANT ? (atMost[PRODUCTION] ?? 0) + reader.whole() : undefined;
  const carry =
    parts & CARRY
      ? readCarry(reader, { moneyless, isPlain, isShareless: version <= SHARELESS })
      : undefined;
  return {
    firstAt,
    samples,
    peakPowerW,
    peakPowerAt,
    last,
    older,
    channels: states,
    isSteady,
    reachesTo,
    prices,
    atMost,
    plantAtMost,
    carry,
  };
}

function readPrices(reader: PackedReader): DayState['prices'] {
  const mask = reader.whole();
  if (mask === 0) return [];
  const varying = reader.whole();
  return readEach(mask, (i) => ({ price: reader.real(), varies: (varying & (1 << i)) !== 0 }));
}

function readOlder(reader: PackedReader, lastAt: number, listOf: FieldListSource): OlderValue[] {
  return Array.from({ length: reader.whole() }, () => ({
    fields: listOf(reader.whole()),
    index: reader.whole(),
    at: lastAt - reader.whole(),
    value: reader.real(),
  }));
}
