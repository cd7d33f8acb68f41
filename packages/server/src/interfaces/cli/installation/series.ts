import { setTimeout } from 'node:timers/promises';
import { readClusterAddress } from '../../../platform/config/cluster-address.ts';
import { createExternalSeries, findEngine, migrateSeries } from '../../../compose/installation.ts';
import { cancelCopy, CopyFault } from '../../../measurements/moving/begin.ts';
import { copySeries, type Copied } from '../../../measurements/moving/copy.ts';
import { MAIN_DATABASE } from '../../../measurements/series/home.ts';
import type { Series } from '../../../measurements/series/port.ts';
import { createSqlSeries } from '../../../measurements/series/sql/sql-series.ts';
import { isAnyRunning } from '../../../platform/storage/checks/trial-write.ts';
import type { CliContext, RegisterCommand } from '../context.ts';
import { tableText } from '../table.ts';
import { progressNotes } from './copy-progress.ts';
import { CliCommandFault, CliUsageFault } from './faults.ts';

interface CopyOptions {
  to?: string;
  cancel?: true;
}

/** `helioport series`: moves what devices measure from one engine to another (docs/series-engines.md). */
export const registerSeries: RegisterCommand = (program, context) => {
  const series = program
    .command('series')
    .description('move what devices measure to another database');
  series
    .command('copy')
    .description(
      'copy the series while all servers are stopped, compare both sides, and use the copy from then on; an interrupted copy is continued',
    )
    .option(
      '--to <address>',
      `where to: cassandra://host1,host2/keyspace?dc=NAME, or ${MAIN_DATABASE} for the main database`,
    )
    .option('--cancel', 'give up a copy that has been begun')
    .action(async ({ to, cancel }: CopyOptions) => {
      if (cancel) {
        if (to !== undefined) throw new CliUsageFault('--cancel cannot be combined with --to');
        const { db } = await context.storage();
        const engine = await cancelCopy(db);
        if (engine === undefined) throw new CliCommandFault('no copy has been begun');
        return context.print(
          { cancelled: engine },
          `the copy to ${engine} has been given up; what it has written there stays`,
        );
      }
      if (to === undefined) throw new CliUsageFault('say where to with --to');
      await copyTo(context, to);
    });
};

async function copyTo(context: CliContext, to: string): Promise<void> {
  const { db } = await context.storage();
  const { engine: source } = await findEngine({
    db,
    config: context.config(),
    clock: context.clock,
  });
  const target = await targetOf(context, to, source);
  const pause = (ms: number): Promise<void> => setTimeout(ms);
  try {
    if (source.name !== target.name && (await isAnyRunning(db, pause))) {
      throw new CliCommandFault(
        'an instance is running: stop all of them first; collectors keep their readings until they are started again',
      );
    }
    await source.open();
    await target.open();
    await migrateSeries(db, target);
    const copied = await copySeries({
      db,
      source,
      target,
      pause,
      ...progressNotes(context.note),
    }).catch((error: unknown) => {
      throw error instanceof CopyFault ? new CliCommandFault(error.message) : error;
    });
    report(context, target, copied);
  } finally {
    await Promise.all([source.close(), target.close()]);
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
    throw new CliUsageFault(`--to must be ${MAIN_DATABASE}, or ${address}`);
  return createExternalSeries({ db, clock }, address, fieldLists);
}

function report(context: CliContext, target: Series, copied: Copied): void {
  const { differences, moved, ...counted } = copied;
  const { devices, samples, days, months } = counted;
  if (moved) {
    return context.print(
      copied,
      `${devices} devices are the same in ${target.name}: ${samples} samples, ${days} days, ${months} months; the series are there now: ${nextStep(context, target)}`,
    );
  }
  context.print(copied, () =>
    tableText(
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
    `${differences.length} devices are not the same in ${target.name}: run this again to copy them anew; samples that only ${target.name} has stay, and need an empty place instead`,
  );
  context.fail();
}

/** What is to be done before servers are started again. */
function nextStep(context: CliContext, { name }: Series): string {
  const { seriesUrl } = context.config();
  if (name === MAIN_DATABASE)
    return seriesUrl === null
      ? 'start the servers'
      : 'take HELIOPORT_SERIES_URL out of the settings, and start the servers';
  return name === `cassandra/${seriesUrl?.keyspace}`
    ? 'start the servers'
    : 'set HELIOPORT_SERIES_URL to that address for all servers, and start them';
}
