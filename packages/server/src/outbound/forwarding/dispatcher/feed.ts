import { setTimeout as pause } from 'node:timers/promises';
import { isAfter, settledPosition, type LogPosition } from '../../../platform/events/position.ts';
import { readEntries, type Entry } from '../../../platform/events/read.ts';
import type { Db } from '../../../platform/storage/database.ts';

/** The end of the log, read once for all destinations of a process. */
export interface LogFeed {
  /** Entries after a position, at most `limit`. Those that are far behind read the database. */
  after(position: LogPosition, limit: number): Promise<readonly Entry[]>;
  /** Resolves to true as soon as the log has entries after a position, or to false after `ms` or when the signal says so. */
  waitForNew(position: LogPosition, ms: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

const ENTRIES_AT_ONCE = 500;
const EVENTS_KEPT = 20_000;
/**
 * The pace of reading as long as nobody is behind. On PostgreSQL, nobody notifies of new entries: notifications would make transactions commit one after the other. And
 * what is read as it comes arrives late or early by chance.
 */
const PACE_MS = 25;

/** The last entries that were read of the log, without a gap. */
interface Tail {
  /** Positions before the first entry that is kept, and of the last one. */
  start: LogPosition;
  end: LogPosition;
  readonly entries: Entry[];
  /** What they weigh together. */
  kept: number;
}

const emptyAt = (position: LogPosition): Tail => ({
  start: position,
  end: position,
  entries: [],
  kept: 0,
});

/** An entry without events takes room too. */
const weightOf = ({ events }: Entry): number => Math.max(1, events.length);

/** Adds entries, and drops the first ones of a tail that has too many events. In place: a copy each time would be work for the garbage collector. */
function append(tail: Tail, more: readonly Entry[]): void {
  const { entries } = tail;
  for (const one of more) tail.kept += weightOf(one);
  entries.push(...more);
  tail.end = entries.at(-1) ?? tail.end;
  let dropped = 0;
  while (tail.kept > EVENTS_KEPT && dropped < entries.length - 1)
    tail.kept -= weightOf(entries[dropped++]!);
  if (dropped > 0) tail.start = entries.splice(0, dropped).at(-1)!;
}

/** Index of the first entry that is kept and comes after a position. */
function indexAfter({ entries }: Tail, position: LogPosition): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(entries[middle]!, position)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Reads the end of the log as it grows. */
interface TailReader {
  /** What was read so far; undefined before anything was. */
  readonly tail: Tail | undefined;
  /** Reads what came since; callers at the same time share it. Resolves to whether there was anything. */
  readOn(): Promise<boolean>;
  /** Goes on at a position that is beyond the end: others delivered while nobody read here. */
  skipTo(position: LogPosition): Tail;
}

function createTailReader(db: Db): TailReader {
  let tail: Tail | undefined;
  let reading: Promise<boolean> | undefined;
  let readAt = -Infinity;
  let hasMore = true;

  async function read(): Promise<boolean> {
    const early = readAt + PACE_MS - performance.now();
    if (!hasMore && early > 0) await pause(early);
    readAt = performance.now();
    hasMore = false;
    tail ??= emptyAt(await settledPosition(db));
    const from = tail.end;
    const entries = await readEntries(db, from, ENTRIES_AT_ONCE);
    hasMore = entries.length === ENTRIES_AT_ONCE;
    // Somebody who is further has made it go on elsewhere.
    if (tail.end !== from) return false;
    append(tail, entries);
    return entries.length > 0;
  }

  return {
    get tail() {
      return tail;
    },
    readOn: () =>
      (reading ??= read().finally(() => {
        reading = undefined;
      })),
    skipTo: (position) => (tail = emptyAt(position)),
  };
}

export function createLogFeed(db: Db): LogFeed {
  const reader = createTailReader(db);
  let isPolling = false;
  const waiting = new Set<(isNew: boolean) => void>();

  async function readOn(): Promise<void> {
    if (await reader.readOn()) for (const wake of waiting) wake(true);
  }

  /** Reads as long as somebody waits. If the database is away, the next reader will notice. */
  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (waiting.size > 0) await readOn().catch(() => {});
    isPolling = false;
  }

  return {
    async after(position, limit) {
      if (!reader.tail) await readOn();
      let tail = reader.tail!;
      if (isAfter(position, tail.end)) tail = reader.skipTo(position);
      if (isAfter(tail.start, position)) return readEntries(db, position, limit);
      if (indexAfter(tail, position) === tail.entries.length) await readOn();
      tail = reader.tail!;
      if (isAfter(tail.start, position)) return readEntries(db, position, limit);
      const from = indexAfter(tail, position);
      return tail.entries.slice(from, from + limit);
    },
    async waitForNew(position, ms, signal) {
      if (signal.aborted) return false;
      const { tail } = reader;
      // Somebody else may have read them meanwhile.
      if (tail && isAfter(tail.start, position)) return pause(PACE_MS, true);
      if (tail && indexAfter(tail, position) < tail.entries.length) return true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const giveUp = (): void => resolve(false);
      const limit = setTimeout(giveUp, ms);
      signal.addEventListener('abort', giveUp);
      waiting.add(resolve);
      void poll();
      const isNew = await promise;
      waiting.delete(resolve);
      signal.removeEventListener('abort', giveUp);
      clearTimeout(limit);
      return isNew;
    },
    close() {
      for (const wake of waiting) wake(false);
    },
  };
}
