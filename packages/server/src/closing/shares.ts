import type { Act } from '../accounts/audit.ts';
import { unsharePlant } from '../plants/shares.ts';
import type { Db } from '../storage/database.ts';

/** A share of a plant that has ended, and who had it. */
export interface EndedShare {
  readonly accountId: string;
  readonly plantName: string;
}

/** Ends all shares that an account has given and received; returns those that it has given. */
export async function endShares(trx: Db, act: Act, accountId: string): Promise<EndedShare[]> {
  const shares = await trx
    .selectFrom('plantAccess as s')
    .innerJoin('plant as p', 'p.id', 's.plantId')
    .innerJoin('account as a', 'a.id', 's.accountId')
    .select(['s.plantId', 's.accountId', 'p.ownerId', 'p.name as plantName', 'p.archivedAt', 'a.email'])
    .where('s.level', '!=', 'owner')
    .where((eb) => eb.or([eb('p.ownerId', '=', accountId), eb('s.accountId', '=', accountId)]))
    .orderBy('s.plantId')
    .execute();
  for (const { plantId, email, archivedAt, ...share } of shares) {
    if (archivedAt === null) await unsharePlant(trx, act, plantId, email);
    else await trx.deleteFrom('plantAccess').where('plantId', '=', plantId).where('accountId', '=', share.accountId).execute();
  }
  return shares.filter(({ ownerId, archivedAt }) => ownerId === accountId && archivedAt === null);
}
