import type { Instant } from '../storage/database.ts';

/** How often a device is expected to report. */
export const EXPECTED_INTERVAL_MS = 15 * 60_000;

/** After how many missed reports it counts as offline. */
const INTERVALS_OF_GRACE = 3;

/** How long a last report holds. */
export const GRACE_MS = INTERVALS_OF_GRACE * EXPECTED_INTERVAL_MS;

/** Whether something that reported last at `lastAt` is online at `now`. */
export const isOnline = (lastAt: Instant | null | undefined, now: Instant): boolean => typeof lastAt === 'number' && lastAt >= now - GRACE_MS;
