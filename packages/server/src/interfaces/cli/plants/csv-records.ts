import { openCsv } from '../../../measurements/ingest/csv/csv-file.ts';
import { NoText } from '../../../measurements/ingest/csv/csv-text.ts';
import { CliCommandFault } from '../installation/faults.ts';

/** A row of a file, with its cells by the name of their column; empty cells are left out. */
export interface CsvRecord {
  readonly line: number;
  readonly row: Readonly<Record<string, string>>;
}

const ROWS_AT_MOST = 100_000;

/** What is wrong with one line of a file that is imported completely or not at all. */
export const lineFault = (line: number, fault: string): CliCommandFault =>
  new CliCommandFault(`line ${line}: ${fault}; nothing was imported`);

/** The rows of a file whose first row names the columns. Throws CommandFault, and what `checkNames` throws. */
export async function readCsvRecords(
  path: string,
  checkNames: (names: readonly string[]) => void,
): Promise<readonly CsvRecord[]> {
  const csv = await openCsv(path).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof NoText) throw new CliCommandFault(`${path} ${error.message}`);
    throw new CliCommandFault(
      `${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
    );
  });
  let names: readonly string[] | undefined;
  const read: CsvRecord[] = [];
  for await (const one of csv.read().rows) {
    const { line } = one;
    if ('fault' in one) throw lineFault(line, one.fault);
    const cells = one.cells.map((cell) => cell.trim());
    // Which letters these are is a guess; names are to be right.
    const guessed = csv.encoding === 'windows-1252' ? /[^\0-\x7f]/ : /\ufffd/;
    if (cells.some((cell) => guessed.test(cell)))
      throw lineFault(line, 'contains characters that are not UTF-8: save the file as UTF-8');
    if (!names) {
      checkNames(cells);
      names = cells;
      continue;
    }
    if (cells.length > names.length) throw lineFault(line, 'more cells than columns');
    const given = names.map((name, i) => [name, cells[i] ?? ''] as const);
    read.push({ line, row: Object.fromEntries(given.filter(([, cell]) => cell !== '')) });
    // They are added in one transaction, and held until then.
    if (read.length > ROWS_AT_MOST)
      throw lineFault(line, `more than ${ROWS_AT_MOST} rows: split the file`);
  }
  if (read.length === 0) throw new CliCommandFault('the file has no data rows');
  return read;
}

/** Of a file that is something else altogether. */
const UNKNOWN_SHOWN = 10;
const UNKNOWN_LENGTH = 60;

/** Throws CommandFault if a column is none of those that are known, or occurs twice. */
export function checkColumns(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new CliCommandFault(
      `unknown column: ${unknown
        .slice(0, UNKNOWN_SHOWN)
        .map((name) => JSON.stringify(name.slice(0, UNKNOWN_LENGTH)))
        .join(', ')}; known: ${known.join(', ')}`,
    );
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new CliCommandFault(`the column ${twice} occurs twice`);
}
