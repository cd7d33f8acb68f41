import { readingsKeptOf } from '../../../platform/config/load.ts';
import { retentionText } from '@helioport/contract/reading-retention';
import type { CliContext } from '../context.ts';
import { ok, type DoctorFinding } from './finding.ts';

/** How long what an installation keeps is kept, by its settings and those of its plants. */
export async function checkRetention(context: CliContext): Promise<DoctorFinding> {
  const config = context.config();
  const { db } = await context.storage();
  const { plants } = await db
    .selectFrom('plant')
    .select((eb) => eb.fn.countAll<number>().as('plants'))
    .where((eb) =>
      eb.or([eb('readingsKeptDays', 'is not', null), eb('readingsThinnedDays', 'is not', null)]),
    )
    .executeTakeFirstOrThrow();
  const { readingRetention, readingThinning } = retentionText(readingsKeptOf(config));
  const days = (count: number | null): string | null => (count === null ? null : `${count}d`);
  const kept = [
    ['readings are thinned', readingThinning],
    ['readings deleted', readingRetention],
    ['commands and strategies deleted', days(config.controlRetention)],
    ['alarms deleted', days(config.alarmRetention)],
  ].flatMap(([what, after]) => (after === null ? [] : [`${what} after ${after}`]));
  if (plants > 0) kept.push(`${plants} plants keep readings for less`);
  return ok(kept.length > 0 ? kept.join(', ') : 'everything is kept for ever');
}
