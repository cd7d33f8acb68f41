import type { Device } from '../../../fleet/devices/devices.ts';
import type { ImportResult } from '../../../measurements/ingest/csv/import-file.ts';
import type { Decimal } from '../../../measurements/ingest/csv/import-numbers.ts';
import type { Db } from '../../../platform/storage/database.ts';
import type { CliContext, RegisterCommand } from '../context.ts';
import { CliCommandFault, CliUsageFault } from '../installation/faults.ts';
import { tableText } from '../table.ts';

interface Options {
  device?: string;
  plant?: string;
  time: string;
  zone?: string;
  map: string[];
  where?: string[];
  skip?: string;
  decimal?: string;
  days?: true;
  dayFirst?: true;
  dryRun?: true;
}

const SHOWN = 20;
const OFFSET = /^[+-](0\d|1[0-4]):[0-5]\d$/;
const DECIMALS: Readonly<Record<string, Decimal>> = { point: '.', comma: ',', '.': '.', ',': ',' };

const repeated = (text: string, all: string[] | undefined): string[] => [...(all ?? []), text];

export const registerImport: RegisterCommand = (program, context) => {
  program
    .command('import <file>')
    .description('import a CSV file into a device’s history; importing it again changes nothing')
    .option('--device <sn>', 'serial number of the device')
    .option(
      '--plant <id>',
      'in place of a device: irradiance and weather that were recorded elsewhere, for this plant',
    )
    .requiredOption(
      '--time <column>',
      'column with the times: its name, or #N, counting from 1; two columns as Date+Time',
    )
    .option(
      '--zone <zone>',
      'time zone of the times: a name such as Europe/Berlin, an offset such as +02:00, or as-stamped if each time carries its own offset; needless with --days',
    )
    .requiredOption(
      '--map <quantity=column[:unit]>',
      'a quantity and its column; may be repeated',
      repeated,
    )
    .option(
      '--where <column=value>',
      'import only the rows with this value in a column; may be repeated',
      repeated,
    )
    .option('--days', 'each row has a date and the energy of that day at the plant')
    .option('--day-first', 'read dates with slashes as day/month/year')
    .option('--decimal <sign>', 'what comes before the fraction of a number: point or comma')
    .option('--skip <lines>', 'leave out lines at the beginning of the file')
    .option('--dry-run', 'read everything and show the first rows, but store nothing')
    .action((file: string, options: Options) => importInto(context, file, options));
};

/** The zone that an option names; null if each time carries its own offset. Throws UsageFault. */
function zoneOf({ zone, days }: Options, isTimeZone: (name: string) => boolean): string | null {
  if (zone === undefined) {
    if (days) return null;
    throw new CliUsageFault("required option '--zone <zone>' not specified");
  }
  if (zone === 'as-stamped') return null;
  if (isTimeZone(zone) || OFFSET.test(zone)) return zone;
  throw new CliUsageFault(
    `--zone ${zone}: expected an IANA time zone such as Europe/Berlin, an offset such as +02:00, or as-stamped`,
  );
}

function decimalOf({ decimal }: Options): Decimal | undefined {
  if (decimal === undefined) return undefined;
  if (Object.hasOwn(DECIMALS, decimal)) return DECIMALS[decimal];
  throw new CliUsageFault(`--decimal ${decimal}: expected point or comma`);
}

function skipOf({ skip = '0' }: Options): number {
  if (/^\d{1,6}$/.test(skip)) return Number(skip);
  throw new CliUsageFault(`--skip ${skip}: expected a number of lines`);
}

async function importInto(context: CliContext, file: string, options: Options): Promise<void> {
  // Imported only when needed, so that --help stays fast.
  const [
    { isTimeZone },
    { readFilter, readMapping },
    { MappingFault },
    { NoText },
    { importFile },
    { createIngest },
    { findDevice },
    { findReportableDevice: findReporter },
  ] = await Promise.all([
    import('@helioport/contract'),
    import('../../../measurements/ingest/csv/import-mapping.ts'),
    import('../../../measurements/ingest/csv/import-fault.ts'),
    import('../../../measurements/ingest/csv/csv-text.ts'),
    import('../../../measurements/ingest/csv/import-file.ts'),
    import('../../../measurements/ingest/ingest.ts'),
    import('../../../fleet/devices/devices.ts'),
    import('../../../measurements/bindings/reportable-devices.ts'),
  ]);
  if ((options.device === undefined) === (options.plant === undefined))
    throw new CliUsageFault('name either a device (--device) or a plant (--plant)');
  const zone = zoneOf(options, isTimeZone);
  const [decimal, skip] = [decimalOf(options), skipOf(options)];
  const { days = false, dayFirst = false, dryRun = false } = options;
  try {
    const mappings = options.map.map(readMapping);
    const twice = mappings.find(
      ({ quantity }, i) => mappings.findIndex((other) => other.quantity === quantity) !== i,
    );
    if (twice) throw new CliUsageFault(`${twice.quantity} is mapped twice`);
    const filters = (options.where ?? []).map(readFilter);
    const { db } = await context.storage();
    const sn = options.device ?? (await weatherSeriesOf(context, db, options));
    const device = await findDevice(db, sn);
    checkDevice(device, sn);
    const { bindings } = (await findReporter(db, sn))!;
    if (days && zone !== null) await checkZone(db, device!.plantId!, zone);
    const ingest = createIngest({
      db,
      clock: context.clock,
      series: await context.series(),
      dayReadings: context.config().deviceDayReadings,
    });
    const began = context.clock.now();
    const result = await importFile(
      {
        file: context.path(file),
        sn,
        time: options.time,
        zone,
        dayFirst,
        mappings,
        filters,
        decimal,
        skip,
        days,
        dryRun,
      },
      {
        ingest,
        clock: context.clock,
        bindings,
        onProgress: (progress) => context.note(progressLine(progress, context.clock.now() - began)),
      },
    );
    report(context, result, { dryRun, days });
  } catch (error) {
    if (error instanceof MappingFault) throw new CliUsageFault(error.message);
    if (error instanceof NoText) throw new CliCommandFault(`${file} ${error.message}`);
    if (isFileError(error))
      throw new CliCommandFault(
        `${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
      );
    throw error;
  }
}

/** The serial number of the weather station that stands for what was recorded elsewhere for a plant; it is added when it is first needed. Throws CommandFault. */
async function weatherSeriesOf(
  context: CliContext,
  db: Db,
  { plant, dryRun }: Options,
): Promise<string> {
  const { findDevice } = await import('../../../fleet/devices/devices.ts');
  const sn = `IMPORTED-${plant}`;
  if (await findDevice(db, sn)) return sn;
  if (dryRun)
    throw new CliCommandFault(
      'the first import for a plant adds a weather station to it, and cannot be a dry run',
    );
  const operator = await context.operator();
  await operator.call('device/add', {
    plantId: plant!,
    kind: 'weather',
    sn,
    model: 'Recorded elsewhere',
  });
  return sn;
}

/** Days are those of the plant. Throws UsageFault if the option names another zone. */
async function checkZone(db: Db, plantId: string, zone: string): Promise<void> {
  const { currentZone } = await import('../../../fleet/plants/zones.ts');
  const timeZone = await currentZone(db, plantId);
  if (zone !== timeZone)
    throw new CliUsageFault(
      `--days takes the days of the plant, which is in ${timeZone}: leave --zone out`,
    );
}

function checkDevice(device: Device | undefined, sn: string): void {
  if (!device) throw new CliCommandFault(`there is no device with the serial number ${sn}`);
  if (device.plantId === null)
    throw new CliCommandFault(`the device ${sn} is not in any plant: add it to one first`);
}

const FILE_FAULTS = new Set([
  'ENOENT',
  'EACCES',
  'EPERM',
  'EISDIR',
  'EIO',
  'ENOTDIR',
  'ENAMETOOLONG',
  'ENOTFILE',
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

/** Tells what only the whole file shows, where it may not be what was meant. */
function notes({ ambiguous, rows, replaced, survey }: ImportResult, days: boolean): string[] {
  const { count, firstLine } = replaced;
  return [
    ...(ambiguous > 0
      ? [
          `${ambiguous} local times occurred twice, when clocks went back: they were taken in file order${survey?.times.order === 'newestFirst' ? ', the newest first' : ''}`,
        ]
      : []),
    ...(count > 0
      ? [
          `${count} rows replaced values of an earlier row of the same time, the first of them in line ${firstLine}${survey?.areDates ? ': the times are dates alone; --time Date+Time adds a column of times' : ''}`,
        ]
      : []),
    ...(survey?.guessed
      ? [
          `${survey.guessed.text} was read as ${new Date(survey.guessed.wall).toISOString().slice(0, 10)}, with the month first; --day-first turns that round`,
        ]
      : []),
    ...(survey?.areMidnights && !survey.areDates && !days
      ? [
          'all times are midnight, so that counters belong to the day before; --days takes each row for the energy of its date',
        ]
      : []),
    ...(rows === 0 ? ['the file has no data rows'] : []),
  ];
}

function report(
  context: CliContext,
  result: ImportResult,
  { dryRun, days }: { readonly dryRun: boolean; readonly days: boolean },
): void {
  const { rows, accepted, duplicate, refused, dropped, replaced, first } = result;
  for (const note of notes(result, days)) context.note(note);
  // If every row is refused, the options are probably wrong, so a script must be able to notice.
  if (rows > 0 && refused.length === rows) context.fail();
  const more = {
    ...(dropped.length > 0 && { dropped }),
    ...(replaced.count > 0 && { replaced: replaced.count }),
  };
  const also = [
    ...(replaced.count > 0 ? [`${replaced.count} replaced by a later row of the same time`] : []),
    ...(dropped.length > 0 ? [`${dropped.length} values dropped`] : []),
  ].map((text) => `, ${text}`);
  const counts = `${rows} rows: ${accepted} accepted, ${duplicate} already known, ${refused.length} refused${also.join('')}`;
  const bad = [
    ...listed(refused.map(({ line, reason }) => `line ${line}: ${reason}`)),
    ...listed(
      dropped.map(
        ({ line, quantity, reason }) => `line ${line}: ${quantity} was dropped: ${reason}`,
      ),
    ),
  ];
  if (!dryRun) {
    context.print({ rows, accepted, duplicate, refused, ...more }, () =>
      [counts, ...bad].join('\n'),
    );
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
      ...more,
      first: first.map(({ line, at, values }) => ({ line, at, values })),
    },
    () =>
      [
        tableText(['line', 'time (UTC)', ...names], shown),
        '',
        `dry run, nothing stored: ${rows} rows, ${refused.length} refused${also.join('')}`,
        ...bad,
      ].join('\n'),
  );
}

const listed = (lines: readonly string[]): string[] =>
  lines.length > SHOWN
    ? [...lines.slice(0, SHOWN), `... and ${lines.length - SHOWN} more`]
    : [...lines];
