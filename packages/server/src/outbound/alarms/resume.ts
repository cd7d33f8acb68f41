import type { Act } from '../../identity/accounts/audit.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { changeAlarms } from './alarm-rows.ts';
import { NEWS_MS } from './observations/observations.ts';
import { rules } from './rules.ts';

const CODES = rules.map(({ code }) => code);

/**
 * Continues the alarms of devices that are back, within a day, in the plant which they left at `leftAt`, as far as samples decide when they end:
 * some causes show only under high sun, so that it would take until tomorrow to find them again. Silence is judged anew, and what devices report
 * themselves may have ended while nobody recorded it.
 */
export async function resumeAlarms(
  trx: Db,
  act: Act,
  deviceIds: readonly string[],
  leftAt: Instant,
): Promise<void> {
  if (act.at - leftAt > NEWS_MS) return;
  const ended = await trx
    .selectFrom('alarm')
    .select(['deviceId', 'code'])
    .distinct()
    .where(anyOf(trx, 'deviceId', listParameter(trx, deviceIds)))
    .where('code', 'in', CODES)
    .where('endAt', '>=', leftAt)
    .orderBy('deviceId')
    .orderBy('code')
    .execute();
  for (const [deviceId, alarms] of Map.groupBy(ended, (alarm) => alarm.deviceId)) {
    const changes = alarms.map(({ code }) => ({ resume: { code, leftAt } }));
    await changeAlarms(trx, { now: act.at, newId: act.newId }, deviceId, changes);
  }
}
