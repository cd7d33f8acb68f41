import { shareLevels, type ShareLevel } from '@helioport/contract';
import { sql } from 'kysely';
import type { Act } from '../../../identity/accounts/audit.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { lockEach } from '../lock.ts';
import { higherShare } from '../levels.ts';
import { endOwnShares } from '../shares.ts';
import {
  companyLevels,
  lockMembership,
  shareAllWithCompany,
  ungivenPlants,
  type PlantGift,
} from './plants.ts';

type Plant = Awaited<ReturnType<typeof lockEach>>[number];

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
    plantIds ??
    (await ungiven.select('id').orderBy('id').limit(GIVEN_AT_ONCE).execute()).map(({ id }) => id);
  const plants = await lockEach(trx, chosen);
  await lockMembership(trx, giving);
  const [own, others] = [
    plants.filter(({ ownerId }) => ownerId === accountId),
    plants.filter(({ ownerId }) => ownerId !== accountId),
  ];
  const brought = await broughtBy(trx, giving, others);
  await shareAllWithCompany(trx, act, giving, [
    ...own.map((plant) => ({ plant, level })),
    ...brought,
  ]);
  await endOwnShares(trx, act, accountId, others);
  const { left } = await ungiven.select(sql<number>`count(*)`.as('left')).executeTakeFirstOrThrow();
  return { given: chosen.length, left };
}

/** What becomes a company's of the access that owners gave one of its members, which is no more by it than the member had. Throws noPermission, invalidValue. */
async function broughtBy(
  trx: Db,
  { companyId, accountId, level }: Giving,
  plants: readonly Plant[],
): Promise<PlantGift[]> {
  if (plants.length === 0) return [];
  const ids = plants.map(({ id }) => id);
  const own = new Map(
    (await ownLevels(trx, ids, accountId)).map((one) => [one.plantId, one.ownLevel]),
  );
  const before = new Map(
    (await companyLevels(trx, companyId, ids)).map((one) => [one.plantId, one.level]),
  );
  return plants.map((plant) => {
    const ownLevel = own.get(plant.id);
    if (ownLevel == null || ownLevel === 'owner') throw new Failure('noPermission');
    if (level !== undefined && higherShare(level, ownLevel) !== ownLevel)
      throw refusedNow('level', 'at most what one may oneself');
    return {
      plant,
      level: higherShare(level ?? ownLevel, before.get(plant.id)),
      isInstaller: plant.installerId === accountId,
    };
  });
}

/** What an account may by itself with each of some plants. */
const ownLevels = (db: Db, plantIds: readonly string[], accountId: string) =>
  db
    .selectFrom('plantAccess')
    .select(['plantId', 'ownLevel'])
    .where('accountId', '=', accountId)
    .where(anyOf(db, 'plantId', listParameter(db, plantIds)))
    .execute();

/** The first plants of others that an account has access to by itself and its company does not have. */
export const listBringable = (db: Db, companyId: string, accountId: string) =>
  db
    .selectFrom('plantAccess as access')
    .innerJoin('plant', 'plant.id', 'access.plantId')
    .innerJoin('account as owner', 'owner.id', 'plant.ownerId')
    .select(['plant.id', 'plant.name', 'owner.email as owner', 'access.level'])
    .where('access.accountId', '=', accountId)
    .where('access.ownLevel', 'in', shareLevels)
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
