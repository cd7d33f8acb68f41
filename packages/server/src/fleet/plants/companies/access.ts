import { sql } from 'kysely';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { raisedAt } from '../access.ts';
import { higherOf } from '../levels.ts';

/** What a company gives: all of it, that of some plants, or that of one member. */
export interface CompanyScope {
  readonly companyId: string;
  readonly plantIds?: readonly string[];
  readonly accountId?: string;
}

/** Gives the members of a company what it may do with its plants, beside what they may by themselves. The plants must be locked. */
export async function grantByCompany(
  trx: Db,
  { companyId, plantIds, accountId }: CompanyScope,
  at: Instant,
): Promise<void> {
  const given = trx
    .selectFrom('companyPlant as p')
    .innerJoin('companyMember as m', 'm.companyId', 'p.companyId')
    .select([
      'm.accountId',
      'p.plantId',
      'p.level',
      'p.level as companyLevel',
      sql<Instant>`cast(${at} as bigint)`.as('createdAt'),
    ])
    .where('p.companyId', '=', companyId)
    .$if(plantIds !== undefined, (query) =>
      query.where(anyOf(trx, 'p.plantId', listParameter(trx, plantIds!))),
    )
    .$if(accountId !== undefined, (query) => query.where('m.accountId', '=', accountId!));
  await trx
    .insertInto('plantAccess')
    .columns(['accountId', 'plantId', 'level', 'companyLevel', 'createdAt'])
    .expression(given)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'plantId']).doUpdateSet((eb) => ({
        companyLevel: eb.ref('excluded.companyLevel'),
        level: higherOf(eb.ref('plantAccess.ownLevel'), eb.ref('excluded.companyLevel')),
        raisedAt: raisedAt(eb.ref('excluded.createdAt')),
      })),
    )
    .execute();
}

/** Ends what members may by their company; what they may by themselves stays. The plants must be locked. */
export async function withdrawByCompany(
  trx: Db,
  { companyId, plantIds, accountId }: CompanyScope,
): Promise<void> {
  const members = trx
    .selectFrom('companyMember')
    .select('accountId')
    .where('companyId', '=', companyId)
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId!));
  await trx
    .deleteFrom('plantAccess')
    .where('accountId', 'in', members)
    .where('ownLevel', 'is', null)
    .where('companyLevel', 'is not', null)
    .$if(plantIds !== undefined, (query) =>
      query.where(anyOf(trx, 'plantId', listParameter(trx, plantIds!))),
    )
    .execute();
  await trx
    .updateTable('plantAccess')
    .set((eb) => ({ companyLevel: null, level: eb.ref('ownLevel').$notNull() }))
    .where('accountId', 'in', members)
    .where('companyLevel', 'is not', null)
    .$if(plantIds !== undefined, (query) =>
      query.where(anyOf(trx, 'plantId', listParameter(trx, plantIds!))),
    )
    .execute();
}
