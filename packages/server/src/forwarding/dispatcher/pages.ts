import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAfter, type Position } from '../../events/position.ts';
import type { Entry } from '../../events/read.ts';
import type { LogFeed } from './feed.ts';

/** Entries of a page, and of what is read of a device that waits. */
export const ENTRIES_AT_ONCE = 200;

/** The log in pages, as one destination reads it. */
export interface Pages {
  /** The entries after a position. */
  after(position: Position): Promise<readonly Entry[]>;
  /** If there is more than this page, it is read while the page is on its way; not before the first of its events are. */
  readAhead(page: readonly Entry[]): void;
}

export function createPages(feed: Pick<LogFeed, 'after'>): Pages {
  let ahead: { readonly after: Position; readonly page: Promise<readonly Entry[]> } | undefined;
  return {
    async after(position) {
      const known = ahead;
      ahead = undefined;
      const isNext = known && !isAfter(known.after, position) && !isAfter(position, known.after);
      return isNext ? known.page : feed.after(position, ENTRIES_AT_ONCE);
    },
    readAhead(page) {
      if (page.length < ENTRIES_AT_ONCE) return;
      const after = page.at(-1)!;
      const next = nextTurn().then(() => feed.after(after, ENTRIES_AT_ONCE));
      // Whoever takes it will notice.
      next.catch(() => {});
      ahead = { after, page: next };
    },
  };
}
