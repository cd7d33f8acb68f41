import type { PlanInterval, StrategyPayload } from '@helioport/contract';
import type { OwnerLimits } from './owner-limits.ts';
import { FORCED, type PlannedDevice } from './planned-device.ts';

/** What decides whether a battery is forced at a moment. */
export interface BatteryNow {
  /** Null = not measured lately. */
  readonly socPercent: number | null;
  /** Whether it is being forced. */
  readonly isForced: boolean;
}

/** So far from its end, a power that has reached it begins anew: a battery must not be switched to and fro. */
const AGAIN_PERCENT = 3;

/** Whether the battery of a device can be told a power that its collector repeats. */
export const canBeForced = ({
  holds,
  hasBattery,
}: Pick<PlannedDevice, 'holds' | 'hasBattery'>): boolean =>
  hasBattery && holds.has(FORCED.parameter);

/**
 * Whether a device is told by a power that its collector repeats, instead of slots that it keeps in its memory. In hours of self-use, the owner's slots
 * would be in the way.
 */
export const isForcedBy = (
  intervals: readonly PlanInterval[],
  device: Pick<PlannedDevice, 'holds' | 'hasBattery'>,
): boolean =>
  canBeForced(device) &&
  intervals.some(({ payload: { type } }) => isOfBattery(type)) &&
  intervals.every(({ payload: { type } }) => type !== 'selfUse');

const isOfBattery = (type: StrategyPayload['type']): boolean =>
  type === 'charge' || type === 'discharge' || type === 'hold';

/** The power that a battery is forced to now. Without its state of charge, nobody knows when to stop, so it is not forced. */
export function forcedPower(
  payload: StrategyPayload | undefined,
  { reserveSocPercent }: OwnerLimits,
  { socPercent, isForced }: BatteryNow,
): string {
  if (payload?.type === 'hold') return String(FORCED.stepW);
  if ((payload?.type !== 'charge' && payload?.type !== 'discharge') || socPercent === null)
    return FORCED.none;
  const isCharge = payload.type === 'charge';
  const left = isCharge
    ? payload.socPercent - socPercent
    : socPercent - Math.max(payload.socPercent, Math.ceil(reserveSocPercent ?? 0));
  if (left <= 0 || (!isForced && left < AGAIN_PERCENT)) return FORCED.none;
  const steps = Math.floor((payload.powerKw * 1000) / FORCED.stepW + 1e-6);
  return String(steps * FORCED.stepW * (isCharge ? 1 : -1) + 0);
}
