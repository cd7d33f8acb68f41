import { InvalidArgumentError } from 'commander';
import {
  createExternalSeries,
  migrateSeries,
  openInstallation,
} from '../../../compose/installation.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { refuseWhileServed } from '../../../platform/storage/checks/refuse-while-served.ts';
import { checkMigrations, migrate } from '../../../platform/storage/migrate.ts';
import type { CliContext, RegisterCommand } from '../context.ts';

/** What the tables of the series are called in the answer. */
const SERIES = 'tables of the series';

/** Whether the engine of the series, if it is not the database, was not up to date. Brings it up to date unless it is to be looked at alone. */
async function isSeriesBehind(
  { config, clock }: CliContext,
  db: Db,
  pending: readonly string[],
  dryRun: boolean,
): Promise<boolean> {
  const { seriesUrl } = config();
  if (seriesUrl === null) return false;
  // The installation gets its name in the database, which is not there yet.
  if (dryRun && pending.length > 0) return true;
  const series = await createExternalSeries({ db, clock }, seriesUrl);
  try {
    await series.open();
    return dryRun ? !(await series.isMigrated()) : await migrateSeries(db, series);
  } finally {
    await series.close();
  }
}

interface MigrateOptions {
  readonly dryRun?: true;
  readonly wait: number;
  readonly force?: true;
}

const SECONDS_AT_MOST = 3_600;

function secondsOf(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(seconds <= SECONDS_AT_MOST))
    throw new InvalidArgumentError(`expected 0 to ${SECONDS_AT_MOST} seconds`);
  return seconds;
}

/** `helioport migrate`: brings the database up to date, or shows what that would change. */
export const registerMigrate: RegisterCommand = (program, context) => {
  program
    .command('migrate')
    .description('bring the database up to date, and the keyspace of the series if there is one')
    .option('--dry-run', 'show which migrations would be applied, and change nothing')
    .option('--wait <seconds>', 'how long to wait for running instances to stop', secondsOf, 0)
    .option('--force', 'do not look for running instances: they answer 503 from then on')
    .action(async ({ dryRun, wait: waitSeconds, force }: MigrateOptions) => {
      const config = context.config();
      const storage = await openInstallation(config);
      try {
        if (!dryRun && !force) await refuseWhileServed(storage.db, { waitSeconds });
        const names = dryRun
          ? await checkMigrations(storage.db)
          : await migrate(storage.db, storage.engine, context.clock.now());
        if (await isSeriesBehind(context, storage.db, names, dryRun ?? false)) names.push(SERIES);
        context.print(
          dryRun ? { pending: names } : { applied: names },
          names.length === 0
            ? 'the database is up to date'
            : `${dryRun ? 'to apply' : 'applied'}: ${names.join(', ')}`,
        );
      } finally {
        await storage.close();
      }
    });
};
