import type { CompanyPlant, ShareLevel } from '@helioport/contract';
import { sql, type Selectable } from 'kysely';
import { recordAudits, type Act } from '../../../identity/accounts/audit.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
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

/** What a company may do with one of several plants. */
export interface PlantGift {
  readonly plant: LockedPlant;
  readonly level: ShareLevel;
  readonly isInstaller?: boolean;
}

/** Lets everybody in a company see or control a plant, or changes what they may. The plant must be locked. Throws noPermission, and invalidValue for a plant too many. */
export async function shareWithCompany(
  trx: Db,
  act: Act,
  plant: LockedPlant,
  { level, isInstaller = false, ...scope }: CompanyShare,
): Promise<void> {
  await lockMembership(trx, scope);
  await shareAllWithCompany(trx, act, scope, [{ plant, level, isInstaller }]);
}

type Accepting = Pick<CompanyShare, 'companyId' | 'accountId'>;

/** Locks the company of which an account is a member. Throws noPermission. */
export async function lockMembership(trx: Db, { companyId, accountId }: Accepting): Promise<void> {
  await lockCompany(trx, companyId);
  // They may have left it while we waited.
  if ((await findMembership(trx, accountId))?.companyId !== companyId)
    throw new Failure('noPermission');
}

/**
 * Lets everybody in a company see or control plants, in as many statements for many as for one. Plants and company must be locked. Throws invalidValue
 * for a plant too many.
 */
export async function shareAllWithCompany(
  trx: Db,
  act: Act,
  { companyId, accountId }: Accepting,
  gifts: readonly PlantGift[],
): Promise<void> {
  if (gifts.length === 0) return;
  const plantIds = gifts.map(({ plant }) => plant.id);
  const known = new Set(
    (await companyLevels(trx, companyId, plantIds)).map(({ plantId }) => plantId),
  );
  const added = plantIds.filter((id) => !known.has(id));
  if (added.length > 0)
    await withinBounds(trx, 'companyPlants', { companyId }, { ...act, adding: added.length });
  await trx
    .insertInto('companyPlant')
    .values(
      gifts.map(({ plant, level, isInstaller = false }) => ({
        companyId,
        plantId: plant.id,
        level,
        isInstaller: isInstaller ? 1 : 0,
        createdAt: act.at,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'plantId']).doUpdateSet((eb) => ({
        level: eb.ref('excluded.level'),
        isInstaller: sql<0 | 1>`case when ${eb.ref('excluded.isInstaller')} = 1 then 1
          else ${eb.ref('companyPlant.isInstaller')} end`,
      })),
    )
    .execute();
  await grantByCompany(trx, { companyId, plantIds }, act.at);
  if (added.length > 0) await countIn(trx, { companyId, plantIds: added });
  await recordAudits(
    trx,
    act,
    gifts.flatMap(({ plant, level }) =>
      [...new Set([plant.ownerId, accountId])].map((concerned) => ({
        kind: 'company.plantShared' as const,
        accountId: concerned,
        data: { companyId, plantId: plant.id, level },
      })),
    ),
  );
}

/** What a company may do with those of some plants that it has. */
export const companyLevels = (db: Db, companyId: string, plantIds: readonly string[]) =>
  db
    .selectFrom('companyPlant')
    .select(['plantId', 'level'])
    .where('companyId', '=', companyId)
    .where(anyOf(db, 'plantId', listParameter(db, plantIds)))
    .execute();

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
  await withdrawByCompany(trx, act, { companyId, plantIds: [plantId] });
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
