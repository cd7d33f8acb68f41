import { Failure } from './failure.ts';

export interface BoundedQueue {
  /** Runs a task when its turn comes; one with `first` goes ahead of all that wait and is never refused. Throws tooManyRequests when the queue is full. */
  run<T>(task: () => Promise<T>, options?: { first?: boolean }): Promise<T>;
}

interface BoundedQueueOptions {
  readonly runningAtMost: number;
  readonly waitingAtMost: number;
  /** Sent to a caller who is refused. */
  readonly retryAfterSeconds: number;
}

/** A queue that limits how many tasks run at once and how many wait. */
export function createBoundedQueue({ runningAtMost, waitingAtMost, retryAfterSeconds }: BoundedQueueOptions): BoundedQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(task, { first = false } = {}) {
      if (running >= runningAtMost) {
        if (!first && waiting.length >= waitingAtMost) throw new Failure('tooManyRequests', { data: { retryAfterSeconds } });
        const { promise, resolve } = Promise.withResolvers<void>();
        if (first) waiting.unshift(resolve);
        else waiting.push(resolve);
        // The task that ends passes its place on, so `running` stays the same.
        await promise;
      } else running++;
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
