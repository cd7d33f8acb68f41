import { namesAll, type Headings, type WantedColumn } from './import-columns.ts';
import { evenness } from './csv-file.ts';
import type { CsvRow } from './csv-rows.ts';
import { importedNumberText } from './import-numbers.ts';
import { cellText } from './import-row.ts';
import { readStamp } from './import-stamps.ts';

/** Where the data of a file begin, and what is above them. */
export interface Head {
  readonly headings: Headings;
  /** The line of the first row of data. */
  readonly dataFrom: number;
  /** From this line on, rows that cannot be read may be data. */
  readonly faultsFrom: number;
}

/** Rows under a heading that only state units or serial numbers. */
const SUBHEADINGS_AT_MOST = 3;

/** How well rows fit what options say of columns: best if one names them all, otherwise by their times and their number of cells. */
export function fitOf(wanted: WantedColumn, rows: readonly CsvRow[]): number {
  const named = rows.find((row) => 'cells' in row && namesAll(wanted, row.cells));
  if (named && 'cells' in named) return 1_000 + named.cells.length;
  const numbered = numberedTimes(wanted);
  const timed = numbered
    ? rows.filter((row) => 'cells' in row && hasTime(row.cells, numbered))
    : [];
  return evenness(rows) + (timed.length > 0 ? 100 : 0);
}

/** Finds the heading and the first row of data among the first rows of a file; undefined if there are none. */
export function headOf(wanted: WantedColumn, rows: readonly CsvRow[]): Head | undefined {
  const read = rows.flatMap((row) => ('cells' in row ? [row] : []));
  const [first] = read;
  if (!first) return undefined;
  const heading = read.findIndex(({ cells }) => namesAll(wanted, cells));
  const numbered = numberedTimes(wanted);
  if (heading < 0 && !numbered) {
    const width = modalWidth(read.map(({ cells }) => cells));
    const likely = read.find(({ cells }) => cells.length === width) ?? first;
    return {
      headings: { names: likely.cells, width: likely.cells.length, others: [] },
      dataFrom: likely.line + 1,
      faultsFrom: likely.line + 1,
    };
  }
  if (heading >= 0) {
    const names = read[heading]!.cells;
    const { line } = read[heading]!;
    const unread = rows.find((row) => 'fault' in row && row.line > line);
    const under = read
      .slice(heading + 1, heading + 1 + SUBHEADINGS_AT_MOST)
      .filter((row) => !unread || row.line < unread.line);
    const count = under.findIndex(({ cells }) => !isSubheading(wanted, names, cells));
    // Where a row that cannot be read ends them, all may be subheadings.
    const isCut = unread !== undefined && under.length < SUBHEADINGS_AT_MOST;
    const below = under
      .slice(0, count < 0 ? (isCut ? under.length : 0) : count)
      .map(({ cells }) => cells);
    const above = read.slice(0, heading).map(({ cells }) => cells);
    const data = read[heading + 1 + below.length];
    return {
      headings: {
        names,
        width: names.length,
        others: [...above.filter(isAsWide(names)), ...below],
      },
      dataFrom: data?.line ?? line + 1,
      faultsFrom: line + 1,
    };
  }
  const begins = read.findIndex(({ cells }) => isData(wanted, numbered!, cells));
  const data = read[begins < 0 ? 1 : begins] ?? { line: first.line + 1, cells: first.cells };
  const above = read.slice(0, begins < 0 ? 1 : begins).map(({ cells }) => cells);
  const names = above.findLast(isAsWide(data.cells)) ?? null;
  return {
    headings: {
      names,
      width: Math.max(data.cells.length, names?.length ?? 0),
      others: above.filter((row) => row !== names),
    },
    dataFrom: data.line,
    // Above rows of data without a heading, there may be others.
    faultsFrom: 1,
  };
}

const isAsWide =
  (other: readonly string[]) =>
  (row: readonly string[]): boolean =>
    row.length >= other.length - 1 && row.length > 1;

function modalWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** The columns of the times, if all are given by number. */
function numberedTimes({ time }: WantedColumn): readonly number[] | undefined {
  const parts = time.split('+').map((part) => /^#([1-9]\d{0,4})$/.exec(part.trim())?.[1]);
  return parts.includes(undefined) ? undefined : parts.map((part) => Number(part) - 1);
}

function hasTime(cells: readonly string[], columns: readonly number[]): boolean {
  if (columns.some((column) => column >= cells.length)) return false;
  const text = columns
    .map((column) => cellText(cells[column]!))
    .join(' ')
    .trim();
  return [true, false].some((dayFirst) => !('fault' in readStamp(text, dayFirst)));
}

/** Whether a row is one of data: it has a time, or some other text in its place and a number where a value should be. */
function isData(
  { mappings }: WantedColumn,
  times: readonly number[],
  cells: readonly string[],
): boolean {
  if (hasTime(cells, times)) return true;
  return (
    times.some((column) => cellText(cells[column] ?? '') !== '') &&
    mappings.some(({ source }) => {
      const [, counted] = /^#([1-9]\d{0,4})(:|$)/.exec(source) ?? [];
      return (
        counted !== undefined &&
        importedNumberText(cellText(cells[Number(counted) - 1] ?? '')) !== undefined
      );
    })
  );
}

/** Whether a row right under the heading has neither a time nor a number, such as one of units. */
function isSubheading(
  wanted: WantedColumn,
  names: readonly string[],
  cells: readonly string[],
): boolean {
  const first = names.findIndex((name) => wanted.time.split('+')[0]!.trim() === name.trim());
  const time = cellText(cells[first < 0 ? 0 : first] ?? '');
  return (
    !/^\d/.test(time) && cells.every((cell) => importedNumberText(cellText(cell)) === undefined)
  );
}
