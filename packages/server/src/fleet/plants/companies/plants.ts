import type { CompanyPlant, ShareLevel } from '@helioport/contract';
import { sql, type Selectable } from 'kysely';
import type { Act } from '../../../identity/accounts/audit.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { Db, PlantTable } from '../../../platform/storage/database.ts';
import { withinBounds } from '../../../platform/storage/bounds/within.ts';
import { countIn, countOut } from '../fleet/counters.ts';
import type { PageOf } from '../fleet/plant-list.ts';
import { grantByCompany, withdrawByCompany } from './access.ts';
import { findMembership, lockCompany, recordCompany } from './companies.ts';

type LockedPlant = Pick<Selectable<PlantTable>, 'id' | 'ownerId'>;

export interface CompanyShare {
  readonly companyId: string;
  /** Who accepts it for the company. */
  readonly accountId: string;
  readonly level: ShareLevel;
  readonly isInstaller?: boolean;
}

/** Lets everybody in a company see or control a plant, or changes what they may. The plant must be locked. Throws noPermission, and invalidValue for a plant too many. */
export async function shareWithCompany(
  trx: Db,
  act: Act,
  plant: LockedPlant,
  { companyId, accountId, level, isInstaller = false }: CompanyShare,
): Promise<void> {
  await lockCompany(trx, companyId);
  // They may have left it while we waited.
  if ((await findMembership(trx, accountId))?.companyId !== companyId)
    throw new Failure('noPermission');
  const scope = { companyId, plantId: plant.id };
  const { numUpdatedRows } = await trx
    .updateTable('companyPlant')
    .set({ level, ...(isInstaller && { isInstaller: 1 }) })
    .where('companyId', '=', companyId)
    .where('plantId', '=', plant.id)
    .executeTakeFirst();
  const isNew = numUpdatedRows === 0n;
  if (isNew) {
    await withinBounds(trx, 'companyPlants', { companyId }, act);
    await trx
      .insertInto('companyPlant')
      .values({ ...scope, level, isInstaller: isInstaller ? 1 : 0, createdAt: act.at })
      .execute();
  }
  await grantByCompany(trx, scope, act.at);
  if (isNew) await countIn(trx, scope);
  await recordCompany(trx, act, 'company.plantShared', [plant.ownerId, accountId], {
    ...scope,
    level,
  });
}

/** Ends what a company may do with a plant, for everybody in it; returns whether it could anything. The plant must be locked. */
export async function unshareCompany(
  trx: Db,
  act: Act,
  { id: plantId, ownerId }: LockedPlant,
  companyId: string,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('companyPlant')
    .where('companyId', '=', companyId)
    .where('plantId', '=', plantId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await countOut(trx, { companyId, plantId });
  await withdrawByCompany(trx, { companyId, plantId });
  await recordCompany(trx, act, 'company.plantUnshared', [ownerId], { companyId, plantId });
  return true;
}

/** The company for which somebody is the installer of a plant; undefined = none. */
export async function findInstallingCompany(db: Db, plantId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('companyPlant')
    .select('companyId')
    .where('plantId', '=', plantId)
    .where('isInstaller', '=', 1)
    .executeTakeFirst();
  return row?.companyId;
}

export async function countCompanyPlants(db: Db, companyId: string): Promise<number> {
  const { number } = await db
    .selectFrom('companyPlant')
    .select(sql<number>`count(*)`.as('number'))
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow();
  return number;
}

/** The plants of an account that its company does not have. */
export const ungivenPlants = (db: Db, companyId: string, accountId: string) =>
  db
    .selectFrom('plant')
    .where('ownerId', '=', accountId)
    .where('archivedAt', 'is', null)
    .where(
      'id',
      'not in',
      db.selectFrom('companyPlant').select('plantId').where('companyId', '=', companyId),
    );

/** A page of the plants of a company, in id order; archived ones are not shown. */
export async function listCompanyPlants(db: Db, companyId: string, { pageNo, pageSize }: PageOf) {
  const plants = db
    .selectFrom('companyPlant as given')
    .innerJoin('plant', 'plant.id', 'given.plantId')
    .innerJoin('account as owner', 'owner.id', 'plant.ownerId')
    .where('given.companyId', '=', companyId)
    .where('plant.archivedAt', 'is', null)
    .where('owner.disabledAt', 'is', null);
  const { total } = await plants
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  const rows = await plants
    .select([
      'plant.id',
      'plant.name',
      'owner.email as owner',
      'given.level',
      'given.isInstaller',
      'given.createdAt',
    ])
    .orderBy('plant.id')
    .limit(pageSize)
    .offset((pageNo - 1) * pageSize)
    .execute();
  const records = rows.map(({ isInstaller, ...row }): CompanyPlant => ({
    ...row,
    isInstaller: isInstaller === 1,
  }));
  return { records, total, pageNo, pageSize };
}
