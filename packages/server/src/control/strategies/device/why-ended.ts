import { findGrantCaller } from '../../../identity/oauth/grant-caller.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { contentOf } from '../content.ts';
import { limitsOf } from '../limits.ts';
import { limitFaults } from '../plan/owner-limits.ts';
import type { Course, CourseEnding } from './course.ts';

const cancelled = (reason: string): CourseEnding => ({ state: 'cancelled', reason });

/** Why a strategy that goes on has to end on a device now; undefined = it goes on. What it rests on stays locked until the transaction ends. */
export async function whyStrategyEnded(
  trx: Db,
  { strategy, target, plantId, placedIn, ownerId, state, reason }: Course,
  now: Instant,
): Promise<CourseEnding | undefined> {
  if (strategy.endedAt !== null) return cancelled(strategy.reason ?? 'it was cancelled');
  if (placedIn !== plantId) return cancelled('the device left the plant');
  if (ownerId !== strategy.accountId) return cancelled('the plant has another owner');
  if (target.controlStoppedAt !== null)
    return cancelled('the owner of the plant has stopped the writes of others');
  const application = await findGrantCaller(trx, strategy.grantId, now);
  if (!application) return cancelled('the authorization has ended');
  if (!application.scopes.includes('control_device'))
    return cancelled('the authorization does not allow control any more');
  if (application.plantIds && !application.plantIds.includes(plantId))
    return cancelled('the authorization is for other plants');
  return strategy.endAt <= now ? inTime(state, reason) : whyNotAllowed(strategy, target);
}

/** How it ends when its time is over. */
function inTime(state: Course['state'], reason: string | null): CourseEnding {
  if (state === 'dispatching')
    return { state: 'failed', reason: 'the device was not reached in time' };
  // Whatever was written by hand has lasted to the end.
  return state === 'paused' ? { state: 'cancelled', reason } : { state: 'completed', reason: null };
}

/** Limits that were set after the strategy was dispatched. Reserve and hours narrow the plan; what would be too many cycles cannot be mended. */
function whyNotAllowed(
  strategy: Course['strategy'],
  target: Course['target'],
): CourseEnding | undefined {
  const content = contentOf(strategy);
  if (content.kind === 'setPoint') return undefined;
  const tooMany = limitFaults(content.intervals, limitsOf(target), null).find(
    ({ field }) => field === 'intervals',
  );
  return tooMany && cancelled(`the owner of the plant allows ${tooMany.expected}`);
}
