import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { Again, Handler, Run } from '../../../platform/work/lane.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { createLogFeed, type LogFeed } from './feed.ts';
import { createPart, letAllGo, lookAt, nextDueAt, savePart, type PartDeps } from './part.ts';

export interface DispatcherDeps extends Omit<PartDeps, 'feed' | 'closing'> {
  readonly db: Db;
  readonly ids: IdSource;
  /** How long a run goes on after the last event, before it gives its lease back. */
  readonly idleMs?: number;
}

/** A run gives way to another instance after this time, long before the limit of its lane. */
const RUN_MS = 40_000;
const IDLE_MS = 5_000;
/** How often progress is stored, and things are looked at that nobody tells of. */
const SAVE_MS = 200;
/** Less often where that takes long: a fortieth of the time, so that the parts of a database together hold up deliveries for a tenth of it at most. */
const SAVING_SHARE = 40;
const SAVE_AT_MOST_MS = 5_000;
/** How often destinations that were added or changed are looked for. What was paused is noticed before each attempt. */
const LOOK_MS = 1_000;

export interface Dispatcher extends Handler {
  /** Ends all runs soon. What is under way is sent again by the process that goes on. */
  close(): void;
}

/** Delivers events to a part of the destinations, each on its own, until none has anything to do for a while. */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const feed = createLogFeed(deps.db);
  const closing = new AbortController();
  return {
    run: (run) => dispatch(deps, feed, closing.signal, run),
    close() {
      closing.abort();
      feed.close();
    },
  };
}

async function dispatch(
  deps: DispatcherDeps,
  feed: LogFeed,
  closing: AbortSignal,
  run: Run,
): Promise<Again | void> {
  const { idleMs = IDLE_MS } = deps;
  const part = createPart({ ...deps, feed, closing }, run);
  const endsAt = performance.now() + RUN_MS;
  const isOver = (): boolean => closing.aborted || performance.now() > endsAt;
  let [lookAgainAt, saveAgainAt] = [-Infinity, -Infinity];
  try {
    for (;;) {
      if (performance.now() >= lookAgainAt) {
        await lookAt(part);
        lookAgainAt = performance.now() + LOOK_MS;
      }
      const savingAt = performance.now();
      if (savingAt >= saveAgainAt) {
        await savePart(part, part.served.values(), false);
        const tookMs = performance.now() - savingAt;
        const pauseMs = Math.min(SAVE_AT_MOST_MS, Math.max(SAVE_MS, tookMs * SAVING_SHARE));
        saveAgainAt = performance.now() + pauseMs;
      }
      const isIdle = !part.isBusy() && performance.now() - part.activeAt >= idleMs;
      if (run.signal.aborted || isOver() || isIdle) break;
      await part.bell.wait(SAVE_MS);
    }
    const dueAt = await nextDueAt(part);
    if (isOver()) return { dueAt: deps.clock.now() };
    return dueAt === undefined ? undefined : { dueAt };
  } finally {
    await letAllGo(part);
  }
}
