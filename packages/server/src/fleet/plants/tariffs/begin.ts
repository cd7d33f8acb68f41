import { calendarOf, wallTime, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import { Failure, invalidValue, refusedNow } from '../../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { listZones } from '../zones.ts';

const EXPECTED =
  'YYYY-MM-DD (midnight at the plant), an instant such as 2026-01-01T12:00:00Z, or `beginning`';
const LAST = Date.UTC(2200, 0, 1);

/** The zones of a plant. Throws noPermission for an unknown plant. */
export async function tariffZonesOf(db: Db, plantId: string): Promise<Zones> {
  const zones = await listZones(db, plantId);
  if (zones.length === 0) throw new Failure('noPermission');
  return zones;
}

/** Reads when a tariff begins, as written by a user; a date means midnight at the plant. Throws invalidValue. */
export function readBegin(zones: Zones, text: string): Instant {
  if (text === 'beginning') return 0;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const date = new Date(day === undefined ? text : `${text}T00:00:00Z`);
  const isDate =
    day !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  const isInstant =
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(date.getTime());
  const at = isDate
    ? calendarOf(zones).dayWindow(Number(`${year}${month}${day}`)).startAt
    : date.getTime();
  if ((isDate || isInstant) && at >= 0 && at < LAST) return at;
  throw invalidValue('from', EXPECTED);
}

/** Finds the beginning that a user means among those of some tariffs; a date stands for a beginning on that day. Throws invalidValue if there are several. */
export function findBegin(begins: readonly Instant[], zones: Zones, text: string): Instant {
  const at = readBegin(zones, text);
  const exact = begins.filter((begin) => begin === at);
  const { endAt } = calendarOf(zones).dayWindow(calendarOf(zones).dayOf(at));
  const found =
    exact.length > 0 || text.includes('T') || at === 0
      ? exact
      : begins.filter((begin) => begin > at && begin < endAt);
  if (found.length > 1) {
    const instants = found.map((one) => new Date(one).toISOString()).join(' or ');
    throw refusedNow(
      'from',
      `an instant, since ${found.length} tariffs begin on ${text}: ${instants}`,
    );
  }
  return found[0] ?? at;
}

/** When a tariff begins, in the plant's local time. */
export const beginText = (zones: Zones, at: Instant): string =>
  at === 0 ? 'the beginning' : wallTime(zones, at);
