import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** A row of a CSV file: its cells, or why it could not be read. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string };

/** A file of rows. `bytesRead` grows while they are read. */
export interface CsvFile {
  readonly bytes: number;
  bytesRead(): number;
  readonly rows: AsyncIterable<CsvRow>;
}

/**
 * Opens a file with commas, semicolons or tabs between its columns (RFC 4180, with or without BOM and CR); blank lines are skipped.
 * No CSV library is used: those that we tried lose count of the lines, or lose the rest of the file at a stray quote.
 * Throws what opening files throws.
 */
export async function openCsv(file: string): Promise<CsvFile> {
  const handle = await open(file);
  const head = Buffer.alloc(HEAD_BYTES);
  let bytes: number;
  let delimiter: string;
  try {
    bytes = (await handle.stat()).size;
    const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
    delimiter = delimiterOf(head.toString('utf8', 0, bytesRead));
  } finally {
    await handle.close();
  }
  const source = createReadStream(file, { encoding: 'utf8' });
  return { bytes, bytesRead: () => source.bytesRead, rows: rowsOf(linesOf(source), delimiter) };
}

const HEAD_BYTES = 64 * 1024;

/** The delimiter that the first line contains most often outside quotes. */
function delimiterOf(head: string): string {
  const [line = ''] = head.replace(/"[^"]*"/g, '').split(/\r?\n/, 1);
  const counts = [',', ';', '\t'].map((delimiter) => ({
    delimiter,
    count: line.split(delimiter).length,
  }));
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).delimiter;
}

const LINE_LENGTH = 1_000_000;

/** Yields lines without their line breaks. An overlong line comes in pieces, each of which will be refused as a bad row. */
async function* linesOf(source: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  let first = true;
  for await (const chunk of source) {
    const lines = (rest + (first && chunk.startsWith('\ufeff') ? chunk.slice(1) : chunk)).split(
      '\n',
    );
    first = false;
    rest = lines.pop()!;
    if (rest.length > LINE_LENGTH) {
      lines.push(rest);
      rest = '';
    }
    yield lines.map(withoutReturn);
  }
  if (rest !== '') yield [withoutReturn(rest)];
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

// A quoted cell may span this many lines; a quote that is not closed within them is a stray one.
const LINES_OF_A_ROW = 20;

async function* rowsOf(chunks: AsyncIterable<string[]>, delimiter: string): AsyncGenerator<CsvRow> {
  let held: string[] = [];
  let line = 1;
  const next = (ended: boolean): CsvRow | undefined => {
    while (held[0] === '' || held[0]?.trim() === '') {
      held.shift();
      line += 1;
    }
    if (held.length === 0) return undefined;
    for (let count = 1; count <= Math.min(held.length, LINES_OF_A_ROW); count++) {
      const cells = splitRow(count === 1 ? held[0]! : held.slice(0, count).join('\n'), delimiter);
      if (!cells) continue;
      held.splice(0, count);
      line += count;
      return { line: line - count, cells };
    }
    if (held.length < LINES_OF_A_ROW && !ended) return undefined;
    held.shift();
    return { line: line++, fault: 'a quote is not closed' };
  };
  for await (const lines of chunks) {
    // Most lines are complete rows; only one that opens a quote waits for further lines.
    for (const text of lines) {
      if (held.length === 0 && text !== '' && !text.includes('"')) {
        if (text.trim() !== '') yield { line, cells: text.split(delimiter) };
        line += 1;
        continue;
      }
      held.push(text);
      for (let row = next(false); row; row = next(false)) yield row;
    }
  }
  for (let row = next(true); row; row = next(true)) yield row;
}

/** The cells of a row; undefined if a quote is not closed. */
function splitRow(text: string, delimiter: string): string[] | undefined {
  const cells: string[] = [];
  for (let at = 0; ;) {
    let cell = '';
    if (text[at] === '"') {
      for (;;) {
        const close = text.indexOf('"', at + 1);
        if (close < 0) return undefined;
        cell += text.slice(at + 1, close);
        at = close + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
    }
    const end = text.indexOf(delimiter, at);
    if (end < 0) return [...cells, cell + text.slice(at)];
    cells.push(cell + text.slice(at, end));
    at = end + 1;
  }
}
