import { HOUR_MS } from '@helioport/contract/durations';
import { lastBackupAt } from '../../../platform/storage/installation/last-backup.ts';
import type { CliContext } from '../context.ts';
import { ok, warning, type DoctorFinding } from './finding.ts';

/** An age, in hours, at which one of the nightly backups is missing. */
const OLD_HOURS = 50;

/** How old the last backup is that `helioport backup` has made. */
export async function checkBackups(context: CliContext): Promise<DoctorFinding> {
  const { db } = await context.storage();
  const at = await lastBackupAt(db);
  if (at === undefined)
    return ok(
      'helioport backup has made none: make one each night, or back up the database otherwise',
    );
  const hours = Math.floor((context.clock.now() - at) / HOUR_MS);
  const text = `the last one was made at ${new Date(at).toISOString()}`;
  return hours < OLD_HOURS
    ? ok(text)
    : warning(
        `${text}, ${hours} hours ago: see whether its timer runs, and whether its disk is full`,
      );
}
