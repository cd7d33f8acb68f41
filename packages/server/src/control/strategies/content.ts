import type { StrategyContent } from '@helioport/contract';
import { invalidValue, refusedNow } from '../../platform/kernel/failure.ts';
import { deviceFaults, whyNoPower } from './plan/device-faults.ts';
import { limitFaults } from './plan/owner-limits.ts';
import type { PlanFault } from './plan/plan-fault.ts';
import { readPlan } from './plan/read-plan.ts';
import { limitsOf } from './limits.ts';
import { plannedDevice, type Target } from './targets.ts';

/** What a strategy is to do, as an application sent it: one of them. */
export interface GivenContent {
  readonly intervals?: readonly object[] | undefined;
  readonly powerKw?: number | undefined;
}

/** Reads what a strategy is to do. Throws invalidValue. */
export function readContent({ intervals, powerKw }: GivenContent): StrategyContent {
  if (intervals === undefined) return { kind: 'setPoint', powerKw: powerKw! };
  const { intervals: read, faults } = readPlan(intervals);
  refuse(faults);
  return { kind: 'dayPlan', intervals: read };
}

/** What a strategy does, as stored. */
export const contentOf = ({ content }: { readonly content: string }): StrategyContent =>
  JSON.parse(content) as StrategyContent;

/** Checks that devices can do what a strategy asks for, and that the owners of their plants allow it. Throws invalidValue. */
export function checkTargets(content: StrategyContent, targets: readonly Target[]): void {
  // Of many devices, most are alike.
  const alike = Map.groupBy(targets, ({ model, facts, ratedPowerW, strategyLimits }) =>
    JSON.stringify([model, facts, ratedPowerW, strategyLimits]),
  );
  for (const [target] of alike.values()) checkTarget(content, target!);
}

function checkTarget(content: StrategyContent, target: Target): void {
  if (content.kind === 'setPoint') {
    const lack = whyNoPower(plannedDevice(target));
    if (lack !== undefined) throw refusedNow('sn', lack);
    return;
  }
  refuse(deviceFaults(content.intervals, plannedDevice(target)));
  refuse(limitFaults(content.intervals, limitsOf(target), null));
}

/** Whether a device of a plant is meant when all devices of the plant are: one that lacks what an interval needs is not. */
export function isMeant(content: StrategyContent, target: Target): boolean {
  if (content.kind === 'setPoint') return whyNoPower(plannedDevice(target)) === undefined;
  const faults = deviceFaults(content.intervals, plannedDevice(target));
  return !faults.some(({ field }) => field.endsWith('.type'));
}

function refuse([first]: readonly PlanFault[]): void {
  if (first) throw invalidValue(first.field, first.expected);
}
