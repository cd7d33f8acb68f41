import { operations, type WireRequest } from '@helioport/contract';
import type { Command } from 'commander';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { OperatorDoor } from '../../operations/operator-door.ts';
import type { CliContext } from '../context.ts';
import { CliCommandFault } from '../installation/faults.ts';
import { tableText } from '../table.ts';
import { checkColumns, lineFault, readCsvRecords, type CsvRecord } from './csv-records.ts';

type Row = CsvRecord['row'];

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
        throw error instanceof Failure ? lineFault(line, error.message) : error;
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

/** The rows of a file, with what an option gives to those that do not say. Throws CommandFault. */
async function readRows(path: string, reading: Reading): Promise<readonly CsvRecord[]> {
  const { optional, unique } = reading;
  const byOption: Row = optional.given === undefined ? {} : { [optional.column]: optional.given };
  const lineOf = new Map<string, number>();
  const rows = await readCsvRecords(path, (names) => checkNames(names, reading));
  return rows.map(({ line, row: own }) => {
    const row = { ...byOption, ...own };
    const key = unique === undefined ? undefined : row[unique];
    if (key !== undefined) {
      if (lineOf.has(key))
        throw lineFault(line, `${JSON.stringify(key)} already occurs in line ${lineOf.get(key)}`);
      lineOf.set(key, line);
    }
    return { line, row };
  });
}

function checkNames(
  names: readonly string[],
  { operation, optional: { column, option, given } }: Reading,
): void {
  checkColumns(names, columnsOf(operation));
  for (const {
    names: [needed],
    required,
  } of parametersOf(operation)) {
    if (!required || names.includes(needed) || (needed === column && given !== undefined)) continue;
    throw new CliCommandFault(
      `the column ${needed} is missing${needed === column ? `; ${option} may replace it` : ''}`,
    );
  }
}
