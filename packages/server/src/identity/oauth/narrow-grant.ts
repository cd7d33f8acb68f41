import { recordAudit, type Act } from '../accounts/audit.ts';
import { Failure, refusedNow } from '../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { forUpdate } from '../../platform/storage/lock.ts';
import { listOf } from '../../platform/storage/json-list.ts';
import { scopesOf, scopeText } from './scopes.ts';
import { appendAuthorizationEvent } from './append-authorization-event.ts';

/** What is left of an authorization; what is undefined stays as it is. */
export interface Narrowing {
  /** As bits. */
  readonly scopes?: number | undefined;
  readonly plantIds?: readonly string[] | undefined;
}

/**
 * Takes away a part of what an application was allowed, on behalf of the owner, or of the operator if `accountId` is null. Existing tokens are
 * affected from the next request on. More than before can be granted only where the application asks for it.
 * Throws noPermission for a grant of another account or one that has ended, invalidValue for more than before, or for nothing.
 */
export async function narrowGrant(
  trx: Db,
  act: Act,
  grantId: string,
  accountId: string | null,
  narrowing: Narrowing,
): Promise<void> {
  const former = await lockGrant(trx, grantId, accountId);
  if (!former) throw new Failure('noPermission', { message: 'no such authorization' });
  const { scopes = former.scopes, plantIds = former.plantIds } = narrowing;
  if (scopes === 0 || (scopes & ~former.scopes) !== 0)
    throw refusedNow('scopes', 'some of those that were granted');
  const isWithin =
    former.plantIds === null || plantIds?.every((id) => former.plantIds!.includes(id)) === true;
  if (narrowing.plantIds?.length === 0 || !isWithin)
    throw refusedNow('plantIds', 'some of the plants that were granted');
  const unchanged =
    scopes === former.scopes && JSON.stringify(plantIds) === JSON.stringify(former.plantIds);
  if (unchanged) return;
  await trx
    .updateTable('oauthGrant')
    .set({
      scopes,
      plantIds: plantIds === null ? null : JSON.stringify(plantIds),
      changedAt: act.at,
    })
    .where('id', '=', grantId)
    .execute();
  const { accountId: owner, applicationId } = former;
  const data = {
    applicationId,
    grantId,
    asked: scopeText(former.scopes),
    scopes: scopeText(scopes),
    plantIds,
  };
  await recordAudit(trx, act, { kind: 'grant.narrowed', accountId: owner, data });
  const facts = { scopes: scopesOf(scopes), plantIds };
  await appendAuthorizationEvent(
    trx,
    'authorization.granted',
    { grantId, accountId: owner, applicationId },
    facts,
    act.at,
  );
}

/**
 * Takes a plant out of the authorizations that its former owner gave for certain plants, so that none comes alive again should the plant
 * come back. One that was for this plant alone stays, for none. Authorizations for all plants are not about any of them.
 */
export async function takeOutOfGrants(
  trx: Db,
  now: Instant,
  plantId: string,
  accountId: string,
): Promise<void> {
  const narrowed = trx
    .selectFrom('oauthGrant')
    .select(['id', 'applicationId', 'scopes', 'plantIds'])
    .where('accountId', '=', accountId)
    .where('plantIds', 'like', `%"${plantId}"%`)
    .where('revokedAt', 'is', null)
    .orderBy('id');
  for (const { id, applicationId, scopes, plantIds } of await forUpdate(trx, narrowed).execute()) {
    const left = listOf(plantIds)!.filter((other) => other !== plantId);
    await trx
      .updateTable('oauthGrant')
      .set({ plantIds: JSON.stringify(left), changedAt: now })
      .where('id', '=', id)
      .execute();
    const subject = { grantId: id, accountId, applicationId };
    const facts = { scopes: scopesOf(scopes), plantIds: left };
    await appendAuthorizationEvent(trx, 'authorization.granted', subject, facts, now);
  }
}

/** Two decisions about one authorization follow each other. */
async function lockGrant(trx: Db, grantId: string, accountId: string | null) {
  let found = trx
    .selectFrom('oauthGrant')
    .select(['accountId', 'applicationId', 'scopes', 'plantIds'])
    .where('id', '=', grantId)
    .where('revokedAt', 'is', null);
  if (accountId !== null) found = found.where('accountId', '=', accountId);
  const row = await forUpdate(trx, found).executeTakeFirst();
  return row && { ...row, plantIds: listOf(row.plantIds) };
}
