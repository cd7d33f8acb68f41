import { MINUTE_MS } from '@helioport/contract/durations';
import type { Selectable } from 'kysely';
import type { Instant, NewsItemTable } from '../../../platform/storage/database.ts';
import type { NotificationSettings } from '../settings/settings.ts';
import { quietUntil } from './quiet.ts';

/** The kind of work that tells an account of alarms; the key of a task is the account's id. The word is in the database. */
export const NOTIFICATION_LANE = 'news';

/** How long an alarm is held: one that ends meanwhile is announced once, and those that begin meanwhile are announced together. */
export const HOLD_MS = 2 * MINUTE_MS;

/** While more keep coming, what was first waits at most this long. */
export const HOLD_AT_MOST_MS = 10 * MINUTE_MS;

/** People are notified of alarms at most this often, except of emergencies. */
export const PAUSE_MS = 15 * MINUTE_MS;

const EMERGENCY = 3;

export type Item = Pick<Selectable<NewsItemTable>, 'alarmId' | 'level' | 'since' | 'announced'>;

/** The hours in which nothing is sent, except of emergencies if those pass. */
export interface QuietHours {
  readonly quiet: NotificationSettings['quiet'];
  readonly urgentPasses: boolean;
  readonly timeZone: string;
}

export interface Timing extends QuietHours {
  /** When people were last notified. */
  readonly notifiedAt: Instant | null;
}

/** Which of the items are sent now, and when to look at the others; undefined = when something new happens. */
export interface Release {
  readonly items: readonly Item[];
  readonly nextAt: Instant | undefined;
}

/** When the hold of items ends. */
function heldUntil(items: readonly Item[]): Instant {
  const since = items.map((item) => item.since);
  return Math.min(Math.max(...since) + HOLD_MS, Math.min(...since) + HOLD_AT_MOST_MS);
}

/** When the hold of emergencies ends; Infinity without any. */
const urgentUntil = (urgent: readonly Item[]): Instant =>
  urgent.length > 0 ? heldUntil(urgent) : Infinity;

const urgentOf = (items: readonly Item[]): Item[] =>
  items.filter(({ level }) => level === EMERGENCY);

const releaseAt = (items: readonly Item[], at: Instant, now: Instant): Release =>
  at <= now ? { items, nextAt: undefined } : { items: [], nextAt: at };

/** What is sent in quiet hours; undefined outside of them. */
function releaseInQuiet(
  items: readonly Item[],
  { quiet, urgentPasses, timeZone }: QuietHours,
  now: Instant,
): Release | undefined {
  const quietEnd = quietUntil(quiet, timeZone, now);
  if (quietEnd === undefined) return undefined;
  const urgent = urgentOf(items);
  if (!urgentPasses || urgent.length === 0) return { items: [], nextAt: quietEnd };
  const urgentAt = urgentUntil(urgent);
  if (urgentAt > now) return { items: [], nextAt: Math.min(urgentAt, quietEnd) };
  return { items: urgent, nextAt: urgent.length < items.length ? quietEnd : undefined };
}

/** What a program is sent now: all that was held long enough, outside of the quiet hours that it may have. */
export function releaseToPrograms(
  items: readonly Item[],
  hours: QuietHours,
  now: Instant,
): Release {
  if (items.length === 0) return { items, nextAt: undefined };
  return releaseInQuiet(items, hours, now) ?? releaseAt(items, heldUntil(items), now);
}

/** What people are sent now: not in their quiet hours, and not too often; of emergencies more often and, if they choose so, at any hour. */
export function releaseToPeople(items: readonly Item[], timing: Timing, now: Instant): Release {
  if (items.length === 0) return { items, nextAt: undefined };
  const pausedUntil = timing.notifiedAt === null ? 0 : timing.notifiedAt + PAUSE_MS;
  const at = Math.min(urgentUntil(urgentOf(items)), Math.max(heldUntil(items), pausedUntil));
  return releaseInQuiet(items, timing, now) ?? releaseAt(items, at, now);
}
