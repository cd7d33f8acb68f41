import { quantities, type QuantityName } from '@helioport/contract/quantities';
import type { Evidence, WordType } from '../registers/register-map.ts';
import type { ValueEntry } from './registers-schema.ts';

/** Tables whose agreement is enough for a value to be reported, or a parameter to be written. */
const SOURCES_NEEDED = 2;

/** What tables say for and against an entry. @param isSettled whether what they say against it changes no value */
export const evidenceOf = (
  { sources = [], doubt }: Pick<ValueEntry, 'sources' | 'doubt'>,
  isSettled = false,
): Evidence => ({
  sources,
  doubt: doubt ?? null,
  isConfirmed: sources.length >= SOURCES_NEEDED && (doubt === undefined || isSettled),
});

const HALF_RANGE: { readonly [Type in WordType]?: number } = {
  u16: 2 ** 15,
  s16: 2 ** 15,
  u32: 2 ** 31,
  s32: 2 ** 31,
};

/**
 * Whether a disagreement changes no value: tables differ only in whether the number has a sign, and the bounds allow no value
 * that has the highest bit, read without a sign.
 */
export function isSignSettled(
  { doubt, type = 'u16', scale = 1, offset = 0, bounds }: ValueEntry,
  quantity: QuantityName | null,
  atMostW: number,
): boolean {
  if (quantity === null || !/^\w+: (un)?signed(; \w+: (un)?signed)*$/.test(doubt ?? ''))
    return false;
  const declared = bounds ?? quantities.get(quantity)!.bounds;
  const [atLeast, atMost] = declared === 'power' ? [-atMostW, atMostW] : declared;
  const highest = ((HALF_RANGE[type] ?? 0) + offset) * scale;
  return highest > atMost || highest < atLeast;
}

/** The evidence for a register whose step differs from that of the tables. */
export const doubtful = ({ sources }: Evidence): Evidence => ({
  sources,
  doubt: 'these types have another step than the tables say',
  isConfirmed: false,
});
