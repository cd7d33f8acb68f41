import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { narrow, type Reach } from '../../fleet/plants/access.ts';
import { lockPlants } from '../../fleet/plants/lock.ts';
import type { Db } from '../../platform/storage/database.ts';
import { endOnDevices, endStrategy } from './end.ts';
import { findPlaces } from './places.ts';
import { lockStrategy } from './strategy.ts';

/** Locks the plants of a reach in which a strategy is, or one of them; returns their ids. */
export async function lockPlacesOf(
  trx: Db,
  reach: Reach,
  id: string,
  plantId?: string,
): Promise<string[]> {
  const found = await findPlaces(
    trx,
    narrow(reach, plantId === undefined ? undefined : [plantId]),
    id,
  );
  const ids = found.map((plant) => plant.id).toSorted();
  await lockPlants(trx, ids);
  return ids;
}

/**
 * Ends a strategy on the devices in the plants of a reach, or in one of them; on all its devices if these are all. Returns false if there are none:
 * it is a foreign strategy, or none at all.
 */
export async function stopStrategy(
  trx: Db,
  act: Act,
  reach: Reach,
  id: string,
  plantId?: string,
): Promise<boolean> {
  const found = await findPlaces(trx, reach, id);
  const plants = found.filter((plant) => plantId === undefined || plant.id === plantId);
  if (plants.length === 0) return false;
  const plantIds = plants.map((plant) => plant.id);
  const reason =
    act.actor === 'operator' ? 'the operator stopped it' : 'the owner of the plant stopped it';
  const strategy = (await lockStrategy(trx, id))!;
  const elsewhere = await trx
    .selectFrom('strategyDevice')
    .select('deviceId')
    .where('strategyId', '=', id)
    .where('plantId', 'not in', plantIds)
    .where('endedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!elsewhere) await endStrategy(trx, act, strategy, reason);
  else if ((await endOnDevices(trx, act, id, reason, plantIds)) > 0) {
    for (const { id: stopped, ownerId } of plants)
      await recordAudit(trx, act, {
        kind: 'strategy.ended',
        accountId: ownerId,
        data: { strategyId: id, name: strategy.name, plantId: stopped, reason },
      });
  }
  return true;
}
