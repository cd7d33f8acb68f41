import { operations, type WireRequest } from '@helioport/contract';
import type { Command } from 'commander';
import { openCsv } from '../../../measurements/ingest/csv/csv-file.ts';
import { NoText } from '../../../measurements/ingest/csv/csv-text.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { OperatorDoor } from '../../operations/operator-door.ts';
import type { CliContext } from '../context.ts';
import { CliCommandFault } from '../installation/faults.ts';
import { tableText } from '../table.ts';

type Row = Readonly<Record<string, string>>;

/** How the rows of a CSV file are turned into requests. */
interface Reading {
  readonly operation: 'plant/add' | 'device/add';
  /** The column whose empty cells an option fills. */
  readonly optional: {
    readonly column: string;
    readonly option: string;
    readonly given: string | undefined;
  };
  /** A column whose values must be unique. */
  readonly unique?: string;
}

const parametersOf = (id: Reading['operation']) => Object.values(operations[id].request);
const columnsOf = (id: Reading['operation']): string[] =>
  parametersOf(id).map(({ names: [name] }) => name);

/** `helioport plant import`: adds one plant per row of a file, all of them or none. */
export function registerPlantImport(plant: Command, context: CliContext): void {
  plant
    .command('import <file>')
    .description(
      `add the plants in a CSV file, either all or none; the first row names the columns: ${columnsOf('plant/add').join(', ')}`,
    )
    .option('--owner <email>', 'owner of the plants in rows that do not name one')
    .action((file: string, { owner }: { owner?: string }) =>
      importRows(
        context,
        file,
        { operation: 'plant/add', optional: { column: 'owner', option: '--owner', given: owner } },
        async (door, row) => {
          const { plantId } = await door.call('plant/add', row as WireRequest<'plant/add'>);
          return { id: plantId, name: row['name'] ?? '' };
        },
      ),
    );
}

/** `helioport device import`: adds one device per row of a file, all of them or none. */
export function registerDeviceImport(device: Command, context: CliContext): void {
  device
    .command('import <file>')
    .description(
      `add the devices in a CSV file to plants, either all or none; the first row names the columns: ${columnsOf('device/add').join(', ')}`,
    )
    .option('--plant <id>', 'plant of the devices in rows that do not name one')
    .action((file: string, { plant }: { plant?: string }) =>
      importRows(
        context,
        file,
        {
          operation: 'device/add',
          optional: { column: 'plantId', option: '--plant', given: plant },
          unique: 'sn',
        },
        async (door, row) => door.call('device/add', row as WireRequest<'device/add'>),
      ),
    );
}

async function importRows(
  context: CliContext,
  file: string,
  reading: Reading,
  add: (door: OperatorDoor, row: Row) => Promise<{ readonly id: string }>,
): Promise<void> {
  const rows = await readRows(context.path(file), reading);
  const operator = await context.operator();
  const added = await operator.together(async (door) => {
    const done: { readonly line: number; readonly id: string }[] = [];
    for (const { line, row } of rows) {
      const made = await add(door, row).catch((error: unknown) => {
        throw error instanceof Failure
          ? new CliCommandFault(`line ${line}: ${error.message}; nothing was imported`)
          : error;
      });
      done.push({ line, ...made });
    }
    return done;
  });
  context.print(added, () =>
    [
      tableText(
        Object.keys(added[0] ?? {}),
        added.map((one) => Object.values(one)),
      ),
      `${added.length} imported`,
    ].join('\n'),
  );
}

const ROWS_AT_MOST = 100_000;

/** The rows of a file, with cells by column name; empty cells are left out. Throws CommandFault. */
async function readRows(path: string, reading: Reading): Promise<{ line: number; row: Row }[]> {
  const { optional, unique } = reading;
  const byOption: Row = optional.given === undefined ? {} : { [optional.column]: optional.given };
  const csv = await openCsv(path).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof NoText) throw new CliCommandFault(`${path} ${error.message}`);
    throw new CliCommandFault(
      `${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
    );
  });
  let names: readonly string[] | undefined;
  const read: { line: number; row: Row }[] = [];
  const lineOf = new Map<string, number>();
  for await (const one of csv.read().rows) {
    const { line } = one;
    const refuse = (fault: string): never => {
      throw new CliCommandFault(`line ${line}: ${fault}; nothing was imported`);
    };
    if ('fault' in one) return refuse(one.fault);
    const cells = one.cells.map((cell) => cell.trim());
    // Which letters these are is a guess; names are to be right.
    const guessed = csv.encoding === 'windows-1252' ? /[^\0-\x7f]/ : /\ufffd/;
    if (cells.some((cell) => guessed.test(cell)))
      refuse('contains characters that are not UTF-8: save the file as UTF-8');
    if (!names) {
      names = checkNames(cells, reading);
      continue;
    }
    if (cells.length > names.length) refuse('more cells than columns');
    const row: Row = {
      ...byOption,
      ...Object.fromEntries(
        names.map((name, i) => [name, cells[i] ?? ''] as const).filter(([, cell]) => cell !== ''),
      ),
    };
    const key = unique === undefined ? undefined : row[unique];
    if (key !== undefined) {
      if (lineOf.has(key))
        refuse(`${JSON.stringify(key)} already occurs in line ${lineOf.get(key)}`);
      lineOf.set(key, line);
    }
    read.push({ line, row });
    // They are added in one transaction, and held until then.
    if (read.length > ROWS_AT_MOST) refuse(`more than ${ROWS_AT_MOST} rows: split the file`);
  }
  if (read.length === 0) throw new CliCommandFault('the file has no data rows');
  return read;
}

/** Of a file that is something else altogether. */
const UNKNOWN_SHOWN = 10;
const UNKNOWN_LENGTH = 60;

function checkNames(
  names: readonly string[],
  { operation, optional: { column, option, given } }: Reading,
): readonly string[] {
  const columns = columnsOf(operation);
  const unknown = names.filter((name) => !columns.includes(name));
  if (unknown.length > 0)
    throw new CliCommandFault(
      `unknown column: ${unknown
        .slice(0, UNKNOWN_SHOWN)
        .map((name) => JSON.stringify(name.slice(0, UNKNOWN_LENGTH)))
        .join(', ')}; known: ${columns.join(', ')}`,
    );
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new CliCommandFault(`the column ${twice} occurs twice`);
  for (const {
    names: [needed],
    required,
  } of parametersOf(operation)) {
    if (!required || names.includes(needed) || (needed === column && given !== undefined)) continue;
    throw new CliCommandFault(
      `the column ${needed} is missing${needed === column ? `; ${option} may replace it` : ''}`,
    );
  }
  return names;
}
