import type { CounterDay, CounterLimits } from './counter.ts';
import type { DayState } from './day-state.ts';
import type { GapPosition } from './gap-shares.ts';
import type { DayPrices, PlantPrices } from './plant-prices.ts';

/** Limits of one device's counters, by channel number. */
export interface DeviceLimits {
  readonly total: readonly CounterLimits[];
  readonly today: readonly CounterLimits[];
}

/** The facts that the fold of a day needs besides the samples. */
export interface DayRules extends CounterDay {
  /** The local day, yyyymmdd. */
  readonly day: number;
  readonly steps: undefined;
  readonly limits: DeviceLimits;
  readonly prices: DayPrices;
  readonly plantPrices: PlantPrices;
  readonly position: GapPosition;
  /** Whether the binding is the device's first. If so, what its total counter showed at the first reading counts for this plant. */
  readonly firstBinding: boolean;
  /** Copies of these rules with the prices of one channel, if they vary; by channel number, filled as needed. */
  readonly pricedDays: CounterDay[];
}

/** Access to earlier days, to record what the fold of a day reveals about them. */
export interface EarlierDays {
  /** The state of a day, created if there were no readings that day. */
  at(day: number): DayState;
}
