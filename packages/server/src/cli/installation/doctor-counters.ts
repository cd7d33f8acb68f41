import { countMiscounts, recount } from '../../plants/fleet/recount.ts';
import type { CliContext } from '../context.ts';
import { ok, warning, type Finding } from './finding.ts';

const RIGHT = ok('agree with what they count');

/** Whether the numbers that are kept counted are right. */
export async function checkCounters(context: CliContext): Promise<Finding> {
  const { db } = await context.storage();
  const wrong = await countMiscounts(db);
  return wrong > 0 ? warning(`${wrong} counters of plants and devices are wrong: helioport doctor --repair corrects them`) : RIGHT;
}

/** Puts the counters right and says how many were wrong. */
export async function repairCounters(context: CliContext): Promise<Finding> {
  const { db } = await context.storage();
  const mended = (await countMiscounts(db)) > 0 ? await recount(db) : 0;
  return mended > 0 ? warning(`${mended} counters of plants and devices were wrong and have been corrected`) : RIGHT;
}
