import { sql } from 'kysely';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { alarmStateNumbers } from './alarm-rows.ts';

const pendingOfPlant = prepareQuery((db, p: ParameterOf<{ plantId: string }>) =>
  db
    .selectFrom('alarm')
    .select(['deviceId', sql<number>`count(*)`.as('amount')])
    .where('plantId', '=', p('plantId'))
    .where('state', '=', sql.lit(alarmStateNumbers.pending))
    .groupBy('deviceId'),
);

/** How many alarms of each device (device.id) of a plant are pending; devices without any are omitted. */
export const countPending = async (db: Db, plantId: string): Promise<Map<string, number>> =>
  new Map(
    (await pendingOfPlant(db, { plantId })).map(({ deviceId, amount }) => [deviceId, amount]),
  );

/** The alarm of a plant, not over yet, that most needs looking at. */
export interface UrgentAlarm {
  readonly plantId: string;
  readonly code: string;
  readonly message: string;
}

const urgentOfPlants = prepareQuery((db, p: ParameterOf<{ plantIds: unknown }>) =>
  db
    .selectFrom(
      db
        .selectFrom('alarm')
        .select([
          'plantId',
          'code',
          'message',
          sql<number>`row_number() over (partition by "plantId" order by state, level desc, id desc)`.as(
            'place',
          ),
        ])
        .where(anyOf(db, 'plantId', p('plantIds')))
        .where('state', 'in', [
          sql.lit(alarmStateNumbers.pending),
          sql.lit(alarmStateNumbers.processed),
        ])
        .as('lasting'),
    )
    .select(['lasting.plantId', 'lasting.code', 'lasting.message'])
    .where('lasting.place', '=', sql.lit(1)),
);

/** Of each of these plants that has any, the alarm of the highest level that nobody has taken on, or else that is not over; of several, the latest. By plant id. */
export async function urgentAlarms(
  db: Db,
  plantIds: readonly string[],
): Promise<Map<string, UrgentAlarm>> {
  if (plantIds.length === 0) return new Map();
  return new Map(
    (await urgentOfPlants(db, { plantIds: listParameter(db, plantIds) })).map((alarm) => [
      alarm.plantId,
      alarm,
    ]),
  );
}
