import { DAY_MS, MINUTE_MS } from '@helioport/contract/durations';
import type { PlanInterval } from '@helioport/contract';
import { offsetAt, type Zones } from '../../../platform/calendar/plant-calendar.ts';

/** What a plant measures at its connection and at its batteries, W; null = not known. */
export interface PlantPower {
  /** + export */
  readonly gridW: number | null;
  /** Of all its batteries, + charging. */
  readonly batteryW: number | null;
}

/** What plants would export if their batteries did nothing, W. What is not measured counts as nothing. */
export const idleExportW = (plants: readonly PlantPower[]): number =>
  plants.reduce((sum, { gridW, batteryW }) => sum + (gridW ?? 0) + (batteryW ?? 0), 0);

/**
 * The share of a set point as a day plan of one device: its battery has this power until the deadline, and then no more, even if nobody reaches the device.
 * A device repeats it on the next day unless it is taken out again. @param powerW + discharging
 */
export function sharePlan(
  powerW: number,
  { fromAt, untilAt }: { readonly fromAt: number; readonly untilAt: number },
  zones: Zones,
): PlanInterval[] {
  const start = clockAt(zones, fromAt);
  const end = clockAt(zones, Math.ceil(untilAt / MINUTE_MS) * MINUTE_MS);
  const hours =
    untilAt - fromAt >= DAY_MS || start === end ? { start: '00:00', end: '24:00' } : { start, end };
  if (powerW === 0) return [{ ...hours, payload: { type: 'hold' } }];
  const powerKw = Math.abs(powerW) / 1000;
  return [
    {
      ...hours,
      payload:
        powerW > 0
          ? { type: 'discharge', socPercent: 1, powerKw }
          : { type: 'charge', socPercent: 100, powerKw },
    },
  ];
}

const clockAt = (zones: Zones, at: number): string =>
  new Date(at + offsetAt(zones, at)).toISOString().slice(11, 16);
