import { setTimeout as pause } from 'node:timers/promises';
import { isAfter, settledPosition, type Position } from '../../../platform/events/position.ts';
import { readEntries, type Entry } from '../../../platform/events/read.ts';
import type { Db } from '../../../platform/storage/database.ts';

/** The end of the log, read once for all destinations of a process. */
export interface LogFeed {
  /** Entries after a position, at most `limit`. Those that are far behind read the database. */
  after(position: Position, limit: number): Promise<readonly Entry[]>;
  /** Resolves to true as soon as the log has entries after a position, or to false after `ms` or when the signal says so. */
  news(position: Position, ms: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

const ENTRIES_AT_ONCE = 500;
const EVENTS_KEPT = 20_000;
/**
 * The pace of reading as long as nobody is behind. On PostgreSQL, nobody notifies of new entries: notifications would make transactions commit one after the other. And
 * what is read as it comes arrives late or early by chance.
 */
const PACE_MS = 25;

export function createLogFeed(db: Db): LogFeed {
  let tail: Entry[] = [];
  let kept = 0;
  /** The positions before the first entry that is kept, and of the last one. */
  let [start, end]: [Position | undefined, Position | undefined] = [undefined, undefined];
  let reading: Promise<boolean> | undefined;
  let readAt = -Infinity;
  let hasMore = true;
  let isPolling = false;
  const waiting = new Set<(news: boolean) => void>();

  /** Reads what came since; callers at the same time share it. Resolves to whether there was anything. */
  async function read(): Promise<boolean> {
    const early = readAt + PACE_MS - performance.now();
    if (!hasMore && early > 0) await pause(early);
    readAt = performance.now();
    hasMore = false;
    end ??= start ??= await settledPosition(db);
    const from = end;
    const entries = await readEntries(db, from, ENTRIES_AT_ONCE);
    hasMore = entries.length === ENTRIES_AT_ONCE;
    // Somebody who is further has made it go on elsewhere.
    if (end !== from) return false;
    for (const entry of entries) kept += entry.events.length;
    tail.push(...entries);
    end = tail.at(-1) ?? end;
    let dropped = 0;
    while (kept > EVENTS_KEPT && dropped < tail.length - 1) kept -= tail[dropped++]!.events.length;
    if (dropped > 0) {
      start = tail[dropped - 1];
      tail = tail.slice(dropped);
    }
    if (entries.length > 0) for (const wake of waiting) wake(true);
    return entries.length > 0;
  }

  const readOn = (): Promise<boolean> =>
    (reading ??= read().finally(() => {
      reading = undefined;
    }));

  /** Reads as long as somebody waits. If the database is away, whoever reads next will notice. */
  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (waiting.size > 0) await readOn().catch(() => {});
    isPolling = false;
  }

  /** Index of the first entry that is kept and comes after a position. */
  function indexAfter(position: Position): number {
    let [low, high] = [0, tail.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAfter(tail[middle]!, position)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Goes on at a position that is beyond the end: others delivered while nobody read here. */
  function skipTo(position: Position): void {
    [tail, kept] = [[], 0];
    start = end = position;
  }

  return {
    async after(position, limit) {
      if (!start) await readOn();
      if (isAfter(position, end!)) skipTo(position);
      if (isAfter(start!, position)) return readEntries(db, position, limit);
      if (indexAfter(position) === tail.length) await readOn();
      if (isAfter(start!, position)) return readEntries(db, position, limit);
      const from = indexAfter(position);
      return tail.slice(from, from + limit);
    },
    async news(position, ms, signal) {
      if (signal.aborted) return false;
      // Somebody else may have read them meanwhile.
      if (start && isAfter(start, position)) return pause(PACE_MS, true);
      if (start && indexAfter(position) < tail.length) return true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const giveUp = (): void => resolve(false);
      const limit = setTimeout(giveUp, ms);
      signal.addEventListener('abort', giveUp);
      waiting.add(resolve);
      void poll();
      const news = await promise;
      waiting.delete(resolve);
      signal.removeEventListener('abort', giveUp);
      clearTimeout(limit);
      return news;
    },
    close() {
      for (const wake of waiting) wake(false);
    },
  };
}
