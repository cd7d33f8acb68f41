/** Where every part reads the time; tests inject their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

// The one place that may read the machine's clock.
export const systemClock: Clock = { now: () => Date.now() };
