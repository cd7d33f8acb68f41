import { endUnsent } from '../../commands/life-cycle.ts';
import { advance } from '../../commands/open-commands.ts';
import { mostOf } from '../../../platform/storage/bounds/within.ts';
import { changeCourse, type Course, type Scene, type CourseState } from './course.ts';
import { isSettingWritable, queueRestoring, type Write } from './queue-settings.ts';
import { absorbOutcomes, type StrategySettings } from './settings.ts';

/** How long a command that restores a setting waits for a device that is offline; then it is queued again. */
const WAIT_MS = 24 * 3_600_000;
/** When to look for a device that has left its plant, or for memory that may not be written more often today. */
const LATER_MS = 3_600_000;
/** Between attempts to restore a setting: longer and longer, up to an hour. */
const AGAIN_MS = 60_000;

/** Gives a device the settings back that a strategy has changed, but for what somebody has written by hand in the meantime. */
export async function restoreSettings(scene: Scene, before: Course): Promise<CourseState> {
  const { trx, act } = scene;
  let settings = await absorbOutcomes(trx, before);
  const { isUnrestored } = settings;
  if (await withdraw(scene, settings)) settings = await absorbOutcomes(trx, before);
  const course = isUnrestored ? await postpone(scene, before) : before;
  // What was sent comes to its end first.
  if (settings.open.length > 0) return null;
  const writes = unrestored(course, settings);
  if (writes.length === 0) return settings.overridden.size > 0 ? null : 'over';
  // Nobody may write to it there; it may come back.
  if (course.placedIn !== course.plantId) return act.at + LATER_MS;
  if (course.retryAt !== null && course.retryAt > act.at) return course.retryAt;
  const queued = await queueRestoring(
    scene,
    course,
    writes.slice(0, Math.ceil(mostOf(trx, 'openCommands') / 2)),
    act.at + WAIT_MS,
  );
  return queued < writes.length ? act.at + LATER_MS : null;
}

/** Ends the commands of a strategy that were to change something, unless they were sent. Returns whether there were any. */
async function withdraw({ trx, act }: Scene, { open }: StrategySettings): Promise<boolean> {
  let isAny = false;
  for (const command of open) {
    const end =
      command.strategyPart === 'restore'
        ? undefined
        : endUnsent(command, 'cancelled', act.at, 'the strategy does not want it any more');
    if (!end) continue;
    await advance(trx, command, end, act.at);
    isAny = true;
  }
  return isAny;
}

const postpone = (scene: Scene, course: Course): Promise<Course> => {
  const failures = course.failures + 1;
  return changeCourse(scene, course, {
    failures,
    retryAt: scene.act.at + Math.min(LATER_MS, AGAIN_MS * 2 ** course.failures),
  });
};

/** What the device still has to get back, the other way round than it was written. */
function unrestored(course: Course, { all, overridden }: StrategySettings): Write[] {
  return all
    .filter(
      ({ changed, parameter, former, held }) =>
        changed === 1 && former !== null && held !== former && !overridden.has(parameter),
    )
    .toSorted((a, b) => b.place - a.place)
    .map(({ parameter, former, held }) => ({ parameter, value: former!, held }))
    .filter((write) => isSettingWritable(course, write));
}
