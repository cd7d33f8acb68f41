import { unitMeanings } from '@helioport/contract';
import { tableText, type TableCell } from '../table.ts';

/** Formats the data of an answer for people: lists as tables with a summary line, records as names and values. */
export function answerTable(data: unknown): string {
  if (data === null || data === undefined) return 'done';
  if (typeof data === 'string') return data;
  if (typeof data !== 'object') return JSON.stringify(data);
  const list = listIn(data);
  if (list) return `${tableText(columnsOf(list.records), rowsOf(list.records))}\n${list.summary}`;
  return tableText(
    ['field', 'value'],
    Object.keys(data)
      .filter((name) => !isBeside(name, [data as Row]))
      .map((name) => [name, cellOf(data as Row, name)]),
  );
}

type Row = Record<string, unknown>;

interface PageShape {
  records?: unknown;
  total?: number;
  current?: number;
  pages?: number;
}

function listIn(data: object): { records: Row[]; summary: string } | undefined {
  if (Array.isArray(data)) return { records: data as Row[], summary: `${data.length} rows` };
  const container = data as { page?: PageShape } | PageShape;
  const page = 'page' in container && container.page ? container.page : (container as PageShape);
  if (!Array.isArray(page.records)) return undefined;
  return {
    records: page.records as Row[],
    summary: `page ${page.current} of ${page.pages}, ${page.total} in all`,
  };
}

const MOST_COLUMNS = 8;
/** Columns that people look for first. */
const FAVOURITES = [
  'id',
  'sn',
  'stationName',
  'timeStr',
  'dateStr',
  'state',
  'capacity',
  'power',
  'pac',
  'dayEnergy',
  'etoday',
  'eToday',
  'allEnergy',
  'etotal',
  'energy',
  'money',
  'timeZoneStr',
];

function columnsOf(records: readonly Row[]): string[] {
  const all = [...new Set(records.flatMap((record) => Object.keys(record)))].filter(
    (name) => !isBeside(name, records),
  );
  const favourites = FAVOURITES.filter((name) => all.includes(name));
  return [...favourites, ...all.filter((name) => !favourites.includes(name))].slice(
    0,
    MOST_COLUMNS,
  );
}

/** Whether a column only accompanies another one: it holds units or multipliers of the other's values, or numbers that the other one has as text. */
const isBeside = (name: string, records: readonly Row[]): boolean =>
  records.some((record) => saysAnother(record, name));

function saysAnother(row: Row, name: string): boolean {
  const [, of, part] = /^(.+)(Str|Unit|Pec)$/.exec(name) ?? [];
  if (of !== undefined && typeof row[of] === 'number')
    return part === 'Pec' || !isReading(row[name]);
  return typeof row[name] === 'number' && isReading(row[`${name}Str`]);
}

/** Whether a text is a day, a time or another number, rather than a unit. */
const isReading = (text: unknown): boolean => typeof text === 'string' && /^[\d(-]/.test(text);

const rowsOf = (records: readonly Row[]): TableCell[][] =>
  records.map((record) => columnsOf(records).map((name) => cellOf(record, name)));

/** A value with its unit, if the record names one next to it. The rows of charts hold raw values, which are multiplied by a factor next to them. */
function cellOf(row: Row, name: string): TableCell {
  const value = row[name];
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  const unit = row[`${name}Str`] ?? row[`${name}Unit`];
  if (typeof value !== 'number' || typeof unit !== 'string' || isReading(unit))
    return value as TableCell;
  return `${multiplied(value, row[`${name}Pec`])} ${unitMeanings[unit] ?? unit}`;
}

/** Significant digits kept when a number is multiplied by a power of ten. */
const DIGITS = 12;

const multiplied = (value: number, pec: unknown): number =>
  Number((value * (typeof pec === 'string' ? Number(pec) : 1)).toPrecision(DIGITS));
