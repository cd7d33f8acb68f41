import { getPlant, reachOf } from '../../../fleet/plants/access.ts';
import { lossRows } from '../../../outbound/performance/losses.ts';
import { listVisits } from '../../../outbound/performance/visits.ts';
import { plantPerformanceDay } from '../../../measurements/figures/performance/performance-day.ts';
import { performanceRows } from '../../../measurements/figures/performance/performance-rows.ts';
import { messageReaderOf } from '../../../outbound/notifications/messages/reader.ts';
import { readMonthlyReport } from '../../../outbound/reports/report-facts.ts';
import { writeReport } from '../../../outbound/reports/write-report.ts';
import { namedAccount } from '../../../identity/accounts/subject.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

/** So many are listed if nobody says how many. */
const VISITS = 50;

/** What plants produced beside what the sun allowed, what they lost and why. */
export const createPerformanceOperations = (
  deps: OperationDependencies,
): HandlersOf<
  | 'performance/day'
  | 'performance/energy'
  | 'performance/losses'
  | 'performance/visits'
  | 'plant/report'
> => ({
  'performance/day': async (caller, { plantId, day }) =>
    plantPerformanceDay(deps, await getPlant(deps.db, caller, plantId, 'read'), day),

  'performance/energy': async (caller, { plantId, each, month, year }) =>
    performanceRows(
      deps,
      await getPlant(deps.db, caller, plantId, 'read'),
      each === 'day' ? { each, month } : { each, year },
    ),

  'performance/losses': async (caller, { plantId, each, month, year }) =>
    lossRows(
      deps,
      await getPlant(deps.db, caller, plantId, 'read'),
      each === 'day' ? { each, month } : { each, year },
    ),

  'performance/visits': async (caller, { limit = VISITS }) =>
    (await listVisits(deps, reachOf(caller, 'read'))).slice(0, limit),

  async 'plant/report'(caller, { plantId, month, language, region }) {
    const plant = await getPlant(deps.db, caller, plantId, 'read');
    const account = await namedAccount(deps.db, caller);
    const reader = messageReaderOf(account);
    const asked = { reach: reachOf(caller, 'read'), accountId: account.id };
    return writeReport(
      {
        ...reader,
        ...(language !== undefined && { language }),
        ...(region !== undefined && { region }),
      },
      await readMonthlyReport(deps, plant, asked, month),
    );
  },
});
