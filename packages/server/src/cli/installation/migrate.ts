import { openInstallation } from '../../installation.ts';
import { checkMigrations, migrate } from '../../storage/migrate.ts';
import type { Register } from '../context.ts';

/** `helioport migrate`: brings the database up to date, or shows what that would change. */
export const registerMigrate: Register = (program, context) => {
  program
    .command('migrate')
    .description('bring the database up to date')
    .option('--dry-run', 'show which migrations would be applied, and change nothing')
    .action(async ({ dryRun }: { dryRun?: true }) => {
      const config = context.config();
      const storage = await openInstallation(config);
      try {
        const names = dryRun ? await checkMigrations(storage.db) : await migrate(storage.db, storage.engine, context.clock.now());
        context.print(
          dryRun ? { pending: names } : { applied: names },
          names.length === 0 ? 'the database is up to date' : `${dryRun ? 'to apply' : 'applied'}: ${names.join(', ')}`,
        );
      } finally {
        await storage.close();
      }
    });
};
