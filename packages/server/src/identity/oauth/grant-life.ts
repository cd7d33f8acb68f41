import { sql } from 'kysely';
import { recordAudit, type Act } from '../accounts/audit.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import { REMEMBERED_MS } from './families.ts';
import { appendAuthorizationEvent } from './append-authorization-event.ts';

// An authorization ends, with everything that depends on it, when its owner or the operator ends it or when its last refresh token expires.

/** When the last refresh token or pending code of a grant expires; null if there is none. For use in a query that has the grant as `g`. */
export const livesUntil = sql<Instant | null>`(select max(case when f."codeUsedAt" is null then f."codeExpiresAt" else f."refreshExpiresAt" end)
  from "tokenFamily" as f where f."grantId" = g.id and f."endedAt" is null)`;

/** Grants that are not marked as ended although none of their tokens or codes is valid. */
const outlived = (db: Db, now: Instant) =>
  db
    .selectFrom('oauthGrant as g')
    .select(['g.id', 'g.changedAt'])
    .where('g.revokedAt', 'is', null)
    .where(sql<boolean>`coalesce(${livesUntil}, 0) <= ${now}`);

/**
 * Ends a grant that has outlived its last refresh token. Called before the owner's
 * new decision is recorded, so that nothing of the old grant carries over.
 */
export async function endOutlived(
  trx: Db,
  act: Act,
  accountId: string,
  applicationId: string,
): Promise<void> {
  await end(
    trx,
    act,
    await outlived(trx, act.at)
      .where('g.accountId', '=', accountId)
      .where('g.applicationId', '=', applicationId)
      .execute(),
  );
}

/** Ends those of the given grants that have outlived their last refresh token. */
export async function endOutlivedAmong(
  trx: Db,
  act: Act,
  grantIds: readonly string[],
): Promise<void> {
  await end(
    trx,
    act,
    await outlived(trx, act.at)
      .where(anyOf(trx, 'g.id', listParameter(trx, grantIds)))
      .execute(),
  );
}

/** Ends at most `limit` grants whose last tokens have died within the time that dead tokens are remembered. Returns how many. */
export async function endOutlivedLately(db: Db, act: Act, limit: number): Promise<number> {
  // A living token is remembered for longer than that from now on.
  const grants = await outlived(db, act.at)
    .where('g.id', 'in', (eb) =>
      eb
        .selectFrom('tokenFamily')
        .select('grantId')
        .where('removeAt', '>', act.at)
        .where('removeAt', '<=', act.at + REMEMBERED_MS),
    )
    .limit(limit)
    .execute();
  if (grants.length > 0) await db.transaction().execute((trx) => end(trx, act, grants));
  return grants.length;
}

async function end(
  trx: Db,
  act: Act,
  grants: readonly { readonly id: string; readonly changedAt: Instant }[],
): Promise<void> {
  for (const { id, changedAt } of grants) {
    const row = await trx
      .updateTable('oauthGrant')
      .set({ revokedAt: act.at, revokedBy: 'service' })
      .where('id', '=', id)
      .where('revokedAt', 'is', null)
      // A grant stays if its owner has decided again since it was read.
      .where('changedAt', '=', changedAt)
      .returning(['accountId', 'applicationId'])
      .executeTakeFirst();
    if (!row) continue;
    await recordAudit(
      trx,
      { ...act, actor: 'service' },
      {
        kind: 'grant.expired',
        accountId: row.accountId,
        data: { applicationId: row.applicationId, grantId: id },
      },
    );
    await appendAuthorizationEvent(
      trx,
      'authorization.revoked',
      { grantId: id, ...row },
      { reason: 'expired' },
      act.at,
    );
  }
}
