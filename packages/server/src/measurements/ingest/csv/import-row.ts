import type { Columns, MappedColumn } from './import-columns.ts';
import { numberOf, importedNumberText, type Decimal } from './import-numbers.ts';
import type { ReadTime } from './import-times.ts';
import { conversionOf, isSameUnit } from './import-units.ts';

/** A row of a file as a reading. */
export interface ReadRow {
  readonly line: number;
  readonly at: number;
  readonly ambiguous: boolean;
  readonly values: { readonly [quantity: string]: number };
}

/** An unreadable row, and why. */
export interface BadRow {
  readonly line: number;
  readonly reason: string;
}

// Texts that programs write when there is no measured value.
const NOTHING =
  /^(|[-–—]+|\?+|\.+|#?n\/?an?|#nv|null|nil|none|unavailable|unknown|undefined|no data|k\.? ?a\.?|#(value|div\/0|ref)!)$/i;

/** Whether nothing was measured, as a cell says. */
export const isNothing = (cell: string): boolean => NOTHING.test(cell);

/** A cell without spaces around it, and without the formula by which spreadsheets keep texts as they are. */
export const cellText = (cell: string): string => {
  const text = cell.trim();
  return text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1).trim() : text;
};

/** The text of a row's time; undefined if the row is too short. */
export function timeText(cells: readonly string[], { times }: Columns): string | undefined {
  const parts = times.map((column) => cells[column]);
  return parts.includes(undefined)
    ? undefined
    : parts
        .map((part) => cellText(part!))
        .filter((part) => part !== '')
        .join(' ');
}

/** Whether a row has the values that the filters want. */
export const isRowWanted = (cells: readonly string[], { filters }: Columns): boolean =>
  filters.every(({ column, value }) => cellText(cells[column] ?? '') === value);

/** Why a row does not fit its columns; undefined if it does. Empty cells at the end are no fault. */
export function widthFault(
  cells: readonly string[],
  { width, times, mapped, filters }: Columns,
): string | undefined {
  const columns = [...times, ...mapped.map(({ column }) => column)];
  const wanted = Math.max(...columns, ...filters.map(({ column }) => column)) + 1;
  if (cells.length < wanted)
    return `the row has ${cells.length} columns; column ${wanted} is mapped`;
  if (cells.slice(width).every((cell) => cell.trim() === '')) return undefined;
  return `the row has ${cells.length} cells, but there are ${width} columns: a comma in a number has to be in quotes`;
}

/** How the numbers of each column are written, in the order of the mapped columns. */
export type Decimals = readonly (Decimal | undefined)[];

/** Reads rows: cells in which nothing was measured are left out, even if none remain; a cell that is not a number makes its row bad. */
export function createRowReader(
  columns: Columns,
  decimals: Decimals,
  readTime: (text: string, line: number) => ReadTime,
): (cells: readonly string[], line: number) => ReadRow | BadRow {
  return (cells, line) => {
    const fault = widthFault(cells, columns);
    if (fault !== undefined) return { line, reason: fault };
    const time = readTime(timeText(cells, columns)!, line);
    if ('fault' in time) return { line, reason: time.fault };
    const values: { [quantity: string]: number } = {};
    for (const [i, mapped] of columns.mapped.entries()) {
      const cell = cellText(cells[mapped.column]!);
      if (isNothing(cell)) continue;
      const value = valueOf(cell, mapped, decimals[i]);
      if (value === undefined)
        return {
          line,
          reason: `${mapped.quantity}: ${JSON.stringify(cell.slice(0, 40))} is not a number`,
        };
      values[mapped.quantity] = value;
    }
    return { line, at: time.at, ambiguous: time.ambiguous, values };
  };
}

/** The value of a cell in the quantity's own unit; undefined if it is none, or in a unit that the column is not in. */
function valueOf(
  cell: string,
  { quantity, unit, isStated, convert }: MappedColumn,
  decimal: Decimal | undefined,
): number | undefined {
  const text = importedNumberText(cell);
  const value = text && numberOf(text.body, decimal);
  if (!text || value === undefined) return undefined;
  if (text.unit === '') return convert(value);
  const stated = conversionOf(quantity, text.unit);
  return stated && (!isStated || isSameUnit(quantity, unit, text.unit)) ? stated(value) : undefined;
}
