import type { Selectable } from 'kysely';
import type { Instant, NewsItemTable } from '../../storage/database.ts';
import type { NewsSettings } from '../settings/settings.ts';
import { quietUntil } from './quiet.ts';

/** The kind of work that tells an account of alarms; the key of a task is the account's id. */
export const NEWS = 'news';

const MINUTE_MS = 60_000;

/** How long an alarm is held: one that ends meanwhile is told once, and those that begin meanwhile are told together. */
export const HOLD_MS = 2 * MINUTE_MS;

/** While more keep coming, what was first waits at most this long. */
export const HOLD_AT_MOST_MS = 10 * MINUTE_MS;

/** People are told of alarms at most this often, except of emergencies. */
export const PAUSE_MS = 15 * MINUTE_MS;

const EMERGENCY = 3;

export type Item = Pick<Selectable<NewsItemTable>, 'alarmId' | 'level' | 'since' | 'told'>;

export interface Timing {
  readonly quiet: NewsSettings['quiet'];
  readonly urgentPasses: boolean;
  readonly timeZone: string;
  /** When people were last told. */
  readonly toldAt: Instant | null;
}

/** Which of the items are told now, and when to look at the others; undefined = when something new happens. */
export interface Release {
  readonly items: readonly Item[];
  readonly nextAt: Instant | undefined;
}

/** When the hold of items ends. */
function heldUntil(items: readonly Item[]): Instant {
  const since = items.map((item) => item.since);
  return Math.min(Math.max(...since) + HOLD_MS, Math.min(...since) + HOLD_AT_MOST_MS);
}

/** What a program is told now: all that was held long enough. */
export function releaseToPrograms(items: readonly Item[], now: Instant): Release {
  if (items.length === 0) return { items, nextAt: undefined };
  const at = heldUntil(items);
  return at <= now ? { items, nextAt: undefined } : { items: [], nextAt: at };
}

/** What people are told now: not in their quiet hours, and not too often; of emergencies more often and, if they choose so, at any hour. */
export function releaseToPeople(items: readonly Item[], { quiet, urgentPasses, timeZone, toldAt }: Timing, now: Instant): Release {
  if (items.length === 0) return { items, nextAt: undefined };
  const quietEnd = quietUntil(quiet, timeZone, now);
  const urgent = items.filter(({ level }) => level === EMERGENCY);
  const urgentAt = urgent.length > 0 ? heldUntil(urgent) : Infinity;
  if (quietEnd !== undefined) {
    if (!urgentPasses || urgent.length === 0) return { items: [], nextAt: quietEnd };
    if (urgentAt > now) return { items: [], nextAt: Math.min(urgentAt, quietEnd) };
    return { items: urgent, nextAt: urgent.length < items.length ? quietEnd : undefined };
  }
  const at = Math.min(urgentAt, Math.max(heldUntil(items), toldAt === null ? 0 : toldAt + PAUSE_MS));
  return at <= now ? { items, nextAt: undefined } : { items: [], nextAt: at };
}
