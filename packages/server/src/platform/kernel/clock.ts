/** The source of time for all code; tests inject their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

// The one place that may read the machine's clock.
export const systemClock: Clock = { now: () => Date.now() };
