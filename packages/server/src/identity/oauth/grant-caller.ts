import type { ApplicationCaller } from '../accounts/caller.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { locksRows } from '../../platform/storage/lock.ts';
import { listOf } from '../../platform/storage/json-list.ts';
import { livesUntil } from './grant-life.ts';
import { scopesOf } from './scopes.ts';

/**
 * An application as an authorization lets it act now, whichever of its tokens it might show; undefined once the authorization has ended, or while the
 * application or the owner's account is disabled. In a transaction, what it rests on stays locked until that ends.
 */
export async function findGrantCaller(
  db: Db,
  grantId: string,
  now: Instant,
): Promise<ApplicationCaller | undefined> {
  const locks = db.isTransaction && locksRows(db);
  // Its tokens are not rows of the query below, whose subquery cannot lock them.
  if (locks)
    await db
      .selectFrom('tokenFamily')
      .select('codeHash')
      .where('grantId', '=', grantId)
      .where('endedAt', 'is', null)
      .forShare()
      .execute();
  const found = db
    .selectFrom('oauthGrant as g')
    .innerJoin('application as a', 'a.id', 'g.applicationId')
    .innerJoin('account as o', 'o.id', 'g.accountId')
    .select([
      'g.applicationId',
      'g.accountId',
      'g.scopes',
      'g.plantIds',
      'a.scopes as applicationScopes',
      livesUntil.as('livesUntil'),
    ])
    .where('g.id', '=', grantId)
    .where('g.revokedAt', 'is', null)
    .where('a.status', '=', 'approved')
    .where('a.disabledAt', 'is', null)
    .where('o.disabledAt', 'is', null);
  const row = await (locks ? found.forShare() : found).executeTakeFirst();
  if (!row || (row.livesUntil ?? 0) <= now) return undefined;
  const { applicationId, accountId, plantIds } = row;
  return {
    kind: 'application',
    applicationId,
    grantId,
    tokenFamily: null,
    accountId,
    scopes: scopesOf(row.scopes & row.applicationScopes),
    plantIds: listOf(plantIds),
  };
}
