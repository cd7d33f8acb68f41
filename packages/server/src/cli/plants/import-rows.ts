import { operations, type WireRequest } from '@helioport/contract';
import type { Command } from 'commander';
import { openCsv } from '../../ingest/csv/csv-rows.ts';
import { Failure } from '../../kernel/failure.ts';
import type { OperatorDoor } from '../../operations/operator-door.ts';
import type { CliContext } from '../context.ts';
import { CommandFault } from '../installation/faults.ts';
import { table } from '../table.ts';

type Row = Readonly<Record<string, string>>;

const columnsOf = (id: 'plant/add' | 'device/add'): string[] => Object.values(operations[id].request).map(({ names: [name] }) => name);

/** `helioport plant import`: as many plants as a file has rows, all of them or none. */
export function registerPlantImport(plant: Command, context: CliContext): void {
  plant
    .command('import <file>')
    .description(`add the plants of a CSV file, all or none; its first row names the columns: ${columnsOf('plant/add').join(', ')}`)
    .option('--owner <email>', 'owner of the plants whose row names none')
    .action((file: string, { owner }: { owner?: string }) =>
      importRows(context, file, columnsOf('plant/add'), async (door, row) => {
        const given = { ...(owner !== undefined && { owner }), ...row };
        const { plantId } = await door.call('plant/add', given as WireRequest<'plant/add'>);
        return { id: plantId, name: row['name'] ?? '' };
      }),
    );
}

/** `helioport device import`: the same for devices. */
export function registerDeviceImport(device: Command, context: CliContext): void {
  device
    .command('import <file>')
    .description(`add the devices of a CSV file to plants, all or none; its first row names the columns: ${columnsOf('device/add').join(', ')}`)
    .option('--plant <id>', 'plant of the devices whose row names none')
    .action((file: string, { plant }: { plant?: string }) =>
      importRows(context, file, columnsOf('device/add'), async (door, row) => {
        const given = { ...(plant !== undefined && { plantId: plant }), ...row };
        return door.call('device/add', given as WireRequest<'device/add'>);
      }),
    );
}

async function importRows(
  context: CliContext,
  file: string,
  columns: readonly string[],
  add: (door: OperatorDoor, row: Row) => Promise<{ readonly id: string }>,
): Promise<void> {
  const rows = await readRows(context.path(file), columns);
  const operator = await context.operator();
  const added = await operator.together(async (door) => {
    const done: { readonly line: number; readonly id: string }[] = [];
    for (const { line, row } of rows) {
      const made = await add(door, row).catch((error: unknown) => {
        throw error instanceof Failure ? new CommandFault(`line ${line}: ${error.message}; nothing was imported`) : error;
      });
      done.push({ line, ...made });
    }
    return done;
  });
  context.print(added, () =>
    [
      table(
        Object.keys(added[0] ?? {}),
        added.map((one) => Object.values(one)),
      ),
      `${added.length} imported`,
    ].join('\n'),
  );
}

/** The rows of a file by the names of its columns; empty cells are left out. Throws CommandFault. */
async function readRows(path: string, columns: readonly string[]): Promise<{ line: number; row: Row }[]> {
  const { rows } = await openCsv(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFault(`${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`);
  });
  let names: readonly string[] | undefined;
  const read: { line: number; row: Row }[] = [];
  for await (const row of rows) {
    if ('fault' in row) throw new CommandFault(`line ${row.line}: ${row.fault}; nothing was imported`);
    const cells = row.cells.map((cell) => cell.trim());
    if (names) {
      if (cells.length > names.length) throw new CommandFault(`line ${row.line}: more cells than columns; nothing was imported`);
      read.push({ line: row.line, row: Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''] as const).filter(([, cell]) => cell !== '')) });
    } else names = checkNames(cells, columns);
  }
  if (read.length === 0) throw new CommandFault('the file has no data rows');
  return read;
}

function checkNames(names: readonly string[], columns: readonly string[]): readonly string[] {
  const unknown = names.filter((name) => !columns.includes(name));
  if (unknown.length > 0) throw new CommandFault(`unknown column: ${unknown.map((name) => JSON.stringify(name)).join(', ')}; known: ${columns.join(', ')}`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new CommandFault(`the column ${twice} occurs twice`);
  return names;
}
