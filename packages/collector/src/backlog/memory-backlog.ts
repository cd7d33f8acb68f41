import type { Report } from '../report.ts';
import type { Backlog } from './backlog.ts';

const REPORTS_AT_MOST = 1_000;

/** Creates a backlog in memory, which is lost when the process ends. Beyond `atMost` reports, the oldest are dropped. */
export function createMemoryBacklog(atMost: number = REPORTS_AT_MOST): Backlog {
  const kept = new Map<number, { report: Report; bytes: number }>();
  let nextKey = 1;
  let dropped = 0;
  return {
    get waiting() {
      return kept.size;
    },
    get dropped() {
      return dropped;
    },
    add(report) {
      const key = nextKey++;
      kept.set(key, { report, bytes: JSON.stringify(report).length });
      for (const [oldest] of kept) {
        if (kept.size <= atMost) break;
        kept.delete(oldest);
        dropped += 1;
      }
      return key;
    },
    oldest(bytes) {
      const taken: { key: number; report: Report }[] = [];
      let left = bytes;
      for (const [key, { report, bytes: size }] of kept) {
        left -= size;
        if (left < 0 && taken.length > 0) break;
        taken.push({ key, report });
      }
      return taken;
    },
    remove(keys) {
      for (const key of keys) kept.delete(key);
    },
    close: () => kept.clear(),
  };
}
