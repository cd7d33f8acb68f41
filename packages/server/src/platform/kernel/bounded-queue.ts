import { Failure } from './failure.ts';

/** The place of a task in the queue. */
export interface QueueTurn {
  /** Whether the task goes ahead of all that wait; it is then never refused. */
  readonly first?: boolean;
  /** The origin of the task. Origins take turns, so one with many tasks delays the others by only one task at a time. */
  readonly origin?: string;
}

export interface BoundedQueue {
  /** Runs a task when its turn comes. Throws tooManyRequests if too many are waiting, in total or from its origin. */
  run<T>(task: () => Promise<T>, turn?: QueueTurn): Promise<T>;
}

interface BoundedQueueOptions {
  readonly runningAtMost: number;
  readonly waitingAtMost: number;
  readonly waitingOfOriginAtMost: number;
  /** Sent to a caller who is refused. */
  readonly retryAfterSeconds: number;
}

/** A queue that limits how many tasks run at once and how many wait. */
export function createBoundedQueue({
  runningAtMost,
  waitingAtMost,
  waitingOfOriginAtMost,
  retryAfterSeconds,
}: BoundedQueueOptions): BoundedQueue {
  const first: (() => void)[] = [];
  // The tasks that wait, by origin, in the order of the origins' turns.
  const origins = new Map<string, (() => void)[]>();
  let [running, waiting] = [0, 0];

  const enqueue = (origin: string, begin: () => void): void => {
    const line = origins.get(origin) ?? [];
    if (waiting >= waitingAtMost || line.length >= waitingOfOriginAtMost)
      throw new Failure('tooManyRequests', { data: { retryAfterSeconds } });
    line.push(begin);
    origins.set(origin, line);
    waiting++;
  };

  const dequeue = (): (() => void) | undefined => {
    if (first.length > 0) return first.shift();
    const [next] = origins;
    if (!next) return undefined;
    const [origin, line] = next;
    const begin = line.shift()!;
    origins.delete(origin);
    // The origin goes back to the end of the line.
    if (line.length > 0) origins.set(origin, line);
    waiting--;
    return begin;
  };

  return {
    async run(task, turn = {}) {
      if (running >= runningAtMost) {
        const { promise, resolve } = Promise.withResolvers<void>();
        if (turn.first) first.push(resolve);
        else enqueue(turn.origin ?? '', resolve);
        // A task that ends passes its place on, so `running` stays the same.
        await promise;
      } else running++;
      try {
        return await task();
      } finally {
        const next = dequeue();
        if (next) next();
        else running--;
      }
    },
  };
}

/** A queue for each holder, which is there as long as it is used. */
export interface Queues {
  /** As `run` of the holder's queue. */
  run<T>(holder: string, task: () => Promise<T>): Promise<T>;
}

export function createQueues(options: BoundedQueueOptions): Queues {
  const queues = new Map<string, { readonly queue: BoundedQueue; uses: number }>();
  return {
    async run(holder, task) {
      const used = queues.get(holder) ?? { queue: createBoundedQueue(options), uses: 0 };
      queues.set(holder, used);
      used.uses++;
      try {
        return await used.queue.run(task);
      } finally {
        if (--used.uses === 0) queues.delete(holder);
      }
    },
  };
}
