import type { Selectable } from 'kysely';
import { Failure } from '../kernel/failure.ts';
import type { Db, PlantTable } from '../storage/database.ts';

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
