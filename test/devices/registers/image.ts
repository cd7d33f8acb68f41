import type { ReadWords } from '../../../packages/devices/src/registers/identify.ts';
import type { Block, Table } from '../../../packages/devices/src/registers/register-map.ts';

/** The registers of a device that a test makes up: words by table and address. What is not there is refused. */
export interface Image {
  /** Writes words, in the order in which they lie. */
  put(table: Table, address: number, ...words: number[]): Image;
  at(table: Table): (address: number) => number | undefined;
  readonly read: ReadWords;
  /** Words of a block, holes included. */
  wordsOf(block: Block): (number | undefined)[];
  /** Requests that were made. */
  readonly requests: readonly (readonly [Table, number, number])[];
}

export function createImage(): Image {
  const tables = new Map<Table, Map<number, number>>();
  const requests: [Table, number, number][] = [];
  const tableOf = (table: Table): Map<number, number> => {
    const known = tables.get(table) ?? new Map<number, number>();
    tables.set(table, known);
    return known;
  };
  const image: Image = {
    requests,
    put(table, address, ...words) {
      for (const [i, word] of words.entries()) tableOf(table).set(address + i, word & 0xffff);
      return image;
    },
    at: (table) => (address) => tableOf(table).get(address),
    read: (table, address, count) => {
      requests.push([table, address, count]);
      const words = Array.from({ length: count }, (_, i) => tableOf(table).get(address + i));
      return Promise.resolve(words.some((word) => word === undefined) ? null : (words as number[]));
    },
    wordsOf: ({ table, address, count }) =>
      Array.from({ length: count }, (_, i) => tableOf(table).get(address + i)),
  };
  return image;
}

/** Two words, the high one first. */
export const high = (number: number): [number, number] => [
  Math.floor(number / 65_536) & 0xffff,
  number & 0xffff,
];
/** Two words, the low one first. */
export const low = (number: number): [number, number] => {
  const [first, second] = high(number);
  return [second, first];
};

/** ASCII text, two characters a word. */
export const ascii = (text: string, count: number): number[] =>
  Array.from(
    { length: count },
    (_, i) => ((text.codePointAt(2 * i) ?? 0) << 8) | (text.codePointAt(2 * i + 1) ?? 0),
  );
