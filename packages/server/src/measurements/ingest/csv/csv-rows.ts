/** A row of a CSV file: its cells, or why it could not be read. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string };

/** The first line by which spreadsheets say what separates the columns. */
export const SEPARATOR_LINE = /^"?sep=(.)"?[;,\t|\s]*$/i;

const LINE_LENGTH = 1_000_000;

/** Stands for a line that is too long to be a row. No text that is read holds it: it is half a character. */
const OVERLONG = '\ud800';

/** Yields lines without their line breaks (LF, CRLF or CR). Of an overlong line nothing is kept: the rest of it could pass for a row. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  // A CR at the end of what was read may be the first half of a CRLF.
  let held = '';
  for await (const chunk of chunks) {
    const isOverlong = rest === OVERLONG;
    const text = (isOverlong ? '' : rest) + held + chunk;
    held = text.endsWith('\r') ? '\r' : '';
    const lines = splitLines(text.slice(0, text.length - held.length));
    if (isOverlong) lines[0] = OVERLONG;
    rest = lines.pop()!;
    if (rest.length > LINE_LENGTH) rest = OVERLONG;
    yield lines.map((line) => (line.length > LINE_LENGTH ? OVERLONG : line));
  }
  if (rest !== '') yield [rest];
}

const splitLines = (text: string): string[] =>
  text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');

// A quoted cell may span this many lines; a quote that is not closed within them is a stray one.
const LINES_OF_A_ROW = 20;

/**
 * Reads rows (RFC 4180); blank lines are skipped, as are the first `skip` lines and one that only names the separator.
 * No CSV library is used: those that we tried lose count of the lines, or lose the rest of the file at a stray quote.
 */
export async function* csvRowsOf(
  chunks: AsyncIterable<readonly string[]>,
  delimiter: string,
  skip = 0,
): AsyncGenerator<CsvRow> {
  let held: string[] = [];
  let line = 1;
  const next = (ended: boolean): CsvRow | undefined => {
    while (held[0] === '' || held[0]?.trim() === '') {
      held.shift();
      line += 1;
    }
    if (held.length === 0) return undefined;
    if (held[0] === OVERLONG) {
      held.shift();
      return { line: line++, fault: `the line has more than ${LINE_LENGTH} characters` };
    }
    let length = 0;
    let isWhole = true;
    for (let count = 1; count <= Math.min(held.length, LINES_OF_A_ROW); count++) {
      length += held[count - 1]!.length;
      // Many long lines in which a quote stays open would be put together again and again.
      isWhole = held[count - 1] !== OVERLONG && length <= LINE_LENGTH;
      if (!isWhole) break;
      const cells = splitRow(count === 1 ? held[0]! : held.slice(0, count).join('\n'), delimiter);
      if (!cells) continue;
      held.splice(0, count);
      line += count;
      return { line: line - count, cells };
    }
    if (isWhole && held.length < LINES_OF_A_ROW && !ended) return undefined;
    held.shift();
    return { line: line++, fault: 'a quote is not closed' };
  };
  for await (const lines of chunks) {
    // Most lines are complete rows; only one that opens a quote waits for further lines.
    for (const text of lines) {
      if (line <= skip || (line === skip + 1 && held.length === 0 && SEPARATOR_LINE.test(text))) {
        line += 1;
        continue;
      }
      if (held.length === 0 && text !== '' && text !== OVERLONG && !text.includes('"')) {
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

/** The cells of a row; undefined if a quote is not closed. Spaces before a quote are no part of the cell. */
function splitRow(text: string, delimiter: string): string[] | undefined {
  const cells: string[] = [];
  for (let at = 0; ;) {
    let cell = '';
    if (text[at] === ' ') at += /^ +(?=")/.exec(text.slice(at, at + 80))?.[0].length ?? 0;
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
