import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAfter, type Position } from '../../../platform/events/position.ts';
import type { Entry } from '../../../platform/events/read.ts';
import type { LogFeed } from './feed.ts';

/** Entries that are read at once, of the log and of a device that waits. */
export const ENTRIES_AT_ONCE = 200;

/**
 * What a page is to take. Between two of them, nothing is on its way until the last event was acknowledged, so that a fast destination is kept waiting by
 * short pages; of a slow one, a long page would be sent again if the instance were killed.
 */
const PAGE_MS = 200;
/** No page has more than so many reads, nor goes on once it has so many events. */
const READS_AT_MOST = 4;
const EVENTS_AT_MOST = 8_000;

/** The log in pages, as one destination reads it. */
export interface Pages {
  /** The entries after a position. */
  after(position: Position): Promise<readonly Entry[]>;
  /** If there is more than this page, it is read while the page is on its way; not before the first of its events are. */
  readAhead(page: readonly Entry[]): void;
}

export function createPages(
  feed: Pick<LogFeed, 'after'>,
  now: () => number = () => performance.now(),
): Pages {
  let ahead: { readonly after: Position; readonly page: Promise<readonly Entry[]> } | undefined;
  let reads = 1;
  /** When the last page was handed out, if there was more. */
  let begunAt: number | undefined;

  async function read(position: Position): Promise<readonly Entry[]> {
    const page = [...(await feed.after(position, ENTRIES_AT_ONCE))];
    let events = eventsOf(page);
    for (let n = 1; n < reads && isFull(page) && events < EVENTS_AT_MOST; n++) {
      // Others have their turn in between.
      await nextTurn();
      const more = await feed.after(page.at(-1)!, ENTRIES_AT_ONCE);
      events += eventsOf(more);
      page.push(...more);
    }
    return page;
  }

  function adapt(): void {
    const ms = begunAt === undefined ? PAGE_MS : now() - begunAt;
    if (ms < PAGE_MS / 2) reads = Math.min(READS_AT_MOST, reads * 2);
    else if (ms > PAGE_MS * 2) reads = Math.max(1, reads / 2);
  }

  return {
    async after(position) {
      const known = ahead;
      ahead = undefined;
      adapt();
      const isNext = known && !isAfter(known.after, position) && !isAfter(position, known.after);
      const page = await (isNext ? known.page : read(position));
      begunAt = isFull(page) ? now() : undefined;
      return page;
    },
    readAhead(page) {
      if (!isFull(page)) return;
      const after = page.at(-1)!;
      const next = nextTurn().then(() => read(after));
      // The process that takes it will notice.
      next.catch(() => {});
      ahead = { after, page: next };
    },
  };
}

/** Whether there may be more. */
const isFull = (page: readonly Entry[]): boolean =>
  page.length > 0 && page.length % ENTRIES_AT_ONCE === 0;

const eventsOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { events }) => sum + events.length, 0);
