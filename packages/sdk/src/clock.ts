/** Where the SDK reads the time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

// The one place of the SDK that may read the machine's clock.
export const systemClock: Clock = { now: () => Date.now() };

/** Waits; ends early, with the signal's reason, when the signal aborts. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Waits by the machine's timer. */
export const timerPause: Pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
