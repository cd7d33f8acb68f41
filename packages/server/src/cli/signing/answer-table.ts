import { table, type Cell } from '../table.ts';

/** The data of an answer for people: lists as tables with a line of summary, records as names and values. */
export function answerTable(data: unknown): string {
  const list = listIn(data);
  if (list) return `${table(columnsOf(list.records), rowsOf(list.records))}\n${list.summary}`;
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  return table(
    ['field', 'value'],
    Object.keys(data).map((name) => [name, cellOf(data as Row, name)]),
  );
}

type Row = Record<string, unknown>;

interface PageShape {
  records?: unknown;
  total?: number;
  current?: number;
  pages?: number;
}

function listIn(data: unknown): { records: Row[]; summary: string } | undefined {
  if (Array.isArray(data)) return { records: data as Row[], summary: `${data.length} rows` };
  const container = data as { page?: PageShape } | PageShape | null;
  const page = container && 'page' in container && container.page ? container.page : (container as PageShape | null);
  if (!page || !Array.isArray(page.records)) return undefined;
  return { records: page.records as Row[], summary: `page ${page.current} of ${page.pages}, ${page.total} in all` };
}

const MOST_COLUMNS = 8;
/** What people look for first. */
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
  'timeZoneStr',
];

function columnsOf(records: readonly Row[]): string[] {
  const all = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) => !isUnit(name, records));
  const favourites = FAVOURITES.filter((name) => all.includes(name));
  return [...favourites, ...all.filter((name) => !favourites.includes(name))].slice(0, MOST_COLUMNS);
}

/** Units stand beside the values of another column. */
const isUnit = (name: string, records: readonly Row[]): boolean =>
  /(Str|Unit)$/.test(name) && records.some((record) => typeof record[name.replace(/(Str|Unit)$/, '')] === 'number');

const rowsOf = (records: readonly Row[]): Cell[][] => records.map((record) => columnsOf(records).map((name) => cellOf(record, name)));

/** A value with its unit, where the record names one beside it. */
function cellOf(row: Row, name: string): Cell {
  const value = row[name];
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  const unit = row[`${name}Str`] ?? row[`${name}Unit`];
  return typeof value === 'number' && typeof unit === 'string' ? `${value} ${unit}` : (value as Cell);
}
