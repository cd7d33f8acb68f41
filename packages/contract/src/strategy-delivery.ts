import type { PayloadType } from './strategies.ts';

/**
 * How the power is estimated that there would have been without a strategy. `tenDays`: the mean of the same hours on the last ten comparable days.
 * `meterBeforeAfter`: the mean of the quarter of an hour before the device was asked for anything ("meter before / meter after").
 */
export const baselineNames = ['tenDays', 'meterBeforeAfter'] as const;
export type BaselineName = (typeof baselineNames)[number];

/** What a device was asked for. */
export type AskedPayload = PayloadType | 'setPoint';

/** Where a power is measured: at the battery, if its charging or discharging was asked for, or at the plant's connection. */
export type MeasuringPoint = 'battery' | 'connection';

/**
 * What a device was asked, and what it did, in a settlement interval or the part of it in which it was asked. Powers are means in kW, + is export;
 * instants are epoch milliseconds.
 */
export interface DeliveryRow {
  readonly sn: string;
  readonly startAt: number;
  /** Excluded. */
  readonly endAt: number;
  readonly payload: AskedPayload;
  readonly measuredAt: MeasuringPoint;
  /** Null if no power was asked for. */
  readonly askedKw: number | null;
  /** Over the time that was measured; null if none was. */
  readonly measuredKw: number | null;
  /** Measured at the plant's connection, wherever `measuredKw` counts; null if it was not. */
  readonly connectionKw: number | null;
  /** What there would have been without the strategy; null if that cannot be known. */
  readonly baselineKw: number | null;
  /** On how many comparable days the baseline rests; null for other baselines. */
  readonly baselineDays: number | null;
  /** Energy beyond the baseline over the time that was measured, + is export; null if one of both is not known. */
  readonly deliveredKwh: number | null;
  /** Time without measurement, for which nothing is added. */
  readonly gapSeconds: number;
  /** State of charge as last measured in the interval; null = not measured. */
  readonly socPercent: number | null;
}

/** Proof of what the devices of a strategy did. */
export interface StrategyDelivery {
  readonly baseline: BaselineName;
  readonly intervalMinutes: number;
  readonly fromAt: number;
  readonly toAt: number;
  /** By device and time. Null if a file was asked for. */
  readonly rows: readonly DeliveryRow[] | null;
  /** The rows as CSV. Null unless it was asked for. */
  readonly csv: string | null;
  /** The last of these devices; null if there are no more. */
  readonly next: string | null;
}
