/** An energy counter of a device. Whole watt-milliseconds, so that no addition loses anything. */
export interface Counter {
  todayWattMs: number;
  totalWattMs: number;
}

const WATT_MS_PER_KWH = 3_600_000_000;

export const counterFrom = (totalKwh: number): Counter => ({ todayWattMs: 0, totalWattMs: Math.round(totalKwh * WATT_MS_PER_KWH) });

/** How a step lies to the counters' midnight. */
export interface CounterStep {
  stepMs: number;
  /** Present when midnight fell into the step: what of it belongs to the new day. */
  newDayMs?: number;
}

/** The counter after a step of constant power; negative power is not counted. */
export function count(counter: Counter, powerW: number, { stepMs, newDayMs }: CounterStep): Counter {
  const power = Math.max(0, powerW);
  return {
    todayWattMs: newDayMs === undefined ? counter.todayWattMs + power * stepMs : power * newDayMs,
    totalWattMs: counter.totalWattMs + power * stepMs,
  };
}

/** A counter’s level as a display shows it: two decimals, cut off. */
export const shown = (wattMs: number): number => Math.floor(wattMs / (WATT_MS_PER_KWH / 100)) / 100;
