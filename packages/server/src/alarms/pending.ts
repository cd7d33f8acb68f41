import { sql } from 'kysely';
import type { Db } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import { alarmStates } from './alarm-rows.ts';

const pendingOfPlant = prepareQuery((db, p: ParameterOf<{ plantId: string }>) =>
  db
    .selectFrom('alarm')
    .select(['deviceId', sql<number>`count(*)`.as('amount')])
    .where('plantId', '=', p('plantId'))
    .where('state', '=', sql.lit(alarmStates.pending))
    .groupBy('deviceId'),
);

/** How many alarms of each device (device.id) of a plant are pending; devices without any are omitted. */
export const countPending = async (db: Db, plantId: string): Promise<Map<string, number>> =>
  new Map((await pendingOfPlant(db, { plantId })).map(({ deviceId, amount }) => [deviceId, amount]));
