import type { FieldListSource } from '../energy/codec/day-codec.ts';
import type { DaySample } from '../energy/day-state.ts';
import type { FieldList } from '../energy/field-list.ts';

/**
 * A sample as it is stored: its values, float64 little-endian, in the order of its list. A sample that lacks most of its list's values, since no
 * list could be created for its own quantities, has only those that it has, behind how many there are and their places in the list (uint16
 * little-endian, padded to a multiple of 8 bytes). Such samples are called sparse.
 */
export interface PackedSample {
  readonly isSparse: boolean;
  readonly bytes: Uint8Array;
}

// Typed arrays have the machine's byte order, which is little-endian on every platform of Node except s390x.
const PLACES_PER_REAL = 4;
const headOf = (count: number): number => Math.ceil((1 + count) / PLACES_PER_REAL);

export function packSample({ values }: Pick<DaySample, 'values'>): PackedSample {
  let count = 0;
  for (const value of values) if (!Number.isNaN(value)) count++;
  const head = headOf(count);
  if ((head + count) * 2 > values.length)
    return {
      isSparse: false,
      bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
    };
  const reals = new Float64Array(head + count);
  const places = new Uint16Array(reals.buffer);
  places[0] = count;
  let next = 0;
  for (const [place, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    reals[head + next] = value;
    places[++next] = place;
  }
  return { isSparse: true, bytes: new Uint8Array(reals.buffer) };
}

/** Returns the values of a sparse sample that begins at an index of `reals`, and where it ends. */
export function unpackSparse(
  reals: Float64Array,
  start: number,
  { names }: FieldList,
): { readonly values: Float64Array; readonly end: number } {
  const places = new Uint16Array(reals.buffer, reals.byteOffset + start * 8);
  const count = places[0]!;
  const first = start + headOf(count);
  const values = new Float64Array(names.length).fill(Number.NaN);
  for (let i = 0; i < count; i++) values[places[1 + i]!] = reals[first + i]!;
  return { values, end: first + count };
}

/** Reads what `packSample` wrote; the bytes of the result may be those given. */
export function unpackSample(
  at: number,
  number: number,
  { isSparse, bytes }: PackedSample,
  listOf: FieldListSource,
): DaySample {
  const fields = listOf(number);
  const reals = realsOf(bytes);
  return { at, fields, values: isSparse ? unpackSparse(reals, 0, fields).values : reals };
}

/** Bytes as numbers. Most byte arrays are aligned to 8 bytes; the others are copied. */
export function realsOf(bytes: Uint8Array): Float64Array {
  if (bytes.byteOffset % 8 === 0)
    return new Float64Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length / 8);
  const copy = new Uint8Array(bytes);
  return new Float64Array(copy.buffer, 0, copy.length / 8);
}
