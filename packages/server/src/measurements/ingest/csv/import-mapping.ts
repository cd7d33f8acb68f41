import { isQuantity, quantities, type QuantityName } from '@helioport/contract';
import { conversionOf, unitsOf, type Conversion } from './import-units.ts';

/** An invalid mapping, explained in one sentence. */
export class MappingFault extends Error {
  override readonly name = 'MappingFault';
}

/** A quantity and the column of the file that holds it: `QUANTITY=COLUMN[:UNIT]`. */
export interface Mapping {
  readonly quantity: QuantityName;
  /** COLUMN[:UNIT]. Names of columns may contain colons, so only the file's header shows where the unit begins. */
  readonly source: string;
}

/** Reads `QUANTITY=COLUMN[:UNIT]`. Throws MappingFault. */
export function readMapping(text: string): Mapping {
  const split = text.indexOf('=');
  if (split < 1 || split === text.length - 1)
    throw new MappingFault(`--map ${text}: expected QUANTITY=COLUMN[:UNIT]`);
  const quantity = text.slice(0, split).trim();
  if (!isQuantity(quantity))
    throw new MappingFault(`--map ${text}: unknown quantity ${quantity}; ${similar(quantity)}`);
  return { quantity, source: text.slice(split + 1).trim() };
}

function similar(name: string): string {
  const stem = name.toLowerCase().slice(0, 4);
  const names = [...quantities.keys()];
  const near = names.filter((known) => known.toLowerCase().startsWith(stem));
  return `known are ${(near.length > 0 ? near : names).slice(0, 8).join(', ')} ...`;
}

/** The names of a file's columns; null if it has no header. */
export type Header = readonly string[] | null;

/** The column that holds a quantity's value, and the conversion to the quantity's own unit. */
export interface MappedColumn {
  readonly quantity: QuantityName;
  /** Counted from 0. */
  readonly column: number;
  readonly convert: Conversion;
}

/** Finds the column of a mapping. Throws MappingFault. */
export function mapColumn(
  { quantity, source }: Mapping,
  header: Header,
  width: number,
): MappedColumn {
  const whole = findColumn(source, header, width);
  const own = quantities.get(quantity)!.unit;
  if (whole !== undefined)
    return { quantity, column: whole, convert: conversionOf(quantity, own)! };
  const colon = source.lastIndexOf(':');
  const [name, unit] =
    colon < 0 ? [source, own] : [source.slice(0, colon), source.slice(colon + 1).trim()];
  const convert = conversionOf(quantity, unit);
  if (!convert)
    throw new MappingFault(
      `${quantity} cannot be read in ${JSON.stringify(unit)}; its units are ${unitsOf(quantity).join(', ')}`,
    );
  return { quantity, column: columnOf(name.trim(), header, width), convert };
}

/** The index of a column given by name, or as `#N`, counted from 1. Throws MappingFault. */
export function columnOf(name: string, header: Header, width: number): number {
  const found = findColumn(name, header, width);
  if (found !== undefined) return found;
  if (header === null)
    throw new MappingFault(
      `the file has no header: give the number of the column instead of ${JSON.stringify(name)}, as #1, #2 ...`,
    );
  throw new MappingFault(
    `the file has no column ${JSON.stringify(name)}; it has ${header.map((column, i) => (column === '' ? `#${i + 1}` : column)).join(', ')}`,
  );
}

function findColumn(name: string, header: Header, width: number): number | undefined {
  const named = header?.findIndex((column) => column.trim() === name) ?? -1;
  if (named >= 0 && name !== '') return named;
  const counted = /^#([1-9]\d{0,4})$/.exec(name);
  if (!counted) return undefined;
  if (Number(counted[1]) > width)
    throw new MappingFault(`the file has ${width} columns, so there is no ${name}`);
  return Number(counted[1]) - 1;
}
