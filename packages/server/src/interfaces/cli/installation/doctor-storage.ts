import { existsSync } from 'node:fs';
import { embeddedFiles, openInstallation } from '../../../compose/installation.ts';
import { checkNotLost } from '../../../platform/storage/sqlite/lost-database.ts';
import { checkMigrations } from '../../../platform/storage/migrate.ts';
import type { Storage } from '../../../platform/storage/open.ts';
import type { CliContext } from '../context.ts';
import { CliCommandFault } from './faults.ts';
import { ok, warning, type DoctorFinding } from './finding.ts';

/** Thrown if there is no up-to-date database yet that a check could examine. */
export class NotYet extends Error {
  readonly finding: DoctorFinding;

  constructor(finding: DoctorFinding) {
    super(finding.text);
    this.finding = finding;
  }
}

/** A context that opens the database as it is, without creating or migrating it. It must be closed in addition to the given context. */
export function lookingOnly(context: CliContext): CliContext {
  let opened: Promise<Storage> | undefined;
  return Object.create(context, {
    storage: { value: () => (opened ??= open(context)) },
    close: { value: async () => (await opened?.catch(() => undefined))?.close() },
  }) as CliContext;
}

async function open(context: CliContext): Promise<Storage> {
  const config = context.config();
  if (config.databaseUrl === null && !existsSync(config.databaseAddress)) {
    checkNotLost(embeddedFiles(config));
    throw new NotYet(ok('no database yet: it will be created at the first start'));
  }
  const storage = await openInstallation(config);
  try {
    const pending = await checkMigrations(storage.db);
    if (pending.length === 0) return storage;
    if (storage.engine === 'postgres')
      throw new CliCommandFault('the database is not up to date: run helioport migrate');
    throw new NotYet(
      warning('the database is from an older version: the next start will update it'),
    );
  } catch (error) {
    await storage.close();
    throw error;
  }
}
