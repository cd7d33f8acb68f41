import type { ShareLevel } from '@helioport/contract';
import { sql } from 'kysely';
import type { Act } from '../../../identity/accounts/audit.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { findAccess } from '../access.ts';
import { lockPlant, lockPlants } from '../lock.ts';
import { endShare } from '../shares.ts';
import { shareWithCompany, ungivenPlants } from './plants.ts';

/** How many plants are given at once, and how many that could be are named. */
const GIVEN_AT_ONCE = 100;

/** What an account gives its company of the plants that it owns or has access to by itself. */
export interface Giving {
  readonly companyId: string;
  readonly accountId: string;
  /** undefined = control of own plants, and of others what the account may itself. */
  readonly level: ShareLevel | undefined;
  /** undefined = the next of its own that the company does not have. */
  readonly plantIds: readonly string[] | undefined;
}

/**
 * Gives a company plants of a member, at most 100 at once; returns how many, and how many of the member's own it could still be given. Access that others have
 * given to the member alone becomes the company's. Throws noPermission, invalidValue.
 */
export async function givePlants(
  trx: Db,
  act: Act,
  giving: Giving,
): Promise<{ given: number; left: number }> {
  const { companyId, accountId, level = 'control', plantIds } = giving;
  const ungiven = ungivenPlants(trx, companyId, accountId);
  const chosen =
    plantIds?.toSorted() ??
    (await ungiven.select('id').orderBy('id').limit(GIVEN_AT_ONCE).execute()).map(({ id }) => id);
  await lockPlants(trx, chosen);
  for (const id of chosen) {
    const plant = await lockPlant(trx, id);
    if (plant.ownerId === accountId)
      await shareWithCompany(trx, act, plant, { companyId, accountId, level });
    else await bring(trx, act, plant, giving);
  }
  const { left } = await ungiven.select(sql<number>`count(*)`.as('left')).executeTakeFirstOrThrow();
  return { given: chosen.length, left };
}

/** The access that an owner gave one person becomes that of the person's company, which gets no more by it than the person had. */
async function bring(
  trx: Db,
  act: Act,
  plant: Awaited<ReturnType<typeof lockPlant>>,
  { companyId, accountId, level }: Giving,
): Promise<void> {
  const { id: plantId, ownerId, installerId } = plant;
  const own = (await findAccess(trx, plantId, accountId))?.ownLevel;
  if (own == null || own === 'owner') throw new Failure('noPermission');
  if (own === 'read' && level === 'control')
    throw refusedNow('level', 'at most what one may oneself');
  const { level: before } = (await companyLevel(trx, companyId, plantId)) ?? {};
  const wanted = level ?? own;
  await shareWithCompany(trx, act, plant, {
    companyId,
    accountId,
    level: before === 'control' ? before : wanted,
    isInstaller: installerId === accountId,
  });
  await endShare(trx, act, { plantId, accountId, ownerId });
}

const companyLevel = (trx: Db, companyId: string, plantId: string) =>
  trx
    .selectFrom('companyPlant')
    .select('level')
    .where('companyId', '=', companyId)
    .where('plantId', '=', plantId)
    .executeTakeFirst();

/** The first plants of others that an account has access to by itself and its company does not have. */
export const listBringable = (db: Db, companyId: string, accountId: string) =>
  db
    .selectFrom('plantAccess as access')
    .innerJoin('plant', 'plant.id', 'access.plantId')
    .innerJoin('account as owner', 'owner.id', 'plant.ownerId')
    .select(['plant.id', 'plant.name', 'owner.email as owner', 'access.level'])
    .where('access.accountId', '=', accountId)
    .where('access.ownLevel', 'in', ['read', 'control'])
    .where('plant.archivedAt', 'is', null)
    .where('owner.disabledAt', 'is', null)
    .where(
      'plant.id',
      'not in',
      db.selectFrom('companyPlant').select('plantId').where('companyId', '=', companyId),
    )
    .orderBy('plant.id')
    .limit(GIVEN_AT_ONCE)
    .execute();
