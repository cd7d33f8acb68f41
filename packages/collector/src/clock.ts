/** A collector's source of time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

// The only place in this package that may read the machine's clock.
export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds since the process has started, which no change of the clock moves. */
export const systemUptime = (): number => performance.now();

/** Waits; rejects early with the signal's reason if the signal aborts. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Waits with the machine's timer. */
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
