import { sql, type Selectable } from 'kysely';
import { Failure } from '../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import { Overtaken } from '../../platform/storage/away.ts';
import type { Db, PlantTable } from '../../platform/storage/database.ts';
import { locksRows } from '../../platform/storage/lock.ts';

/**
 * Locks a plant until the transaction ends and returns its row. It is an update that changes nothing, since SQLite has no FOR UPDATE.
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
 * Locks several plants, in id order to avoid deadlocks. Devices are locked after their plants, never before. On SQLite, write
 * transactions are exclusive anyway.
 */
export async function lockPlants(trx: Db, plantIds: readonly string[]): Promise<void> {
  if (!locksRows(trx) || plantIds.length === 0) return;
  await trx
    .selectFrom('plant')
    .select('id')
    .where(anyOf(trx, 'id', listParameter(trx, plantIds)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Locks several plants and returns their rows, in id order. Throws noPermission if one is unknown or archived. */
export async function lockEach(
  trx: Db,
  plantIds: readonly string[],
): Promise<Selectable<PlantTable>[]> {
  await lockPlants(trx, plantIds);
  const plants = await trx
    .selectFrom('plant')
    .selectAll()
    .where(anyOf(trx, 'id', listParameter(trx, plantIds)))
    .where('archivedAt', 'is', null)
    .orderBy('id')
    .execute();
  if (plants.length < plantIds.length) throw new Failure('noPermission');
  return plants;
}

/** Locks devices in id order. A transaction must lock all that it is going to touch at once, since locking some after others could deadlock. */
export async function lockDeviceRows(trx: Db, deviceIds: readonly string[]): Promise<void> {
  if (!locksRows(trx) || deviceIds.length === 0) return;
  await trx
    .selectFrom('device')
    .select('id')
    .where(anyOf(trx, 'id', listParameter(trx, deviceIds)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Locks every plant, including those about to change hands: for rare changes that concern many plants. */
export async function lockAllPlants(trx: Db): Promise<void> {
  if (locksRows(trx)) await sql`lock table plant in exclusive mode`.execute(trx);
}

/** Waits for the writer that has locked every plant, and keeps others from doing so until the transaction ends; single plants can be locked meanwhile. */
export async function waitForLockOfAll(trx: Db): Promise<void> {
  if (locksRows(trx)) await sql`lock table plant in row share mode`.execute(trx);
}

/** Keeps what an account may do in some plants as it is until the transaction ends, without keeping the plants from others. Devices are locked before. */
export async function holdAccess(
  trx: Db,
  accountId: string,
  plantIds: readonly string[],
): Promise<void> {
  if (!locksRows(trx) || plantIds.length === 0) return;
  await trx
    .selectFrom('plantAccess')
    .select('level')
    .where('accountId', '=', accountId)
    .where(anyOf(trx, 'plantId', listParameter(trx, plantIds)))
    .orderBy('plantId')
    .forShare()
    .execute();
}

/** Makes the transaction start over if it needs more locks than it has taken: they are taken in one order. Throws Overtaken. */
export function requireLocked(locked: ReadonlySet<string>, needed: readonly string[]): void {
  if (needed.some((id) => !locked.has(id))) throw new Overtaken();
}
