/** Carries out one of many calls; resolves or rejects with its own outcome. */
export type Gathered<T, R> = (item: T) => Promise<R>;

/** How one call ends; wrapped, because a promise of promises would wait for them. */
export interface GatherOutcome<R> {
  readonly ended: Promise<R>;
}

/** The outcome of a call that is over. */
export const endedWith = <R>(value: R): GatherOutcome<R> => ({ ended: Promise.resolve(value) });

/** The outcome of a call that has failed, whenever somebody looks at it. */
export function failedWith(reason: unknown): GatherOutcome<never> {
  const ended = Promise.reject(reason);
  ended.catch(() => {});
  return { ended };
}

export interface GatherOptions<T, R> {
  /** How many batches may run at once; one, if absent. */
  readonly atOnce?: () => number;
  /** How many calls are a batch at most. */
  readonly itemsAtMost?: number;
  /** Carries out a batch. Resolves when the next one may begin, to the outcome of each in order; some may still be pending. If it rejects, so do all calls that wait. */
  readonly run: (items: readonly T[]) => Promise<readonly GatherOutcome<R>[]>;
  /** A batch of several calls has a size of 500 at most. */
  readonly sizeOf?: (item: T) => number;
}

/** Limits of a batch. */
const ITEMS_AT_MOST = 64;
const SIZE_AT_MOST = 500;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (value: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Carries out calls in batches: whatever has arrived when a batch may begin is the next one, so nothing waits for others to arrive. */
export function gather<T, R>({
  atOnce = () => 1,
  itemsAtMost = ITEMS_AT_MOST,
  run,
  sizeOf = () => 0,
}: GatherOptions<T, R>): Gathered<T, R> {
  const waiting: Waiting<T, R>[] = [];
  let running = 0;
  let isSoon = false;

  const next = (): Waiting<T, R>[] => {
    let size = 0;
    let count = 0;
    while (count < waiting.length && count < itemsAtMost) {
      size += sizeOf(waiting[count]!.item);
      if (count > 0 && size > SIZE_AT_MOST) break;
      count += 1;
    }
    return waiting.splice(0, count);
  };

  const begin = async (): Promise<void> => {
    isSoon = false;
    const batch = next();
    running += 1;
    soon();
    try {
      const outcomes = await run(batch.map(({ item }) => item));
      for (const [i, { resolve, reject }] of batch.entries())
        outcomes[i]!.ended.then(resolve, reject);
    } catch (error) {
      for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error);
    }
    running -= 1;
    soon();
  };

  // When setImmediate fires, all calls that arrived together have been read.
  const soon = (): void => {
    if (isSoon || waiting.length === 0 || running >= atOnce()) return;
    isSoon = true;
    setImmediate(() => void begin());
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      soon();
    });
}

/** Hands on what has arrived in one turn of the event loop, all of it at once. */
export function gatherTurn<T>(take: (items: readonly T[]) => void): (item: T) => void {
  let waiting: T[] = [];
  return (item) => {
    if (waiting.push(item) > 1) return;
    setImmediate(() => {
      const together = waiting;
      waiting = [];
      take(together);
    });
  };
}
