import { readFileSync } from 'node:fs';

/** A register as public tables have it; the profiles were written from more than these, and by hand. */
export interface Row {
  readonly table: string;
  readonly fn: number;
  readonly address: number;
  readonly words: number;
  readonly type: string;
  readonly order: string;
  readonly scale: number;
  readonly unit: string;
  readonly quantity: string;
  readonly transform: string;
  /** Functions that write it; `-` if none does. */
  readonly write: string;
}

export const rows: readonly Row[] = readFileSync(new URL('tables.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [table, fn, address, words, type, order, scale, unit, quantity, transform, write] =
      line.split('\t') as [string, ...string[]];
    return {
      table,
      fn: Number(fn),
      address: Number(address),
      words: Number(words),
      type: type!,
      order: order!,
      scale: Number(scale),
      unit: unit!,
      quantity: quantity!,
      transform: transform!,
      write: write!,
    };
  });

export type Put = (fn: number, address: number, word: number) => void;

const UNITS: Readonly<Record<string, number>> = { kW: 1000, kvar: 1000, kVA: 1000, Wh: 0.001 };

const listOf = (text: string): number[] => text.split('=')[1]!.split(',').map(Number);
const low = (raw: number): number => raw & 0xffff;
const high = (raw: number): number => Math.floor(raw / 65_536) & 0xffff;
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/**
 * Puts a value near the wanted one where the row says that it is, and returns exactly what the words mean, in the unit of
 * the quantity. @param times what a step of this type of device is worth, compared with the row
 */
export function place(row: Row, wanted: number, put: Put, times = 1): number {
  const { fn, address, transform } = row;
  const step = row.scale * (UNITS[row.unit] ?? 1) * times;
  const steps = Math.round(wanted / step);
  const two = (raw: number, lowAt: number, highAt: number): void => {
    put(fn, lowAt, low(raw));
    put(fn, highAt, high(raw));
  };
  const plain = (raw: number): void => {
    if (row.words === 1) return put(fn, address, low(raw));
    if (row.order === 'low') two(raw, address, address + 1);
    else two(raw, address + 1, address);
  };
  if (transform === 'negative') plain(-steps);
  else if (transform === 'from-1000') plain(steps + 1000);
  else if (transform.startsWith('direction')) {
    plain(Math.abs(steps));
    put(fn, listOf(transform)[0]!, steps < 0 ? 1 : 0);
  } else if (transform.startsWith('words')) {
    const [lowAt, highAt] = listOf(transform);
    two(steps, lowAt!, highAt!);
  } else if (transform.startsWith('sum')) {
    const [first, ...others] = listOf(transform);
    for (const other of others) put(fn, other, 3);
    put(fn, first!, steps - 3 * others.length);
  } else plain(steps);
  return rounded(steps * step);
}
