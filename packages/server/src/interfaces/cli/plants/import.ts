import type { Device } from '../../../fleet/devices/devices.ts';
import type { CliContext, Register } from '../context.ts';
import { CommandFault, UsageFault } from '../installation/faults.ts';
import { table } from '../table.ts';

interface Options {
  device: string;
  time: string;
  zone: string;
  map: string[];
  dayFirst?: true;
  dryRun?: true;
}

const SHOWN = 20;
const OFFSET = /^[+-](0\d|1[0-4]):[0-5]\d$/;

export const registerImport: Register = (program, context) => {
  program
    .command('import <file>')
    .description('import a CSV file into a device’s history; importing it again changes nothing')
    .requiredOption('--device <sn>', 'serial number of the device')
    .requiredOption('--time <column>', 'column with the times: its name, or #N, counting from 1')
    .requiredOption(
      '--zone <zone>',
      'time zone of the times: a name such as Europe/Berlin, an offset such as +02:00, or as-stamped if each time carries its own offset',
    )
    .requiredOption(
      '--map <quantity=column[:unit]>',
      'a quantity and its column; may be repeated',
      (text: string, all: string[] | undefined) => [...(all ?? []), text],
    )
    .option('--day-first', 'read dates with slashes as day/month/year')
    .option('--dry-run', 'read everything and show the first rows, but store nothing')
    .action((file: string, options: Options) => importInto(context, file, options));
};

async function importInto(context: CliContext, file: string, options: Options): Promise<void> {
  // Imported only when needed, so that --help stays fast.
  const [
    { isTimeZone },
    { readMapping, MappingFault },
    { importFile },
    { createIngest },
    { findDevice },
  ] = await Promise.all([
    import('@helioport/contract'),
    import('../../../measurements/ingest/csv/import-mapping.ts'),
    import('../../../measurements/ingest/csv/import-file.ts'),
    import('../../../measurements/ingest/ingest.ts'),
    import('../../../fleet/devices/devices.ts'),
  ]);
  const zone = options.zone === 'as-stamped' ? null : options.zone;
  if (zone !== null && !isTimeZone(zone) && !OFFSET.test(zone))
    throw new UsageFault(
      `--zone ${zone}: expected an IANA time zone such as Europe/Berlin, an offset such as +02:00, or as-stamped`,
    );
  try {
    const mappings = options.map.map(readMapping);
    const twice = mappings.find(
      ({ quantity }, i) => mappings.findIndex((other) => other.quantity === quantity) !== i,
    );
    if (twice) throw new UsageFault(`${twice.quantity} is mapped twice`);
    const { db } = await context.storage();
    checkDevice(await findDevice(db, options.device), options.device);
    const ingest = createIngest({ db, clock: context.clock, series: await context.series() });
    const began = context.clock.now();
    const result = await importFile(
      {
        file: context.path(file),
        sn: options.device,
        time: options.time,
        zone,
        dayFirst: options.dayFirst ?? false,
        mappings,
        dryRun: options.dryRun ?? false,
      },
      {
        ingest,
        clock: context.clock,
        onProgress: (progress) => context.note(progressLine(progress, context.clock.now() - began)),
      },
    );
    report(context, result, options.dryRun ?? false);
  } catch (error) {
    if (error instanceof MappingFault) throw new UsageFault(error.message);
    if (isFileError(error))
      throw new CommandFault(
        `${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
      );
    throw error;
  }
}

function checkDevice(device: Device | undefined, sn: string): void {
  if (!device) throw new CommandFault(`there is no device with the serial number ${sn}`);
  if (device.plantId === null)
    throw new CommandFault(`the device ${sn} is not in any plant: add it to one first`);
}

const FILE_FAULTS = new Set([
  'ENOENT',
  'EACCES',
  'EPERM',
  'EISDIR',
  'EIO',
  'ENOTDIR',
  'ENAMETOOLONG',
]);

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && FILE_FAULTS.has((error as NodeJS.ErrnoException).code ?? '');

function progressLine(
  { rows, bytesRead, bytes }: { rows: number; bytesRead: number; bytes: number },
  elapsedMs: number,
): string {
  const share = bytes === 0 ? 1 : bytesRead / bytes;
  const left = Math.ceil((elapsedMs / share - elapsedMs) / 1000);
  return `${rows} rows, ${Math.round((rows * 1000) / Math.max(1, elapsedMs))} a second, ${Math.floor(share * 100)} % of the file, about ${left} s left`;
}

interface Result {
  readonly rows: number;
  readonly accepted: number;
  readonly duplicate: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
  readonly first: readonly {
    readonly line: number;
    readonly at: number;
    readonly values: { readonly [quantity: string]: number };
  }[];
  readonly ambiguous: number;
}

function report(
  context: CliContext,
  { rows, accepted, duplicate, refused, first, ambiguous }: Result,
  dryRun: boolean,
): void {
  if (ambiguous > 0)
    context.note(
      `${ambiguous} local times occurred twice, when clocks went back: they were taken in file order`,
    );
  if (rows === 0) context.note('the file has no data rows');
  // If every row is refused, the options are probably wrong, so a script must be able to notice.
  if (rows > 0 && refused.length === rows) context.fail();
  const counts = `${rows} rows: ${accepted} accepted, ${duplicate} already known, ${refused.length} refused`;
  const bad = refused.slice(0, SHOWN).map(({ line, reason }) => `line ${line}: ${reason}`);
  if (refused.length > SHOWN) bad.push(`... and ${refused.length - SHOWN} more`);
  if (!dryRun) {
    context.print({ rows, accepted, duplicate, refused }, () => [counts, ...bad].join('\n'));
    return;
  }
  const names = [...new Set(first.flatMap(({ values }) => Object.keys(values)))];
  const shown = first.map(({ line, at, values }) => [
    line,
    new Date(at).toISOString(),
    ...names.map((name) => values[name]),
  ]);
  context.print(
    {
      rows,
      accepted,
      duplicate,
      refused,
      first: first.map(({ line, at, values }) => ({ line, at, values })),
    },
    () =>
      [
        table(['line', 'time (UTC)', ...names], shown),
        '',
        `dry run, nothing stored: ${rows} rows, ${refused.length} refused`,
        ...bad,
      ].join('\n'),
  );
}
