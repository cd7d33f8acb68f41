import { instantFault } from '../../../fleet/collectors/instants.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { openCsv } from './csv-rows.ts';
import type { Ingest } from '../ingest.ts';
import { columnOf, mapColumn, type Header, type Mapping } from './import-mapping.ts';
import { createRowReader, type ReadRow } from './import-row.ts';
import { createTimeReader, type TimeForm } from './import-times.ts';

export interface ImportOptions extends TimeForm {
  /** Path of a CSV file: separated by commas, semicolons or tabs. */
  readonly file: string;
  /** Serial number of the device that measured. */
  readonly sn: string;
  /** The column with the times: its name, or `#N`. */
  readonly time: string;
  readonly mappings: readonly Mapping[];
  /** Whether to read everything but store nothing. */
  readonly dryRun: boolean;
}

export interface ImportDeps {
  readonly ingest: Ingest;
  readonly clock: Clock;
  /** Called now and then with the progress so far. */
  readonly onProgress: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly rows: number;
  readonly bytesRead: number;
  readonly bytes: number;
}

/** The outcome of importing a file. */
export interface ImportResult {
  /** Rows of data, without header and blank lines. */
  readonly rows: number;
  readonly accepted: number;
  readonly duplicate: number;
  /** Refused rows, by line of the file, counted from 1. */
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
  /** The first rows as they were read. */
  readonly first: readonly ReadRow[];
  /** Rows whose local time occurred twice, because clocks went back. */
  readonly ambiguous: number;
}

/** Thrown when so many rows are bad that the options must be wrong. */
export class TooManyBadRows extends Error {
  override readonly name = 'TooManyBadRows';
}

const BAD_ROWS_AT_MOST = 100_000;
const ROWS_AT_ONCE = 5_000;
const FIRST_ROWS = 10;
const PROGRESS_MS = 2_000;

/** Imports a file row by row into the series of a device. Repeating it changes nothing. Throws MappingFault and what reading files throws. */
export async function importFile(
  options: ImportOptions,
  { ingest, clock, onProgress }: ImportDeps,
): Promise<ImportResult> {
  const { file, sn, dryRun } = options;
  const csv = await openCsv(file);
  const refused: { line: number; reason: string }[] = [];
  const first: ReadRow[] = [];
  let [rows, accepted, duplicate, ambiguous] = [0, 0, 0, 0];
  let batch: ReadRow[] = [];
  let reader: ReturnType<typeof createRowReader> | undefined;

  const store = async (): Promise<void> => {
    const stored = batch;
    batch = [];
    if (stored.length === 0) return;
    if (dryRun) {
      for (const { line, at } of stored) {
        const reason = instantFault(at, clock.now());
        if (reason !== undefined) refused.push({ line, reason });
      }
      return;
    }
    const answer = await ingest(
      'operator',
      stored.map(({ at, values }) => ({ sn, at, values })),
    );
    accepted += answer.accepted;
    duplicate += answer.duplicate;
    for (const { index, reason } of answer.refused)
      refused.push({ line: stored[index]!.line, reason });
  };

  let noted = clock.now();
  for await (const csvRow of csv.rows) {
    if (!reader && 'cells' in csvRow) {
      const header = isHeader(options, csvRow.cells) ? csvRow.cells : null;
      reader = readerOf(options, header, csvRow.cells.length);
      if (header) continue;
    }
    rows += 1;
    const row =
      'fault' in csvRow
        ? { line: csvRow.line, reason: csvRow.fault }
        : reader!(csvRow.cells, csvRow.line);
    if ('reason' in row) refused.push(row);
    // Rows in which nothing was measured are neither stored nor refused.
    else if (Object.keys(row.values).length > 0) {
      if (row.ambiguous) ambiguous += 1;
      if (first.length < FIRST_ROWS) first.push(row);
      batch.push(row);
    }
    if (refused.length > BAD_ROWS_AT_MOST)
      throw new TooManyBadRows(
        `more than ${BAD_ROWS_AT_MOST} rows are bad; line ${refused[0]!.line}: ${refused[0]!.reason}`,
      );
    if (batch.length < ROWS_AT_ONCE) continue;
    await store();
    if (clock.now() - noted < PROGRESS_MS) continue;
    noted = clock.now();
    onProgress({ rows, bytesRead: csv.bytesRead(), bytes: csv.bytes });
  }
  await store();
  return {
    rows,
    accepted,
    duplicate,
    refused: refused.toSorted((a, b) => a.line - b.line),
    first,
    ambiguous,
  };
}

/** The first row is data if it has a time in the column of times, or a number in a column of values. */
function isHeader(options: ImportOptions, record: readonly string[]): boolean {
  const { time, mappings } = options;
  const cellOf = (column: string): string =>
    record[Number(/^#([1-9]\d{0,4})(:|$)/.exec(column)?.[1] ?? Number.NaN) - 1] ?? '';
  return (
    'fault' in createTimeReader(options)(cellOf(time)) &&
    !mappings.some(({ source }) => /^[+-]?[\d.]+$/.test(cellOf(source).trim()))
  );
}

function readerOf(
  options: ImportOptions,
  header: Header,
  width: number,
): ReturnType<typeof createRowReader> {
  const columns = options.mappings.map((mapping) => mapColumn(mapping, header, width));
  return createRowReader(columnOf(options.time, header, width), columns, createTimeReader(options));
}
