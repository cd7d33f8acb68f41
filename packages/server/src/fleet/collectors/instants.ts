import type { Instant } from '../../platform/storage/database.ts';

/** 2000-01-01; earlier times are refused. */
export const EARLIEST_AT = 946_684_800_000;
/** How far the clock of a device may run ahead of ours. */
export const AHEAD_MS = 86_400_000;

/** Why a report may not contain an instant; undefined if it may. */
export function instantFault(at: unknown, now: Instant): string | undefined {
  if (typeof at !== 'number' || !Number.isSafeInteger(at))
    return 'at must be a whole number, epoch milliseconds';
  if (at < EARLIEST_AT) return 'at is before 2000-01-01; it is in epoch milliseconds';
  return at > now + AHEAD_MS ? 'at is more than a day in the future' : undefined;
}
