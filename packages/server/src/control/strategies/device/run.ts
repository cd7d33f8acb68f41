import { lockCommands } from '../../commands/open-commands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import { inTransaction } from '../../../platform/storage/transactions/transaction.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Telemetry } from '../../../measurements/telemetry/telemetry.ts';
import type { LaneHandler } from '../../../platform/work/lane.ts';
import { applyStrategy } from './apply.ts';
import {
  changeCourse,
  endCourse,
  listCourses,
  type Course,
  type Scene,
  type CourseState,
} from './course.ts';
import { restoreSettings } from './restore.ts';
import { whyStrategyEnded } from './why-ended.ts';

interface StrategyDeviceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly telemetry: Telemetry;
}

/**
 * The lane that brings strategies onto devices and off them again; its tasks are device.id. A run needs no lease: under the lock of the device, it may be
 * repeated, by whichever instance. With a lease, it would lock its task before the device, and everybody who arms the task does it the other way round.
 */
export const createStrategyDevices = ({
  db,
  clock,
  ids,
  telemetry,
}: StrategyDeviceDeps): LaneHandler => ({
  async run({ key }) {
    const act = { at: clock.now(), actor: 'service', address: null, newId: ids } as const;
    const dueAt = await inTransaction(db, (trx) => runDevice({ trx, telemetry, act }, key));
    return dueAt === null ? undefined : { dueAt };
  },
});

/** Has a device get the settings that it should have now. Returns when to look again. */
async function runDevice(scene: Scene, deviceId: string): Promise<Instant | null> {
  const { trx, act } = scene;
  await lockCommands(trx, deviceId, act.at);
  const times: Instant[] = [];
  let isTaken = false;
  for (const course of await listCourses(trx, deviceId)) {
    const standing = await step(scene, course, isTaken);
    if (standing === 'over') continue;
    if (standing !== null) times.push(standing);
    // The next one begins with the settings that this one has restored.
    isTaken ||= course.strategy.startAt <= act.at;
  }
  return times.length === 0 ? null : Math.min(...times);
}

async function step(scene: Scene, before: Course, isTaken: boolean): Promise<CourseState> {
  const { trx, act } = scene;
  const ending = before.endedAt === null ? await whyStrategyEnded(trx, before, act.at) : undefined;
  const course = ending ? await endCourse(scene, before, ending) : before;
  if (course.endedAt !== null) {
    const standing = await restoreSettings(scene, course);
    if (standing === 'over') await changeCourse(scene, course, { restoredAt: act.at });
    return standing;
  }
  const { startAt, endAt } = course.strategy;
  if (startAt > act.at) return startAt;
  if (isTaken) return endAt;
  if (course.state !== 'paused') return applyStrategy(scene, course);
  const standing = await restoreSettings(scene, course);
  return standing === 'over' || standing === null ? endAt : Math.min(standing, endAt);
}
