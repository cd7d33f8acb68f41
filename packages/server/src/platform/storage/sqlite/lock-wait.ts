import { setTimeout } from 'node:timers/promises';

// The pauses grow, so that a lock that is soon released is obtained quickly, and one that is held for long is not tried too often.
const FIRST_PAUSE_MS = 1;
const PAUSE_AT_MOST_MS = 25;

/** Whether SQLite refused because another process holds a lock (SQLITE_BUSY, whatever its extended code). */
export function isLocked(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' && (errcode & 0xff) === 5;
}

/**
 * Repeats `attempt` until no other process's lock prevents it, and returns its result. The event loop is free between two attempts.
 * @param askedAt when the waiting time began, by performance.now()
 * @throws what the last attempt threw, if the lock was not released within `limitMs`
 */
export async function whenFree<T>(
  limitMs: number,
  attempt: () => T,
  askedAt = performance.now(),
): Promise<T> {
  try {
    return attempt();
  } catch (error) {
    if (!isLocked(error)) throw error;
  }
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_AT_MOST_MS)) {
    await setTimeout(pauseMs);
    try {
      return attempt();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= askedAt + limitMs) throw error;
    }
  }
}
