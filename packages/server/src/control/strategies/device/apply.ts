import type { PlanInterval, StrategyLimits } from '@helioport/contract';
import type { Zones } from '../../../platform/calendar/plant-calendar.ts';
import { tariffZonesOf } from '../../../fleet/plants/tariffs/begin.ts';
import { findBatteryVoltage, findFreshValues } from '../battery-voltage.ts';
import { contentOf } from '../content.ts';
import { limitsOf, reserveOf } from '../limits.ts';
import { compilePlan, nextChange, touchedParameters } from '../plan/compile-plan.ts';
import { isForcedBy, type BatteryNow } from '../plan/forced-power.ts';
import { FORCED, type PlannedDevice } from '../plan/planned-device.ts';
import { sharePlan } from '../set-point/share-plan.ts';
import { plannedDevice } from '../targets.ts';
import { changeCourse, endCourse, type Course, type Scene, type CourseState } from './course.ts';
import { queueApplying, queueKeeping, type Write } from './queue-settings.ts';
import { restoreSettings } from './restore.ts';
import { absorbOutcomes, overwrites, type StrategySettings } from './settings.ts';

/** How often to look at the state of charge of a battery that is told by a power, and how old it may be. */
const [LOOK_AT_BATTERY_MS, FRESH_SOC_MS] = [60_000, 15 * 60_000];

/** A write that is about to expire is not worth queueing. */
const LEAST_MS = 60_000;

/** Has a device get the settings that a strategy wants it to have now. */
export async function applyStrategy(scene: Scene, before: Course): Promise<CourseState> {
  const { trx, act } = scene;
  const course = await withVoltage(scene, before);
  const settings = await absorbOutcomes(trx, course);
  if (settings.fault !== undefined) return fail(scene, course, settings.fault);
  const { endAt } = course.strategy;
  // Commands may wait for a device that is offline, but not beyond the end.
  if (settings.open.length > 0) return endAt;
  const zones = await tariffZonesOf(trx, course.plantId);
  const intervals = intervalsOf(course, zones);
  // A set point has not been divided yet.
  if (!intervals) return endAt;
  const device = plannedDevice(course.target, course.batteryVoltageV);
  const known = new Map(settings.all.map((setting) => [setting.parameter, setting]));
  const unread = touchedParameters(intervals, device).filter(
    (parameter) => known.get(parameter)?.former == null,
  );
  if (unread.length > 0) {
    await queueKeeping(scene, course, unread, endAt);
    return endAt;
  }
  const former = new Map(
    settings.all.flatMap(({ parameter, former: value }) =>
      value === null ? [] : [[parameter, value] as const],
    ),
  );
  const battery = await batteryNow(scene, course, device, known.get(FORCED.parameter)?.held);
  const plan = { device, zones, limits: limitsUpon(course), former, battery };
  const { settings: wanted } = compilePlan(intervals, plan, act.at);
  const changeAt = Math.min(
    nextChange(intervals, plan, act.at) ?? endAt,
    // The service ends what a state of charge ends.
    isForcedBy(intervals, device) ? act.at + LOOK_AT_BATTERY_MS : endAt,
    endAt,
  );
  const writes = writesOf(course, settings, wanted, former);
  if (writes.length === 0) {
    if (course.state !== 'active')
      await changeCourse(scene, course, { state: 'active', appliedAt: course.appliedAt ?? act.at });
    return changeAt;
  }
  const refused = await queueApplying(
    scene,
    course,
    writes,
    settings.all,
    Math.max(changeAt, act.at + LEAST_MS),
  );
  // A set point is divided anew now and then: a device that cannot be written any more keeps its share.
  if (refused?.isForToday && course.powerKw !== null && course.appliedAt !== null) return changeAt;
  return refused ? fail(scene, course, refused.reason) : changeAt;
}

/** What is known of a battery that is told by a power. */
async function batteryNow(
  { trx, telemetry, act }: Scene,
  { deviceId }: Course,
  { holds }: PlannedDevice,
  held: string | null | undefined,
): Promise<BatteryNow> {
  const { batterySocPercent: socPercent = null } = holds.has(FORCED.parameter)
    ? await findFreshValues(trx, telemetry, deviceId, act.at, FRESH_SOC_MS)
    : {};
  return { socPercent, isForced: held != null && held !== FORCED.none };
}

/** A course with the voltage by which its powers become currents: that of its beginning, since each change is a write, which wears out the device's memory. */
async function withVoltage(scene: Scene, course: Course): Promise<Course> {
  const { trx, telemetry, act } = scene;
  // Set points have it from their division.
  if (course.batteryVoltageV !== null || course.powerKw !== null) return course;
  const batteryVoltageV = await findBatteryVoltage(trx, telemetry, course.deviceId, act.at);
  return batteryVoltageV === null ? course : changeCourse(scene, course, { batteryVoltageV });
}

/** What is to be written: first what the plan leaves alone now, as it was before, then what it wants, in its order. */
function writesOf(
  { target }: Course,
  { all }: StrategySettings,
  wanted: ReadonlyMap<string, string>,
  former: ReadonlyMap<string, string>,
): Write[] {
  const held = new Map(all.map((setting) => [setting.parameter, setting.held]));
  const isSet = (id: string): boolean =>
    wanted.has(id) ||
    [...wanted].some(([parameter, value]) => overwrites(target, { parameter, value }, id));
  const left = all
    .filter(({ parameter, changed }) => changed === 1 && former.has(parameter) && !isSet(parameter))
    .toSorted((a, b) => b.place - a.place);
  const values = [
    ...left.map(({ parameter }) => [parameter, former.get(parameter)!] as const),
    ...wanted,
  ];
  return values
    .map(([parameter, value]) => ({ parameter, value, held: held.get(parameter) ?? null }))
    .filter((write) => write.held !== write.value);
}

/** What a device is to do, as a day plan; undefined = nothing yet. */
function intervalsOf(
  { strategy, powerKw }: Course,
  zones: Zones,
): readonly PlanInterval[] | undefined {
  const content = contentOf(strategy);
  if (content.kind === 'dayPlan') return content.intervals;
  return powerKw === null
    ? undefined
    : sharePlan(powerKw * 1000, { fromAt: strategy.startAt, untilAt: strategy.endAt }, zones);
}

/** The limits that hold for the day plan of a device. */
function limitsUpon({ strategy, target }: Course): StrategyLimits {
  const limits = limitsOf(target);
  return contentOf(strategy).kind === 'dayPlan'
    ? limits
    : { ...limits, reserveSocPercent: reserveOf(limits) };
}

/** Ends a strategy on a device that it cannot be applied to, and restores what it has changed so far. */
async function fail(scene: Scene, course: Course, reason: string): Promise<CourseState> {
  const failed = await endCourse(scene, course, { state: 'failed', reason });
  const standing = await restoreSettings(scene, failed);
  if (standing === 'over') await changeCourse(scene, failed, { restoredAt: scene.act.at });
  return standing;
}
