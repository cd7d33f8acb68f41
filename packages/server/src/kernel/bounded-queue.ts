import { Failure } from './failure.ts';

export interface BoundedQueue {
  /** Runs a task when it is its turn; those that may not wait for others come first and are never refused. Throws tooManyRequests when the queue is full. */
  run<T>(task: () => Promise<T>, options?: { first?: boolean }): Promise<T>;
}

interface BoundedQueueOptions {
  readonly runningAtMost: number;
  readonly waitingAtMost: number;
  /** What a refused caller is told. */
  readonly retryAfterSeconds: number;
}

/** Tasks of which only so many run at once, and only so many wait. */
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
        // Whoever ends hands its place over.
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
