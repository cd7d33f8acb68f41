import type { MappedColumn } from './import-mapping.ts';
import type { ReadTime } from './import-times.ts';

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
const NOTHING = /^(|-+|nan|na|n\/a|null|none)$/i;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const COMMA_NUMBER = /^[+-]?\d+,\d+$/;

/** Reads rows: cells in which nothing was measured are left out, even if none remain; a cell that is not a number makes its row bad. */
export function createRowReader(
  timeColumn: number,
  columns: readonly MappedColumn[],
  readTime: (text: string) => ReadTime,
): (record: readonly string[], line: number) => ReadRow | BadRow {
  const wanted = Math.max(timeColumn, ...columns.map(({ column }) => column)) + 1;
  return (record, line) => {
    if (record.length < wanted)
      return { line, reason: `the row has ${record.length} columns; column ${wanted} is mapped` };
    const time = readTime(record[timeColumn]!);
    if ('fault' in time) return { line, reason: time.fault };
    const values: { [quantity: string]: number } = {};
    for (const { quantity, column, convert } of columns) {
      const cell = record[column]!.trim();
      if (NOTHING.test(cell)) continue;
      const value = numberOf(cell);
      if (value === undefined)
        return {
          line,
          reason: `${quantity}: ${JSON.stringify(cell.slice(0, 40))} is not a number`,
        };
      values[quantity] = convert(value);
    }
    return { line, at: time.at, ambiguous: time.ambiguous, values };
  };
}

function numberOf(cell: string): number | undefined {
  const text = COMMA_NUMBER.test(cell) ? cell.replace(',', '.') : cell;
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
