import type { QuantityName } from '@helioport/contract';
import { instantFault } from '../../../fleet/collectors/instants.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { BoundDevice } from '../../bindings/bound-device.ts';
import type { Ingest } from '../ingest.ts';
import { valueFault } from '../../bindings/reading-bounds.ts';
import { nothingLeft } from '../readings/reading.ts';
import { openCsv, type CsvFile } from './csv-file.ts';
import type { CsvRow } from './csv-rows.ts';
import { columnsOf, type WantedColumn } from './import-columns.ts';
import {
  checkDayCounters,
  createDayRows,
  importedDayReadings,
  isDayCounter,
} from './import-days.ts';
import { MappingFault } from './import-fault.ts';
import { fitOf, headOf, type Head } from './import-head.ts';
import type { Decimal } from './import-numbers.ts';
import { createRowReader, isRowWanted, type BadRow, type ReadRow } from './import-row.ts';
import { surveyOf, type Survey } from './import-survey.ts';
import { createTimeReader, type ReadTime } from './import-times.ts';
import { createImportedBatch } from './imported-batch.ts';

export interface ImportOptions extends WantedColumn {
  /** Path of a CSV file: separated by commas, semicolons, tabs or bars. */
  readonly file: string;
  /** Serial number of the device that measured. */
  readonly sn: string;
  /** An IANA zone, or null when each time carries its own offset. */
  readonly zone: string | null;
  readonly dayFirst: boolean;
  /** What begins the fractions of numbers; undefined if the file has to show it. */
  readonly decimal: Decimal | undefined;
  /** How many lines to leave out before the heading. */
  readonly skip: number;
  /** Whether each row has a date and the energy of that day at the plant. */
  readonly days: boolean;
  /** Whether to read everything but store nothing. */
  readonly dryRun: boolean;
}

export interface ImportDeps {
  readonly ingest: Ingest;
  readonly clock: Clock;
  /** The device in each of its plants, ascending. */
  readonly bindings: readonly BoundDevice[];
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
  readonly refused: readonly BadRow[];
  /** Values that the device cannot have measured, of rows of which the others were stored. */
  readonly dropped: readonly (BadRow & { readonly quantity: string })[];
  /** Rows of which a later row of the same time has replaced values. */
  readonly replaced: { readonly count: number; readonly firstLine: number | undefined };
  /** The first rows as they were read. */
  readonly first: readonly ReadRow[];
  /** Rows whose local time occurred twice, because clocks went back. */
  readonly ambiguous: number;
  /** What was found out by looking at all rows; undefined for a file without any. */
  readonly survey: Survey | undefined;
}

/** Thrown when so many rows are bad that the options must be wrong. */
export class TooManyBadRows extends Error {
  override readonly name = 'TooManyBadRows';
}

const BAD_ROWS_AT_MOST = 100_000;
const ROWS_AT_ONCE = 5_000;
const FIRST_ROWS = 10;
const PROGRESS_MS = 2_000;
const HEAD_ROWS = 500;

/**
 * Imports a file into the series of a device: looks at all of its rows, which show how its numbers and times are written, and then reads them one by
 * one. Repeating it changes nothing. Throws MappingFault, NoText and what reading files throws.
 */
export async function importFile(options: ImportOptions, deps: ImportDeps): Promise<ImportResult> {
  const { file, days, skip } = options;
  if (days) checkDayCounters(options.mappings);
  const csv = await openCsv(file, { skip, fit: (rows) => fitOf(options, rows) });
  const first = await firstRows(csv);
  const head = headOf(options, first);
  if (!head) return nothingReadable(first);
  const columns = columnsOf(options, head.headings);
  const survey = await surveyOf(dataOf(csv.read().rows, head), {
    columns,
    delimiter: csv.delimiter,
    decimal: options.decimal,
    dayFirst: options.dayFirst,
  });
  checkDates(options, survey);
  const read = createRowReader(columns, survey.decimals, timesOf(options, survey, deps));
  const result = await storeRows(options, deps, csv, async function* (rows) {
    for await (const row of dataOf(rows, head)) {
      if ('fault' in row) yield { line: row.line, reason: row.fault };
      else if (isRowWanted(row.cells, columns)) yield read(row.cells, row.line);
    }
  });
  return { ...result, survey };
}

const NO_ROWS: ImportResult = {
  rows: 0,
  accepted: 0,
  duplicate: 0,
  refused: [],
  dropped: [],
  replaced: { count: 0, firstLine: undefined },
  first: [],
  ambiguous: 0,
  survey: undefined,
};

/** A file whose first rows cannot be read. */
function nothingReadable(rows: readonly CsvRow[]): ImportResult {
  const refused = rows.flatMap((row) =>
    'fault' in row ? [{ line: row.line, reason: row.fault }] : [],
  );
  return { ...NO_ROWS, rows: refused.length, refused };
}

async function firstRows(csv: CsvFile): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of csv.read().rows) {
    rows.push(row);
    if (rows.length === HEAD_ROWS) break;
  }
  return rows;
}

async function* dataOf(
  rows: AsyncIterable<CsvRow>,
  { dataFrom, faultsFrom }: Head,
): AsyncGenerator<CsvRow> {
  for await (const row of rows) if (row.line >= ('fault' in row ? faultsFrom : dataFrom)) yield row;
}

/** A counter of a day beside dates alone would be read at the beginning of each day. Throws MappingFault. */
function checkDates({ days, time, mappings }: ImportOptions, { areDates }: Survey): void {
  const counter = mappings.find(({ quantity }) => isDayCounter(quantity));
  if (days || !areDates || !counter) return;
  throw new MappingFault(
    `the column ${JSON.stringify(time)} has dates without a time of day: say --days if ${counter.quantity} is the energy of each day, or name the column of the times as well, as in --time Date+Time`,
  );
}

function timesOf(
  { zone, days }: ImportOptions,
  { times }: Survey,
  { bindings }: ImportDeps,
): (text: string, line: number) => ReadTime {
  return days
    ? createDayRows(times, bindings.at(-1)!.calendar)
    : createTimeReader({ zone, ...times });
}

type Rows = (rows: AsyncIterable<CsvRow>) => AsyncIterable<ReadRow | BadRow>;

async function storeRows(
  { sn, dryRun, days }: ImportOptions,
  { ingest, clock, bindings, onProgress }: ImportDeps,
  csv: CsvFile,
  readRows: Rows,
): Promise<Omit<ImportResult, 'survey'>> {
  const refused: BadRow[] = [];
  const dropped: (BadRow & { quantity: string })[] = [];
  const first: ReadRow[] = [];
  const together = createImportedBatch();
  let [rows, accepted, duplicate, ambiguous] = [0, 0, 0, 0];

  const storeAll = async (batch: readonly ReadRow[]): Promise<void> => {
    const reading = ({ at, values }: Pick<ReadRow, 'at' | 'values'>) => ({ sn, at, values });
    if (days) {
      const { calendar } = bindings.at(-1)!;
      await ingest(
        'operator',
        batch.map((row) => reading(importedDayReadings(row, calendar)[0]!)),
      );
    }
    const answer = await ingest('operator', batch.map(reading));
    accepted += answer.accepted;
    duplicate += answer.duplicate;
    for (const { index, reason } of answer.refused)
      refused.push({ line: batch[index]!.line, reason });
    for (const { index, quantity, reason } of answer.dropped ?? [])
      dropped.push({ line: batch[index]!.line, quantity, reason });
  };
  const store = async (): Promise<void> => {
    const batch = together.take();
    if (batch.length === 0) return;
    if (!dryRun) return storeAll(batch);
    for (const row of batch) {
      const checked = checkedRow(row, bindings, clock.now());
      if ('reason' in checked) refused.push(checked);
      else for (const one of checked.dropped) dropped.push(one);
    }
  };

  const reading = csv.read();
  let noted = clock.now();
  for await (const row of readRows(reading.rows)) {
    rows += 1;
    if ('reason' in row) refused.push(row);
    // Rows in which nothing was measured are neither stored nor refused.
    else if (Object.keys(row.values).length > 0) {
      if (row.ambiguous) ambiguous += 1;
      if (first.length < FIRST_ROWS) first.push(row);
      together.add(row);
    }
    if (refused.length > BAD_ROWS_AT_MOST)
      throw new TooManyBadRows(
        `more than ${BAD_ROWS_AT_MOST} rows are bad; line ${refused[0]!.line}: ${refused[0]!.reason}`,
      );
    if (together.size < ROWS_AT_ONCE) continue;
    await store();
    if (clock.now() - noted < PROGRESS_MS) continue;
    noted = clock.now();
    onProgress({ rows, bytesRead: reading.bytesRead(), bytes: csv.bytes });
  }
  await store();
  return {
    rows,
    accepted,
    duplicate: duplicate + (dryRun ? 0 : together.same),
    refused: refused.toSorted((a, b) => a.line - b.line),
    dropped,
    replaced: together.replaced,
    first,
    ambiguous,
  };
}

/** What would become of a row: whether it would be refused, or some of its values dropped. */
function checkedRow(
  { line, at, values }: ReadRow,
  bindings: readonly BoundDevice[],
  now: number,
): BadRow | { readonly dropped: readonly (BadRow & { readonly quantity: string })[] } {
  const reason = instantFault(at, now);
  if (reason !== undefined) return { line, reason };
  const bound = bindings.findLast(({ fromAt, toAt }) => at >= fromAt && at < toAt);
  if (!bound) return { line, reason: 'the device was in no plant at that time' };
  const dropped = Object.entries(values).flatMap(([quantity, value]) => {
    const fault = valueFault(quantity as QuantityName, value, bound.bounds.subject);
    return fault === undefined ? [] : [{ line, quantity, reason: fault }];
  });
  const [one] = dropped;
  return one && dropped.length === Object.keys(values).length
    ? { line, reason: nothingLeft(one.quantity, one.reason) }
    : { dropped };
}
