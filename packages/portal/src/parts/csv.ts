type Cell = string | number | null | undefined;

// A cell that a spreadsheet would take for a formula gets an apostrophe, since names come from other people.
const FORMULA = /^[=+\-@\t\r]/;

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV (RFC 4180), with a byte order mark so that spreadsheets take it for UTF-8. */
export const csvText = (rows: readonly (readonly Cell[])[]): string => `\uFEFF${rows.map((row) => row.map(cellText).join(',')).join('\r\n')}\r\n`;

/** A file to download. */
export interface CsvFile {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
}

/** Hands a CSV file to the person. */
export function downloadCsv({ name, rows }: CsvFile): void {
  const url = URL.createObjectURL(new Blob([csvText(rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
