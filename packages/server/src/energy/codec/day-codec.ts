import { readCarry, writeCarry } from './carry-codec.ts';
import type { Counter } from '../counter.ts';
import type { ChannelState, DayState, OlderValue, PowerTrace } from '../day-state.ts';
import type { FieldList } from '../field-list.ts';
import type { DayPrice } from '../plant-prices.ts';
import { createPackedReader, createPackedWriter, type PackedReader } from './packed-bytes.ts';
import { maskOf, readEach } from './packed-masks.ts';

// Times are stored as distances to lastAt, which the row holds in a column of its own.
const VERSION = 2;
// Before money: nothing is known of it.
const MONEYLESS = 1;
const PEAK = 1;
const OLDER = 2;
const CARRY = 4;
const [TOTAL, TODAY, POWER] = [1, 2, 4] as const;
const [SEEN, BROKEN, COMPLETE, PENDING, OPENING, VALUED] = [1, 2, 4, 8, 16, 32] as const;
const [FLOWING, FLOW_VALUED] = [2, 4] as const;

const writer = createPackedWriter();
const isVarying = ({ varies }: DayPrice): boolean => varies;

/** Finds a field list by its number; throws when it is not known. */
export type FieldListSource = (id: number) => FieldList;

/** A day's state as stored. */
export function encodeDay(state: DayState): Buffer {
  const lastAt = state.last.at;
  const { peakPowerW, peakPowerAt, older, carry } = state;
  const peaked = !Number.isNaN(peakPowerW);
  writer.byte(VERSION);
  writer.whole(state.last.fields.id);
  writer.reals(state.last.values);
  writer.byte((peaked ? PEAK : 0) | (older.length > 0 ? OLDER : 0) | (carry ? CARRY : 0));
  writer.whole(state.samples);
  writer.whole(lastAt - state.firstAt);
  if (peaked) {
    writer.real(peakPowerW);
    writer.whole(lastAt - peakPowerAt);
  }
  if (older.length > 0) writeOlder(older, lastAt);
  writer.whole(maskOf(state.channels));
  for (const channel of state.channels) if (channel) writeChannel(channel, lastAt);
  const priced = maskOf(state.prices);
  writer.whole(priced);
  if (priced !== 0) writePrices(state.prices);
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

function writeChannel({ total, today, power }: ChannelState, lastAt: number): void {
  writer.byte((total ? TOTAL : 0) | (today ? TODAY : 0) | (power ? POWER : 0));
  if (total) writeCounter(total, lastAt);
  if (today) writeCounter(today, lastAt);
  if (!power) return;
  const flowing = power.lastW !== 0 || power.areaWms !== 0;
  const valued = flowing && power.amountWms !== 0;
  writer.byte((power.seen ? SEEN : 0) | (flowing ? FLOWING : 0) | (valued ? FLOW_VALUED : 0));
  writer.whole(lastAt - power.lastAt);
  if (!flowing) return;
  writer.real(power.lastW);
  writer.real(power.areaWms);
  if (valued) writer.real(power.amountWms);
}

function writeCounter(counter: Counter, lastAt: number): void {
  const pending = counter.pending >= 0;
  const opening = counter.opening >= 0;
  const { seen, broken, complete } = counter;
  const valued = counter.amount !== 0;
  const known = (pending ? PENDING : 0) | (opening ? OPENING : 0) | (valued ? VALUED : 0);
  writer.byte((seen ? SEEN : 0) | (broken ? BROKEN : 0) | (complete ? COMPLETE : 0) | known);
  writer.whole(counter.base);
  writer.whole(lastAt - counter.baseAt);
  writer.whole(counter.energy);
  if (pending) {
    writer.whole(counter.pending);
    writer.whole(lastAt - counter.pendingAt);
  }
  if (opening) writer.whole(counter.opening);
  if (valued) writer.real(counter.amount);
}

/** `firstAt` of what `encodeDay` wrote, without the rest. */
export function decodeFirstAt(bytes: Uint8Array, lastAt: number, listOf: FieldListSource): number {
  const reader = createPackedReader(bytes);
  readVersion(reader);
  reader.reals(listOf(reader.whole()).names.length);
  reader.byte();
  reader.whole();
  return lastAt - reader.whole();
}

function readVersion(reader: PackedReader): number {
  const version = reader.byte();
  if (version !== VERSION && version !== MONEYLESS) throw new RangeError(`a stored day has version ${version}, which this release does not know`);
  return version;
}

/** Reads what `encodeDay` wrote. */
export function decodeDay(bytes: Uint8Array, lastAt: number, listOf: FieldListSource): DayState {
  const reader = createPackedReader(bytes);
  const version = readVersion(reader);
  const fields = listOf(reader.whole());
  const last = { at: lastAt, fields, values: reader.reals(fields.names.length) };
  const parts = reader.byte();
  const samples = reader.whole();
  const firstAt = lastAt - reader.whole();
  const peakPowerW = parts & PEAK ? reader.real() : Number.NaN;
  const peakPowerAt = parts & PEAK ? lastAt - reader.whole() : 0;
  const older = parts & OLDER ? readOlder(reader, lastAt, listOf) : [];
  const moneyless = version === MONEYLESS;
  const states = readEach(moneyless ? reader.byte() : reader.whole(), () => readChannel(reader, lastAt));
  const prices = moneyless ? [] : readPrices(reader);
  const carry = parts & CARRY ? readCarry(reader, moneyless) : undefined;
  return { firstAt, samples, peakPowerW, peakPowerAt, last, older, channels: states, prices, carry };
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

function readChannel(reader: PackedReader, lastAt: number): ChannelState {
  const kinds = reader.byte();
  return {
    total: kinds & TOTAL ? readCounter(reader, lastAt) : undefined,
    today: kinds & TODAY ? readCounter(reader, lastAt) : undefined,
    power: kinds & POWER ? readPower(reader, lastAt) : undefined,
  };
}

function readCounter(reader: PackedReader, lastAt: number): Counter {
  const flags = reader.byte();
  const base = reader.whole();
  const baseAt = lastAt - reader.whole();
  const energy = reader.whole();
  const pending = flags & PENDING ? reader.whole() : -1;
  const pendingAt = flags & PENDING ? lastAt - reader.whole() : 0;
  const opening = flags & OPENING ? reader.whole() : -1;
  const amount = flags & VALUED ? reader.real() : 0;
  return {
    base,
    baseAt,
    pending,
    pendingAt,
    energy,
    amount,
    opening,
    seen: (flags & SEEN) !== 0,
    broken: (flags & BROKEN) !== 0,
    complete: (flags & COMPLETE) !== 0,
  };
}

function readPower(reader: PackedReader, lastAt: number): PowerTrace {
  const flags = reader.byte();
  const at = lastAt - reader.whole();
  const seen = (flags & SEEN) !== 0;
  if (!(flags & FLOWING)) return { seen, lastAt: at, lastW: 0, areaWms: 0, amountWms: 0 };
  return { seen, lastAt: at, lastW: reader.real(), areaWms: reader.real(), amountWms: flags & FLOW_VALUED ? reader.real() : 0 };
}
