import { sql, type Selectable } from 'kysely';
import { Failure } from '../kernel/failure.ts';
import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db, PlantTable } from '../storage/database.ts';
import { engineOf } from '../storage/engine.ts';

/**
 * Locks a plant until the transaction ends and gives its row. An update that changes nothing, since SQLite knows no FOR UPDATE.
 * Throws noPermission for a plant that is unknown or archived.
 */
export async function lockPlant(trx: Db, plantId: string): Promise<Selectable<PlantTable>> {
  const plant = await trx
    .updateTable('plant')
    .set((eb) => ({ updatedAt: eb.ref('updatedAt') }))
    .where('id', '=', plantId)
    .where('archivedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!plant) throw new Failure('noPermission');
  return plant;
}

/**
 * Locks several plants, in the order of their ids so that no two transactions wait for one another. Devices are locked after
 * their plants, never before. On SQLite a write transaction has everything to itself.
 */
export async function lockPlants(trx: Db, plantIds: readonly string[]): Promise<void> {
  if (engineOf(trx) === 'sqlite' || plantIds.length === 0) return;
  await trx
    .selectFrom('plant')
    .select('id')
    .where(anyOf(trx, 'id', listParameter(trx, plantIds)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/**
 * Locks devices, in the order of their ids and all that a transaction is going to touch at once: whoever locks some after others
 * waits for somebody who waits for it.
 */
export async function lockDeviceRows(trx: Db, deviceIds: readonly string[]): Promise<void> {
  if (engineOf(trx) === 'sqlite' || deviceIds.length === 0) return;
  await trx
    .selectFrom('device')
    .select('id')
    .where(anyOf(trx, 'id', listParameter(trx, deviceIds)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Locks every plant, also against those that are about to change hands: for what seldom happens and concerns many. */
export async function lockAllPlants(trx: Db): Promise<void> {
  if (engineOf(trx) === 'postgres') await sql`lock table plant in exclusive mode`.execute(trx);
}
