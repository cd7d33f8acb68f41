import type { Selectable } from 'kysely';
import type { Act } from '../../../identity/accounts/audit.ts';
import type { Db, Instant, StrategyDeviceTable } from '../../../platform/storage/database.ts';
import type { Telemetry } from '../../../measurements/telemetry/telemetry.ts';
import type { Strategy } from '../strategy.ts';
import type { Target } from '../targets.ts';
import { appendStrategyEvents } from '../append-strategy-events.ts';

/** The course of a strategy on one device, with all that decides how it goes on. */
export interface Course extends Selectable<StrategyDeviceTable> {
  readonly strategy: Strategy;
  readonly target: Target;
  /** Where the device is now. */
  readonly placedIn: string | null;
  readonly ownerId: string;
  readonly timeZone: string;
}

/** The circumstances of one run. */
export interface Scene {
  readonly trx: Db;
  readonly telemetry: Pick<Telemetry, 'latestOf'>;
  /** By whom (the service), and when. */
  readonly act: Act;
}

/** What a device has to do with strategies that were dispatched: those that go on, and those that have something to restore; the first to begin is first. */
export async function listCourses(trx: Db, deviceId: string): Promise<Course[]> {
  const rows = await trx
    .selectFrom('strategyDevice as sd')
    .innerJoin('strategy as s', 's.id', 'sd.strategyId')
    .innerJoin('device', 'device.id', 'sd.deviceId')
    .innerJoin('plant', 'plant.id', 'sd.plantId')
    .selectAll('sd')
    .select([
      'device.sn',
      'device.model',
      'device.facts',
      'device.ratedPowerW',
      'device.plantId as placedIn',
    ])
    .select(['plant.ownerId', 'plant.timeZone', 'plant.strategyLimits', 'plant.controlStoppedAt'])
    .where('sd.deviceId', '=', deviceId)
    .where('sd.restoredAt', 'is', null)
    .where('sd.state', '!=', 'draft')
    .orderBy('s.startAt')
    .orderBy('s.id')
    .execute();
  const courses: Course[] = [];
  for (const {
    sn,
    model,
    facts,
    ratedPowerW,
    placedIn,
    ownerId,
    timeZone,
    strategyLimits,
    controlStoppedAt,
    ...row
  } of rows) {
    const strategy = await trx
      .selectFrom('strategy')
      .selectAll()
      .where('id', '=', row.strategyId)
      .executeTakeFirstOrThrow();
    const { deviceId: id, plantId } = row;
    const target: Target = {
      id,
      sn,
      kind: 'inverter',
      model,
      facts,
      ratedPowerW,
      plantId,
      strategyLimits,
      controlStoppedAt,
    };
    courses.push({ ...row, strategy, target, placedIn, ownerId, timeZone });
  }
  return courses;
}

/** Changes the course of a strategy on a locked device, and returns it as it is then. */
export async function changeCourse(
  { trx, act }: Scene,
  course: Course,
  set: Partial<Selectable<StrategyDeviceTable>>,
): Promise<Course> {
  const { strategyId, deviceId } = course;
  await trx
    .updateTable('strategyDevice')
    .set(set)
    .where('strategyId', '=', strategyId)
    .where('deviceId', '=', deviceId)
    .execute();
  const changed = { ...course, ...set };
  if (changed.state !== course.state) await appendStrategyEvents(trx, [changed], act.at);
  return changed;
}

/** Ends a strategy on a device; what it has changed is still to be restored. */
export const endCourse = (
  scene: Scene,
  course: Course,
  { state, reason }: Ending,
): Promise<Course> => changeCourse(scene, course, { state, reason, endedAt: scene.act.at });

/** How a strategy ends on a device. */
export interface Ending {
  readonly state: 'completed' | 'cancelled' | 'failed';
  readonly reason: string | null;
}

/** Where a course stands after a step: `over`, or when to look again; null = when a command ends. */
export type Standing = 'over' | Instant | null;
