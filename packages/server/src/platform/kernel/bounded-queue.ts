import { Failure } from './failure.ts';

/** The place of a task in the queue. */
export interface QueueTurn {
  /** Whether the task goes ahead of all that wait; it is then never refused. */
  readonly first?: boolean;
  /** The origin of the task. Origins take turns, so one with many tasks delays the others by only one task at a time. */
  readonly origin?: string;
}

export interface BoundedQueue {
  /** Runs a task when its turn comes. Throws tooManyRequests if too many are waiting, in total or from its origin, or if it has waited too long. */
  run<T>(task: () => Promise<T>, turn?: QueueTurn): Promise<T>;
  /** Whether any task waits, but for those that go ahead. */
  isWaitedFor(): boolean;
}

interface BoundedQueueOptions {
  readonly runningAtMost: number;
  readonly waitingAtMost: number;
  readonly waitingOfOriginAtMost: number;
  /** How long a task waits before it is refused; undefined = as long as it takes. */
  readonly patienceMs?: number;
  /** Sent to a caller who is refused. */
  readonly retryAfterSeconds: number;
}

/** A queue that limits how many tasks run at once and how many wait. */
export function createBoundedQueue({
  runningAtMost,
  waitingAtMost,
  waitingOfOriginAtMost,
  patienceMs,
  retryAfterSeconds,
}: BoundedQueueOptions): BoundedQueue {
  const first: (() => void)[] = [];
  // The tasks that wait, by origin, in the order of the origins' turns.
  const origins = new Map<string, (() => void)[]>();
  let [running, waiting] = [0, 0];

  const refusal = () => new Failure('tooManyRequests', { data: { retryAfterSeconds } });

  const enqueue = async (origin: string): Promise<void> => {
    const line = origins.get(origin) ?? [];
    if (waiting >= waitingAtMost || line.length >= waitingOfOriginAtMost) throw refusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    line.push(resolve);
    origins.set(origin, line);
    waiting++;
    const giveUp = (): void => {
      const place = line.indexOf(resolve);
      if (place === -1) return;
      line.splice(place, 1);
      if (line.length === 0) origins.delete(origin);
      waiting--;
      reject(refusal());
    };
    const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
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
    isWaitedFor: () => waiting > 0,
    async run(task, turn = {}) {
      // A task that ends passes its place on, so `running` stays the same.
      if (running < runningAtMost) running++;
      else if (turn.first) await new Promise<void>((resolve) => first.push(resolve));
      else await enqueue(turn.origin ?? '');
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
