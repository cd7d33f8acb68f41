import { operations } from '@helioport/contract';
import { mailboxKey } from '../../../platform/kernel/addresses/mailbox.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { inputOf } from '../../operations/input.ts';
import { CliCommandFault } from '../installation/faults.ts';
import { checkColumns, readCsvRecords, type CsvRecord } from './csv-records.ts';

type Request = Readonly<Record<string, string>>;

/** Something that a row adds, once however many rows name it, and the first line that does. */
export interface FleetPart {
  readonly line: number;
  readonly request: Request;
}

/** What a file adds, each part after those that it belongs to. */
export interface FleetFile {
  readonly owners: readonly FleetPart[];
  readonly plants: readonly (FleetPart & { readonly key: string })[];
  readonly collectors: readonly (FleetPart & { readonly plant: string })[];
  readonly devices: readonly (FleetPart & { readonly plant: string })[];
}

const columnsOf = (id: keyof typeof operations, without: readonly string[]): string[] =>
  Object.values(operations[id].request)
    .map(({ names: [name] }) => name as string)
    .filter((name) => !without.includes(name));

const same = (names: readonly string[]): Request =>
  Object.fromEntries(names.map((name) => [name, name]));

/** The parameter that each column fills, by what it describes. */
const COLUMNS = {
  owner: { owner: 'email', ownerName: 'name', ownerTimeZone: 'timeZone' },
  plant: { owner: 'owner', plant: 'name', ...same(columnsOf('plant/add', ['owner', 'name'])) },
  collector: { collector: 'sn', collectorModel: 'model' },
  device: {
    device: 'sn',
    collector: 'collector',
    deviceName: 'name',
    ...same(columnsOf('device/add', ['sn', 'plantId', 'collector', 'name'])),
  },
} as const satisfies Record<string, Request>;

const OPERATIONS = {
  owner: 'user/add',
  plant: 'plant/add',
  collector: 'collector/add',
  device: 'device/add',
} as const;

type Kind = keyof typeof COLUMNS;

/** All columns that a file may have. */
export const FLEET_COLUMNS: readonly string[] = [
  ...new Set(Object.values(COLUMNS).flatMap((columns) => Object.keys(columns))),
];

const FAULTS_SHOWN = 20;

/** Reads a file of a fleet, and checks what can be checked without the database. Throws CommandFault with the faulty lines. */
export async function readFleet(path: string): Promise<FleetFile> {
  const rows = await readCsvRecords(path, (names) => {
    checkColumns(names, FLEET_COLUMNS);
    for (const needed of ['owner', 'plant'])
      if (!names.includes(needed)) throw new CliCommandFault(`the column ${needed} is missing`);
  });
  const faults: string[] = [];
  const found = { owner: new Map(), plant: new Map(), collector: new Map(), device: new Map() };
  for (const record of rows) {
    const fault = takeRow(record, found);
    if (fault !== undefined) faults.push(`line ${record.line}: ${fault}`);
  }
  if (faults.length > 0) throw manyFaults(faults);
  const all = (kind: Kind): Part[] => [...found[kind].values()];
  return {
    owners: all('owner'),
    plants: all('plant'),
    collectors: all('collector'),
    devices: all('device'),
  };
}

function manyFaults(faults: readonly string[]): CliCommandFault {
  const [first, ...others] = faults;
  if (others.length === 0) return new CliCommandFault(`${first}; nothing was imported`);
  const more = faults.length - FAULTS_SHOWN;
  const shown = [...faults.slice(0, FAULTS_SHOWN), ...(more > 0 ? [`... and ${more} more`] : [])];
  return new CliCommandFault(
    [`${faults.length} lines are wrong; nothing was imported`, ...shown].join('\n  '),
  );
}

interface Part extends FleetPart {
  readonly key: string;
  readonly plant: string;
}
type Found = Readonly<Record<Kind, Map<string, Part>>>;

/** Adds what a row describes to what was found before; returns what is wrong with it. */
function takeRow({ line, row }: CsvRecord, found: Found): string | undefined {
  const missing = ['owner', 'plant'].find((name) => row[name] === undefined);
  if (missing !== undefined) return `${missing} is missing`;
  const owner = mailboxKey(row['owner']!);
  const plant = JSON.stringify([owner, row['plant']]);
  const keys: Record<Kind, string | undefined> = {
    owner,
    plant,
    collector: row['collector'],
    device: row['device'],
  };
  for (const kind of ['owner', 'plant', 'collector', 'device'] as const) {
    const key = keys[kind];
    const columns = Object.entries(COLUMNS[kind]).filter(([column]) => row[column] !== undefined);
    if (key === undefined) {
      // A device may have a collector, which then is none of its own columns.
      const alone = columns.find(([column]) => column !== 'collector');
      if (alone !== undefined) return `${alone[0]} is given, but no ${kind}`;
      continue;
    }
    const request = Object.fromEntries(columns.map(([column, name]) => [name, row[column]!]));
    const known = found[kind].get(key);
    const fault = known
      ? differenceOf(kind, known, { line, plant, request })
      : faultOf(kind, request);
    if (fault !== undefined) return fault;
    if (!known) found[kind].set(key, { line, key, plant, request });
  }
  return undefined;
}

function faultOf(kind: Kind, request: Request): string | undefined {
  try {
    inputOf(operations[OPERATIONS[kind]], request);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { field } = (error.data ?? {}) as { field?: string };
    const [column] = Object.entries(COLUMNS[kind]).find(([, name]) => name === field) ?? [];
    return column === undefined || field === undefined
      ? error.message
      : error.message.replaceAll(field, column);
  }
}

/** What later rows say of the same thing must be left out or the same. */
function differenceOf(
  kind: Kind,
  known: Part,
  { plant, request }: Pick<Part, 'line' | 'plant' | 'request'>,
): string | undefined {
  if (kind === 'device') return `the device ${request['sn']} already occurs in line ${known.line}`;
  if (kind === 'collector' && known.plant !== plant)
    return `the collector ${request['sn']} is in another plant in line ${known.line}`;
  const different = Object.entries(request).find(
    ([name, value]) => !isIdentity(kind, name) && value !== known.request[name],
  );
  if (different === undefined) return undefined;
  const [column] = Object.entries(COLUMNS[kind]).find(([, name]) => name === different[0])!;
  return `${column} is ${different[1]}, but ${known.request[different[0]] ?? 'nothing'} in line ${known.line}`;
}

const isIdentity = (kind: Kind, name: string): boolean =>
  (kind === 'owner' && name === 'email') || (kind === 'plant' && name === 'owner');
