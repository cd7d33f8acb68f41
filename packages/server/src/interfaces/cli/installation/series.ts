import { setTimeout } from 'node:timers/promises';
import { readClusterAddress } from '../../../platform/config/cluster-address.ts';
import { createSeriesBeside, migrateSeries } from '../../../installation.ts';
import { cancelCopy, CopyFault } from '../../../measurements/moving/begin.ts';
import { copySeries, type Copied } from '../../../measurements/moving/copy.ts';
import { MAIN_DATABASE } from '../../../measurements/series/home.ts';
import type { Series } from '../../../measurements/series/port.ts';
import { createSqlSeries } from '../../../measurements/series/sql/sql-series.ts';
import type { CliContext, Register } from '../context.ts';
import { table } from '../table.ts';
import { progressNotes } from './copy-progress.ts';
import { CommandFault, UsageFault } from './faults.ts';

interface CopyOptions {
  to?: string;
  switch?: true;
  cancel?: true;
}

/** `helioport series`: moves what devices measure from one engine to another (docs/series-engines.md). */
export const registerSeries: Register = (program, context) => {
  const series = program
    .command('series')
    .description('move what devices measure to another database');
  series
    .command('copy')
    .description(
      'copy the series beside running servers and compare both; an interrupted copy is continued',
    )
    .option(
      '--to <address>',
      `where to: cassandra://host1,host2/keyspace?dc=NAME, or ${MAIN_DATABASE} for the main database`,
    )
    .option('--switch', 'when both are the same, have all servers use the copy from then on')
    .option('--cancel', 'give up a copy that has been begun')
    .action(async ({ to, switch: switching, cancel }: CopyOptions) => {
      if (cancel) {
        if (to !== undefined || switching)
          throw new UsageFault('--cancel cannot be combined with --to or --switch');
        const { db } = await context.storage();
        const engine = await cancelCopy(db);
        if (engine === undefined) throw new CommandFault('no copy has been begun');
        return context.print(
          { cancelled: engine },
          `the copy to ${engine} has been given up; what it has written there stays`,
        );
      }
      if (to === undefined) throw new UsageFault('say where to with --to');
      await copyTo(context, to, switching ?? false);
    });
};

async function copyTo(context: CliContext, to: string, switching: boolean): Promise<void> {
  const { db } = await context.storage();
  const source = (await context.series()).inForce?.() ?? (await context.series());
  const target = await targetOf(context, to, source);
  try {
    if (switching) checkSetting(context, source, target);
    await target.open();
    await migrateSeries(db, target);
    const copied = await copySeries(
      {
        db,
        source,
        target,
        pause: (ms) => setTimeout(ms),
        ...progressNotes(context.note),
      },
      { switching },
    ).catch((error: unknown) => {
      throw error instanceof CopyFault ? new CommandFault(error.message) : error;
    });
    report(context, target.name, copied);
  } finally {
    await target.close();
  }
}

async function targetOf(
  { storage, clock }: CliContext,
  to: string,
  { fieldLists }: Series,
): Promise<Series> {
  const { db } = await storage();
  if (to === MAIN_DATABASE) return createSqlSeries(db, fieldLists);
  const address = readClusterAddress(to);
  if (typeof address === 'string')
    throw new UsageFault(`--to must be ${MAIN_DATABASE}, or ${address}`);
  return createSeriesBeside({ db, clock }, address, fieldLists);
}

/** Servers follow from the database to the cluster that their settings name. */
function checkSetting(context: CliContext, source: Series, target: Series): void {
  const { seriesUrl } = context.config();
  if (source.name !== MAIN_DATABASE || target.name === `cassandra/${seriesUrl?.keyspace}`) return;
  throw new CommandFault(
    'set HELIOPORT_SERIES_URL to that address first, here and for all servers, and restart them: they go on using the database until the switch',
  );
}

function report(
  context: CliContext,
  target: string,
  { differences, moved, ...counted }: Copied,
): void {
  const { devices, samples, days, months } = counted;
  if (differences.length > 0) {
    context.print({ ...counted, moved, differences }, () =>
      table(
        ['device', 'engine', 'samples', 'days', 'months', 'checksum'],
        differences.flatMap(({ sn, source, target: copy }) =>
          (
            [
              ['source', source],
              ['copy', copy],
            ] as const
          ).map(([side, one]) => [
            sn,
            side,
            one.samples,
            one.days,
            one.months,
            one.checksum.slice(0, 16),
          ]),
        ),
      ),
    );
    context.note(
      `${differences.length} devices are not the same in ${target}: run this again to copy them anew; samples that only ${target} has stay, and need an empty place instead`,
    );
    return context.fail();
  }
  const same = `${devices} devices are the same in ${target}: ${samples} samples, ${days} days, ${months} months`;
  context.print(
    { ...counted, moved, differences },
    moved
      ? `${same}; the series are there now`
      : `${same}; run this again with --switch to move there: what changes until then is copied too`,
  );
}
