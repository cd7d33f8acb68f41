import { readingsKeptOf } from '../../../platform/config/load.ts';
import { retentionText } from '@helioport/contract/reading-retention';
import { countPlantsWithRetention } from '../../../measurements/bindings/reading-retention.ts';
import type { CliContext } from '../context.ts';
import { ok, type DoctorFinding } from './finding.ts';

/** How long what an installation keeps is kept, by its settings and those of its plants. */
export async function checkRetention(context: CliContext): Promise<DoctorFinding> {
  const config = context.config();
  const { db } = await context.storage();
  const plants = await countPlantsWithRetention(db);
  const { readingRetention, readingThinning } = retentionText(readingsKeptOf(config));
  const days = (count: number | null): string | null => (count === null ? null : `${count}d`);
  const kept = [
    ['readings are thinned', readingThinning],
    ['readings deleted', readingRetention],
    ['commands and strategies deleted', days(config.controlRetention)],
    ['alarms deleted', days(config.alarmRetention)],
  ].flatMap(([what, after]) => (after === null ? [] : [`${what} after ${after}`]));
  if (plants > 0)
    kept.push(
      plants === 1 ? '1 plant keeps readings for less' : `${plants} plants keep readings for less`,
    );
  return ok(kept.length > 0 ? kept.join(', ') : 'everything is kept for ever');
}
