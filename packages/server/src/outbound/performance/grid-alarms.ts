import { deviceMatters } from '@helioport/contract/alarm-words/device/matter';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { gridFrequency, gridVoltage } from '../alarms/rules/grid.ts';
import type { GridAlarm } from './causes/loss-day.ts';

const CODES = [
  gridVoltage.code,
  gridFrequency.code,
  ...[...deviceMatters].flatMap(([code, matter]) => (matter === 'grid' ? [code] : [])),
];

const selectAlarms = prepareQuery(
  (db, p: ParameterOf<{ plantId: string; codes: unknown; fromAt: number; toAt: number }>) =>
    db
      .selectFrom('alarm')
      .select(['sn', 'kind', 'code', 'beginAt', 'endAt'])
      .where('plantId', '=', p('plantId'))
      .where(anyOf(db, 'code', p('codes')))
      .where('beginAt', '<', p('toAt'))
      .where((eb) => eb.or([eb('endAt', 'is', null), eb('endAt', '>', p('fromAt'))]))
      .orderBy('id'),
);

/** The alarms about voltage and frequency of the grid in a span of time, for each inverter: its own, and those of meters of the plant. */
export async function findGridAlarms(
  db: Db,
  plantId: string,
  fromAt: number,
  toAt: number,
): Promise<(sn: string | undefined) => readonly GridAlarm[]> {
  const rows = await selectAlarms(db, {
    plantId,
    codes: listParameter(db, CODES),
    fromAt,
    toAt,
  });
  const alarms = rows.map(({ sn, kind, code, beginAt, endAt }) => ({
    sn: kind === 'inverter' ? sn : undefined,
    alarm: { code, fromAt: beginAt, toAt: endAt ?? Infinity },
  }));
  return (sn) =>
    alarms.filter((each) => each.sn === undefined || each.sn === sn).map(({ alarm }) => alarm);
}
