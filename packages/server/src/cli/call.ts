import { createClient, HelioportError } from '@helioport/sdk';
import type { Register } from './context.ts';
import { CommandFault } from './faults.ts';
import { keyOf, withKeyOptions, type KeyOptions } from './key-options.ts';
import { httpAddress, jsonObject, operationNamed } from './request-arguments.ts';
import { table, type Cell } from './table.ts';

/** `helioport call`: makes a signed call and shows the data of its answer. */
export const registerCall: Register = (program, context) => {
  const call = program
    .command('call')
    .description('make a signed call')
    .argument('<operation>', 'for example userStationList')
    .argument('[json]', 'the request', '{}')
    .option('--url <url>', 'address of the user-level interface; else that of the settings');
  withKeyOptions(call).action(async (name: string, json: string, options: KeyOptions & { url?: string }) => {
    const operation = operationNamed(name);
    const request = jsonObject(json);
    const baseUrl = options.url === undefined ? context.config().userApiUrl : httpAddress(options.url, '--url');
    const client = createClient({ baseUrl, ...keyOf(options, context), clock: context.clock });
    const data = await client.call(operation, request).catch((error: unknown) => {
      throw error instanceof HelioportError ? new CommandFault(error.message) : error;
    });
    context.print(data, () => describe(data));
  });
};

/** Lists as tables with a line of summary, records as names and values. */
function describe(data: unknown): string {
  const list = listIn(data);
  if (list) return `${table(columnsOf(list.records), rowsOf(list.records))}\n${list.summary}`;
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  return table(
    ['field', 'value'],
    Object.entries(data).map(([name, value]) => [name, cellOf(value)]),
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
  const all = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const favourites = FAVOURITES.filter((name) => all.includes(name));
  return [...favourites, ...all.filter((name) => !favourites.includes(name))].slice(0, MOST_COLUMNS);
}

const rowsOf = (records: readonly Row[]): Cell[][] => records.map((record) => columnsOf(records).map((name) => cellOf(record[name])));

const cellOf = (value: unknown): Cell => (typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell));
