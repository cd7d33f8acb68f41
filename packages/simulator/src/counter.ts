/** An energy counter of a device, in whole watt-milliseconds, so that sums are exact. */
export interface Counter {
  todayWattMs: number;
  totalWattMs: number;
}

const WATT_MS_PER_KWH = 3_600_000_000;

export const counterFrom = (totalKwh: number): Counter => ({
  todayWattMs: 0,
  totalWattMs: Math.round(totalKwh * WATT_MS_PER_KWH),
});

/** A step of time, and how it relates to the counters' midnight. */
export interface CounterStep {
  stepMs: number;
  /** The part of the step that belongs to the new day; set only if midnight is within the step. */
  newDayMs?: number;
}

/** The counter after a step of constant power; negative power is not counted. */
export function count(
  counter: Counter,
  powerW: number,
  { stepMs, newDayMs }: CounterStep,
): Counter {
  const power = Math.max(0, powerW);
  return {
    todayWattMs: newDayMs === undefined ? counter.todayWattMs + power * stepMs : power * newDayMs,
    totalWattMs: counter.totalWattMs + power * stepMs,
  };
}

/** A counter’s level in kWh, as a display shows it: truncated to two decimals. */
export const counted = (wattMs: number): number =>
  Math.floor(wattMs / (WATT_MS_PER_KWH / 100)) / 100;
