import { quantities, type QuantityName } from '@helioport/contract';
import { MappingFault } from './import-fault.ts';
import type { RowFilter, Mapping } from './import-mapping.ts';
import {
  conversionOf,
  isSameUnit,
  bracketsAtEnd,
  statedUnit,
  unitsOf,
  UNMISTAKABLE,
  type Conversion,
} from './import-units.ts';

/** The rows above the data: what its columns are called, and in which units they are. */
export interface Headings {
  /** The names of the columns; null if the file has none. */
  readonly names: readonly string[] | null;
  /** The number of columns. */
  readonly width: number;
  /** Further rows above the data, which may state units. */
  readonly others: readonly (readonly string[])[];
}

/** The column that holds a quantity's value, and the conversion to the quantity's own unit. */
export interface MappedColumn {
  readonly quantity: QuantityName;
  /** Counted from 0. */
  readonly column: number;
  readonly name: string;
  /** The unit of the column. */
  readonly unit: string;
  /** Whether an option or the file says so; if not, a cell may. */
  readonly isStated: boolean;
  readonly convert: Conversion;
}

/** What options say of columns. */
export interface WantedColumn {
  /** The column with the times, or two of them joined by `+`. */
  readonly time: string;
  readonly mappings: readonly Mapping[];
  readonly filters: readonly RowFilter[];
}

/** The columns that options name, found in a file. */
export interface Columns {
  readonly width: number;
  /** Those whose cells, joined by a space, are a time. */
  readonly times: readonly number[];
  readonly mapped: readonly MappedColumn[];
  readonly filters: readonly { readonly column: number; readonly value: string }[];
}

/** Finds all columns. Throws MappingFault. */
export const columnsOf = (
  { time, mappings, filters }: WantedColumn,
  headings: Headings,
): Columns => ({
  width: headings.width,
  times: timeColumns(time, headings),
  mapped: mappings.map((mapping) => mapColumn(mapping, headings)),
  filters: filters.map(({ column, value }) => ({ column: columnOf(column, headings), value })),
});

/** Whether a row names all columns, so that it is the heading. Never if all are given by number. */
export function namesAll(
  { time, mappings, filters }: WantedColumn,
  names: readonly string[],
): boolean {
  const headings = { names, width: names.length, others: [] };
  const sources = mappings.map(({ source }) => source);
  const all = [...partsOf(time, headings), ...sources, ...filters.map(({ column }) => column)];
  const isNamed = (source: string): boolean => located(source, headings).at.length > 0;
  return all.some((source) => !/^#\d+(:|$)/.test(source)) && all.every(isNamed);
}

const timeColumns = (time: string, headings: Headings): number[] =>
  partsOf(time, headings).map((part) => columnOf(part, headings));

/** A name may contain a plus; two columns are meant only if there is none of the whole name. */
function partsOf(time: string, headings: Headings): string[] {
  if (located(time, headings).at.length > 0) return [time];
  const parts = time.split('+').map((part) => part.trim());
  return parts.every((part) => part !== '') ? parts : [time];
}

function mapColumn({ quantity, source }: Mapping, headings: Headings): MappedColumn {
  const found = located(source, headings);
  const column = one(found, headings);
  const own = quantities.get(quantity)!.unit;
  const given = found.unit;
  if (given !== undefined && !conversionOf(quantity, given))
    throw new MappingFault(
      `${quantity} cannot be read in ${JSON.stringify(given)}; its units are ${unitsOf(quantity).join(', ')}`,
    );
  const agreed = agreedUnit(quantity, given, column, headings);
  const unit = agreed ?? own;
  const name = headings.names?.[column]?.trim() || `#${column + 1}`;
  return {
    quantity,
    column,
    name,
    unit,
    isStated: agreed !== undefined,
    convert: conversionOf(quantity, unit)!,
  };
}

/** The unit that is given in the option or stated above the data. Throws MappingFault if they contradict each other, or the quantity. */
function agreedUnit(
  quantity: QuantityName,
  given: string | undefined,
  column: number,
  { names, others }: Headings,
): string | undefined {
  for (const row of [names ?? [], ...others.toReversed()]) {
    const heading = row[column]?.trim() ?? '';
    const stated = statedUnit(heading, quantity)?.unit;
    if (stated === undefined) continue;
    const convertible = conversionOf(quantity, stated) !== undefined;
    if (given === undefined && convertible) return stated;
    if (given !== undefined && convertible && isSameUnit(quantity, given, stated)) return given;
    // An energy in each interval is a power, if the option says how long they are.
    if (given !== undefined && given.startsWith(`${stated}/`)) return given;
    // One letter in a heading may be anything else, such as a phase.
    if (given !== undefined && !convertible && !UNMISTAKABLE.test(stated)) return given;
    const said = `the file says ${JSON.stringify(heading)} of column #${column + 1}`;
    if (given !== undefined)
      throw new MappingFault(
        `${said}, but --map says ${given}: leave the unit out of --map, or correct the file`,
      );
    const isEnergy = stated.endsWith('Wh') && quantities.get(quantity)!.unit === 'W';
    throw new MappingFault(
      `${said}, and ${quantity} cannot be read in ${stated}${isEnergy ? `; if that is the energy of each interval, say how long they are, as in :${stated}/15min` : `: map another quantity, or say the unit if ${stated} is none`}`,
    );
  }
  return given;
}

/** The index of a column given by name, or as `#N`, counted from 1. Throws MappingFault. */
const columnOf = (name: string, headings: Headings): number =>
  one(located(name, headings, false), headings);

interface Located {
  readonly source: string;
  readonly name: string;
  /** The columns of this name. */
  readonly at: readonly number[];
  /** The unit behind the name. */
  readonly unit: string | undefined;
}

const NUMBERED = /^#([1-9]\d{0,4})$/;

function located(source: string, headings: Headings, mayHaveUnit = true): Located {
  const whole = named(source, headings);
  const colon = source.lastIndexOf(':');
  if (whole.length > 0 || colon < 0 || !mayHaveUnit)
    return { source, name: source, at: whole, unit: undefined };
  const name = source.slice(0, colon).trim();
  return { source, name, at: named(name, headings), unit: source.slice(colon + 1).trim() };
}

function named(name: string, { names, width }: Headings): number[] {
  const [, counted] = NUMBERED.exec(name) ?? [];
  const same = indexesOf(names, (heading) => name !== '' && heading === plain(name));
  if (same.length > 0) return same;
  if (counted !== undefined) return Number(counted) <= width ? [Number(counted) - 1] : [];
  // `Power [kW]` may be called Power.
  return indexesOf(names, (heading) => name !== '' && withoutUnit(heading) === plain(name));
}

const plain = (text: string): string => text.replace(/[\s\u00a0\u202f]+/g, ' ').trim();
const withoutUnit = (heading: string): string => plain(bracketsAtEnd(heading)?.name ?? heading);

const indexesOf = (
  names: readonly string[] | null,
  matches: (heading: string) => boolean,
): number[] => (names ?? []).flatMap((heading, i) => (matches(plain(heading)) ? [i] : []));

/** The only column of a name. Throws MappingFault. */
function one({ name, at }: Located, { names, width }: Headings): number {
  const [first, second] = at;
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined)
    throw new MappingFault(
      `the file has ${at.length} columns ${JSON.stringify(name)}: say which by its number, ${at.map((i) => `#${i + 1}`).join(' or ')}`,
    );
  if (NUMBERED.test(name))
    throw new MappingFault(`the file has ${width} columns, so there is no ${name}`);
  if (names === null)
    throw new MappingFault(
      `the file has no header: give the number of the column instead of ${JSON.stringify(name)}, as #1, #2 ...`,
    );
  throw new MappingFault(`the file has no column ${JSON.stringify(name)}; it has ${listed(names)}`);
}

const NAMES_SHOWN = 50;
const NAME_SHOWN = 60;

/** The names of columns for a message, however many and long they are. */
function listed(names: readonly string[]): string {
  const shown = names
    .slice(0, NAMES_SHOWN)
    .map((column, i) => (column.trim() === '' ? `#${i + 1}` : column.trim().slice(0, NAME_SHOWN)));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
