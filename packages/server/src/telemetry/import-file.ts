import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse';
import type { Clock } from '../kernel/clock.ts';
import type { Ingest } from './ingest.ts';
import { columnOf, mapColumn, type Header, type Mapping } from './import-mapping.ts';
import { createRowReader, type ReadRow } from './import-row.ts';
import { createTimeReader, type TimeForm } from './import-times.ts';

export interface ImportOptions extends TimeForm {
  /** Path of a CSV file: separated by commas, semicolons or tabs. */
  readonly file: string;
  /** Serial number of the device that measured. */
  readonly sn: string;
  /** The column of the times: its name, or `#N`. */
  readonly time: string;
  readonly mappings: readonly Mapping[];
  /** Read everything, store nothing. */
  readonly dryRun: boolean;
}

export interface ImportDeps {
  readonly ingest: Ingest;
  readonly clock: Clock;
  /** Called now and then with how far it has gone. */
  readonly onProgress: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly rows: number;
  readonly bytesRead: number;
  readonly bytes: number;
}

/** What became of a file. */
export interface ImportResult {
  /** Rows of data, without header and blank lines. */
  readonly rows: number;
  readonly accepted: number;
  readonly duplicate: number;
  /** By line of the file, counted from 1. */
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
  /** The first rows as they were read. */
  readonly first: readonly ReadRow[];
  /** Rows whose local time came twice, because clocks were put back. */
  readonly ambiguous: number;
}

/** So many rows are bad that it must be the options which are wrong. */
export class TooManyBadRows extends Error {
  override readonly name = 'TooManyBadRows';
}

const BAD_ROWS_AT_MOST = 100_000;
const ROWS_AT_ONCE = 5_000;
const FIRST_ROWS = 10;

/** Reads a file row by row into the series of a device. Done again, it changes nothing. Throws MappingFault and what reading files throws. */
export async function importFile(options: ImportOptions, { ingest, clock, onProgress }: ImportDeps): Promise<ImportResult> {
  const { file, sn, dryRun } = options;
  const bytes = await sizeOf(file);
  const refused: { line: number; reason: string }[] = [];
  const first: ReadRow[] = [];
  let [rows, accepted, duplicate, ambiguous] = [0, 0, 0, 0];
  let batch: ReadRow[] = [];
  let reader: ReturnType<typeof createRowReader> | undefined;

  const store = async (): Promise<void> => {
    const stored = batch;
    batch = [];
    if (dryRun || stored.length === 0) return;
    const answer = await ingest('operator', stored.map(({ at, values }) => ({ sn, at, values })));
    accepted += answer.accepted;
    duplicate += answer.duplicate;
    for (const { index, reason } of answer.refused) refused.push({ line: stored[index]!.line, reason });
  };

  const source = createReadStream(file);
  const records = source.pipe(
    parse({
      bom: true,
      delimiter: await delimiterOf(file),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      max_record_size: 1_000_000,
      on_skip: (error) => {
        rows += 1;
        refused.push({ line: (error as { lines?: number } | undefined)?.lines ?? 0, reason: error?.message ?? 'the row is unreadable' });
      },
    }),
  );
  source.on('error', (error) => records.destroy(error));
  let noted = clock.now();
  for await (const { record, info } of records as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    if (!reader) {
      const header = isHeader(options, record) ? record : null;
      reader = readerOf(options, header);
      if (header) continue;
    }
    rows += 1;
    const row = reader(record, info.lines);
    if ('reason' in row) refused.push(row);
    else {
      if (row.ambiguous) ambiguous += 1;
      if (first.length < FIRST_ROWS) first.push(row);
      batch.push(row);
    }
    if (refused.length > BAD_ROWS_AT_MOST) throw new TooManyBadRows(`more than ${BAD_ROWS_AT_MOST} rows are bad; line ${refused[0]!.line}: ${refused[0]!.reason}`);
    if (batch.length < ROWS_AT_ONCE) continue;
    await store();
    if (clock.now() - noted < 2_000) continue;
    noted = clock.now();
    onProgress({ rows, bytesRead: source.bytesRead, bytes });
  }
  await store();
  return { rows, accepted, duplicate, refused: refused.sort((a, b) => a.line - b.line), first, ambiguous };
}

/** The first row is data when a time stands where the times are, or a number where a value is. */
function isHeader(options: ImportOptions, record: readonly string[]): boolean {
  const { time, mappings } = options;
  const cellOf = (column: string): string => record[Number(/^#([1-9]\d{0,4})(:|$)/.exec(column)?.[1] ?? Number.NaN) - 1] ?? '';
  return 'fault' in createTimeReader(options)(cellOf(time)) && !mappings.some(({ source }) => /^[+-]?[\d.]+$/.test(cellOf(source).trim()));
}

function readerOf(options: ImportOptions, header: Header): ReturnType<typeof createRowReader> {
  const columns = options.mappings.map((mapping) => mapColumn(mapping, header));
  return createRowReader(columnOf(options.time, header), columns, createTimeReader(options));
}

async function sizeOf(file: string): Promise<number> {
  const handle = await open(file);
  try {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

const HEAD_BYTES = 64 * 1024;

/** What separates the columns: whatever the first line has most of, outside quotes. */
async function delimiterOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).replace(/"[^"]*"/g, '').split(/\r?\n/, 1);
    const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
    return counts.reduce((best, other) => (other.count > best.count ? other : best)).delimiter;
  } finally {
    await handle.close();
  }
}
