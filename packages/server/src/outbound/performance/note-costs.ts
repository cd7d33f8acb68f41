import type { LossCause } from '@helioport/contract';
import { addDays } from '../../platform/calendar/plant-calendar.ts';
import type { Db } from '../../platform/storage/database.ts';

/** Lists show figures of so many days. */
const RECENT_DAYS = 30;
/** Of a plant; it rarely has one for each inverter. */
const ALARMS_AT_MOST = 500;

/** What an alarm of the service costs; others say that the device itself does not work. */
const CAUSES: Readonly<Record<string, readonly LossCause[]>> = {
  H101: ['silent'],
  H102: ['standstill'],
  H103: ['string', 'lag'],
  H104: ['grid'],
  H105: ['grid'],
  H108: ['silent'],
};
const OF_DEVICES: readonly LossCause[] = ['standstill', 'grid'];
const OWN_CODE = /^H1\d\d$/;

const causesOf = (code: string): readonly LossCause[] =>
  OWN_CODE.test(code) ? (CAUSES[code] ?? []) : OF_DEVICES;

/**
 * Notes what kept losses mean for lists: the share of expected and the lost energy of the last days of a plant, and what its alarms have cost so far.
 * @param fromDay the first day whose losses have changed; alarms that had ended before are left as they are
 */
export async function noteCosts(trx: Db, plantId: string, fromDay: number): Promise<void> {
  await noteRecent(trx, plantId);
  await noteAlarms(trx, plantId, fromDay);
}

async function noteRecent(trx: Db, plantId: string): Promise<void> {
  const latest = await trx
    .selectFrom('performanceDay')
    .select(['day', 'expectedKwh', 'clippedKwh', 'producedKwh'])
    .where('plantId', '=', plantId)
    .orderBy('day', 'desc')
    .limit(RECENT_DAYS)
    .execute();
  const since = latest[0] && addDays(latest[0].day, 1 - RECENT_DAYS);
  const days = latest.filter(({ day, expectedKwh }) => expectedKwh !== null && day >= since!);
  const sum = (of: 'expectedKwh' | 'clippedKwh' | 'producedKwh'): number =>
    days.reduce((all, day) => all + (day[of] ?? 0), 0);
  const [expected, produced] = [sum('expectedKwh'), sum('producedKwh')];
  const isKnown = days.length > 0;
  await trx
    .updateTable('plantStanding')
    .set({
      recentExpectedKwh: isKnown ? expected : null,
      recentProducedKwh: isKnown ? produced : null,
      recentLostKwh: isKnown ? expected + sum('clippedKwh') - produced : null,
    })
    .where('plantId', '=', plantId)
    .execute();
}

async function noteAlarms(trx: Db, plantId: string, fromDay: number): Promise<void> {
  const alarms = await trx
    .selectFrom('alarm')
    .select(['id', 'sn', 'code', 'beginDay', 'endDay', 'lostKwh', 'lostAmount'])
    .where('plantId', '=', plantId)
    .where('kind', '=', 'inverter')
    .where((eb) => eb.or([eb('endAt', 'is', null), eb('endDay', '>=', fromDay)]))
    .orderBy('id', 'desc')
    .limit(ALARMS_AT_MOST)
    .execute();
  const told = alarms.filter(({ code }) => causesOf(code).length > 0);
  if (told.length === 0) return;
  const losses = await trx
    .selectFrom('performanceLoss')
    .select(['day', 'sn', 'cause', 'kwh', 'amount'])
    .where('plantId', '=', plantId)
    .where('day', '>=', Math.min(...told.map(({ beginDay }) => beginDay)))
    .execute();
  const bySn = Map.groupBy(losses, ({ sn }) => sn);
  for (const { id, sn, code, beginDay, endDay, ...before } of told) {
    const causes = causesOf(code);
    const own = (bySn.get(sn) ?? []).filter(
      ({ day, cause }) =>
        day >= beginDay && day <= (endDay ?? Infinity) && causes.includes(cause as LossCause),
    );
    const amounts = own.flatMap(({ amount }) => amount ?? []);
    const add = (values: readonly number[]): number | null =>
      values.length > 0 ? values.reduce((all, value) => all + value, 0) : null;
    const after = { lostKwh: add(own.map(({ kwh }) => kwh)), lostAmount: add(amounts) };
    if (after.lostKwh !== before.lostKwh || after.lostAmount !== before.lostAmount)
      await trx.updateTable('alarm').set(after).where('id', '=', id).execute();
  }
}
