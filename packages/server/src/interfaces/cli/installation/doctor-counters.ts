import { countMiscounts, recount } from '../../../fleet/plants/fleet/recount.ts';
import type { CliContext } from '../context.ts';
import { ok, warning, type DoctorFinding } from './finding.ts';

const RIGHT = ok('all correct');

/** Checks the stored counters of plants and devices. */
export async function checkCounters(context: CliContext): Promise<DoctorFinding> {
  const { db } = await context.storage();
  const wrong = await countMiscounts(db);
  return wrong > 0
    ? warning(
        `${wrong} counters of plants and devices are wrong: helioport doctor --repair corrects them`,
      )
    : RIGHT;
}

/** Corrects the counters, and reports how many were wrong. */
export async function repairCounters(context: CliContext): Promise<DoctorFinding> {
  const { db } = await context.storage();
  const mended = (await countMiscounts(db)) > 0 ? await recount(db) : 0;
  return mended > 0
    ? warning(`${mended} counters of plants and devices were wrong and have been corrected`)
    : RIGHT;
}
