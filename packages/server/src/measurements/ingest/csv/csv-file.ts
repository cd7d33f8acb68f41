import { linesOf, csvRowsOf, SEPARATOR_LINE, type CsvRow } from './csv-rows.ts';
import { openText, type CsvEncoding } from './csv-text.ts';

/** A file of rows, which can be read several times. */
export interface CsvFile {
  readonly bytes: number;
  readonly encoding: CsvEncoding;
  readonly delimiter: string;
  read(): CsvReading;
}

/** One reading of a file. `bytesRead` grows meanwhile. */
export interface CsvReading {
  bytesRead(): number;
  readonly rows: AsyncIterable<CsvRow>;
}

/** How well the first rows fit, if they are read with some delimiter; 0: not at all. */
export type Fit = (rows: readonly CsvRow[], delimiter: string) => number;

export interface CsvOptions {
  /** How many lines come before those that count. */
  readonly skip?: number;
  /** Compares delimiters; by default, by how many rows have the same number of cells. */
  readonly fit?: Fit;
}

/** The one that fits best is used; of several, the first. A comma is often inside of cells, a tab hardly ever. */
const DELIMITERS = ['\t', ';', '|', ','];
const HEAD_ROWS = 500;

/**
 * Opens a file with tabs, semicolons, commas or bars between its columns, in any encoding and with any line breaks that spreadsheets write.
 * Throws NoText and what opening files throws.
 */
export async function openCsv(
  file: string,
  { skip = 0, fit = evenness }: CsvOptions = {},
): Promise<CsvFile> {
  const text = await openText(file);
  const { head } = text;
  const lines = head.text.split(/\r\n|\n|\r/);
  if (!head.isWhole) lines.pop();
  const [, stated] = SEPARATOR_LINE.exec(lines[skip] ?? '') ?? [];
  let best = { delimiter: stated ?? ',', fits: 0 };
  for (const delimiter of stated === undefined ? DELIMITERS : []) {
    const rows: CsvRow[] = [];
    for await (const row of csvRowsOf(once(lines), delimiter, skip)) {
      rows.push(row);
      if (rows.length === HEAD_ROWS) break;
    }
    const fits = fit(rows, delimiter);
    if (fits > best.fits) best = { delimiter, fits };
  }
  const { delimiter } = best;
  return {
    bytes: text.bytes,
    encoding: text.encoding,
    delimiter,
    read() {
      const reading = text.read();
      return {
        bytesRead: reading.bytesRead,
        rows: csvRowsOf(linesOf(reading.chunks), delimiter, skip),
      };
    },
  };
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

/** The share of the rows that have the most frequent number of cells, in tenths; 0 if that is one cell. */
export function evenness(rows: readonly CsvRow[]): number {
  const widths = new Map<number, number>();
  for (const row of rows)
    if ('cells' in row) widths.set(row.cells.length, (widths.get(row.cells.length) ?? 0) + 1);
  const [width, count] = [...widths].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0];
  return width < 2 ? 0 : Math.round((10 * count) / rows.length);
}
