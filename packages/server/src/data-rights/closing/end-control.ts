import { cancelUnsent } from '../../control/commands/cancel.ts';
import { endInPlants } from '../../control/strategies/end.ts';
import type { Step } from './step.ts';

const COMMANDS_AT_ONCE = 100;
const PLANTS_AT_ONCE = 20;
const ROWS_AT_ONCE = 500;

/** Cancels commands of an account that were not sent yet. None of them is handed over any more in any case. */
export const cancelCommands: Step = async (trx, act, { accountId, after }) => {
  const open = await trx
    .selectFrom('command')
    .select(['id', 'deviceId'])
    .where('endedAt', 'is', null)
    .where('accountId', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(COMMANDS_AT_ONCE)
    .execute();
  await cancelUnsent(trx, act, open, 'the account was closed');
  return open.length < COMMANDS_AT_ONCE ? undefined : open.at(-1)!.id;
};

/** Ends the strategies in plants of an account; their devices get their former settings back. */
export const endStrategies: Step = async (trx, act, { accountId, after }) => {
  const plants = await trx
    .selectFrom('plant')
    .innerJoin('strategyDevice as s', 's.plantId', 'plant.id')
    .select('plant.id')
    .distinct()
    .where('plant.ownerId', '=', accountId)
    .where('plant.archivedAt', 'is', null)
    .where('s.endedAt', 'is', null)
    .where('s.state', '!=', 'draft')
    .where('plant.id', '>', after)
    .orderBy('plant.id')
    .limit(PLANTS_AT_ONCE)
    .execute();
  await endInPlants(
    trx,
    act,
    plants.map(({ id }) => id),
    'the owner of the plant closed the account',
  );
  return plants.length < PLANTS_AT_ONCE ? undefined : plants.at(-1)!.id;
};

/** Deletes notifications that an account was to get. */
export const dropNotifications: Step = async (trx, _act, { accountId }) => {
  const items = trx
    .selectFrom('newsItem')
    .select(['via', 'alarmId'])
    .where('accountId', '=', accountId)
    .limit(ROWS_AT_ONCE);
  const dropped = await trx
    .deleteFrom('newsItem')
    .where('accountId', '=', accountId)
    .where((eb) => eb(eb.refTuple('via', 'alarmId'), 'in', items.$asTuple('via', 'alarmId')))
    .executeTakeFirst();
  const messages = trx
    .selectFrom('newsMessage')
    .select('id')
    .where('accountId', '=', accountId)
    .limit(ROWS_AT_ONCE);
  const unsent = await trx.deleteFrom('newsMessage').where('id', 'in', messages).executeTakeFirst();
  return dropped.numDeletedRows + unsent.numDeletedRows === 0n ? undefined : '';
};
