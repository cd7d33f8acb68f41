import { spreadsheetText } from '@helioport/contract/spreadsheet-text';

export type CsvCell = string | number | null | undefined;

function cellText(cell: CsvCell, decimal: Decimal): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(cell).replace('.', decimal);
  const text = spreadsheetText(cell);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What separates the decimals of a figure. */
export type Decimal = '.' | ',';

/**
 * Rows as CSV (RFC 4180), with a byte order mark so that spreadsheets take it for UTF-8. Where decimals have a comma, spreadsheets expect it in files too, and a semicolon
 * between the cells.
 */
export const csvText = (rows: readonly (readonly CsvCell[])[], decimal: Decimal): string =>
  `\uFEFF${rows.map((row) => row.map((cell) => cellText(cell, decimal)).join(decimal === ',' ? ';' : ',')).join('\r\n')}\r\n`;
