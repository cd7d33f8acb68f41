import type { OauthErrorName } from '@helioport/contract';
import type { Act } from '../accounts/audit.ts';
import { equalSecrets } from '../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import type { Application } from './applications.ts';
import { CODE_ATTEMPTS_AT_MOST, type Lifetimes } from './families.ts';
import { endFamily } from './revocation.ts';
import { ALL_SCOPES } from './scopes.ts';

// When a transition of families.ts has found its condition false, these functions find out why and act on it.

const family = (db: Db) =>
  db
    .selectFrom('tokenFamily as f')
    .innerJoin('oauthGrant as g', 'g.id', 'f.grantId')
    .innerJoin('account as o', 'o.id', 'f.accountId')
    .selectAll('f')
    .select(['g.revokedAt', 'g.scopes as grantScopes', 'o.disabledAt']);

interface Circumstances {
  readonly application: Application;
  readonly lifetimes: Lifetimes;
  readonly act: Act;
}

/**
 * Finds out why a code was not exchanged. A failed attempt leaves the code
 * usable but is counted; a late second use revokes what the first one issued.
 */
export async function refuseCode(
  db: Db,
  { application, lifetimes, act }: Circumstances,
  use: { codeHash: Uint8Array; redirectUri: string; challenge: string },
): Promise<OauthErrorName> {
  const row = await family(db).where('f.codeHash', '=', use.codeHash).executeTakeFirst();
  if (!row) return 'codeUnknown';
  const wrong = async (reason: OauthErrorName): Promise<OauthErrorName> => {
    await db
      .updateTable('tokenFamily')
      .set((eb) => ({ codeAttempts: eb('codeAttempts', '+', 1) }))
      .where('codeHash', '=', use.codeHash)
      .execute();
    return reason;
  };
  if (row.applicationId !== application.id) return wrong('codeUnknown');
  if (row.codeUsedAt !== null)
    return isBenign(row.codeUsedAt, act.at, lifetimes)
      ? 'codeUsed'
      : endReused(db, act, row, 'codeReused');
  if (row.endedAt !== null || row.revokedAt !== null || row.disabledAt !== null)
    return 'grantEnded';
  if (row.codeExpiresAt <= act.at) return 'codeExpired';
  if (row.codeAttempts >= CODE_ATTEMPTS_AT_MOST) return 'codeBurnt';
  if (row.redirectUri !== use.redirectUri) return wrong('codeCallbackMismatch');
  if (row.challenge === '' && use.challenge !== '') return wrong('verifierUnexpected');
  if (row.challenge !== '' && use.challenge === '') return wrong('verifierMissing');
  if (row.challenge !== use.challenge) return wrong('verifierWrong');
  return (row.scopes & row.grantScopes) === 0 ? 'grantEnded' : 'scopeWithdrawn';
}

/** Finds out why a pair was not refreshed. Late reuse of a spent refresh token ends its family. RFC 9700 4.14.2 */
export async function refuseRefresh(
  db: Db,
  { application, lifetimes, act }: Circumstances,
  use: { familyHash: Uint8Array; presentedHash: Uint8Array; requested: number },
): Promise<OauthErrorName> {
  const row = await family(db).where('f.familyHash', '=', use.familyHash).executeTakeFirst();
  if (!row || row.applicationId !== application.id) return 'refreshTokenUnknown';
  if (row.endedAt !== null || row.revokedAt !== null || row.disabledAt !== null)
    return 'grantEnded';
  if (!same(row.refreshHash, use.presentedHash)) {
    // A refresh token is spent at the moment when its successor is issued. So the last spent token was spent when the current pair was issued. Older
    // ones were spent when the previous pair was issued, or earlier.
    const spentAt = same(row.spentRefreshHash, use.presentedHash)
      ? row.issuedAt
      : row.previousIssuedAt;
    return spentAt !== null && isBenign(spentAt, act.at, lifetimes)
      ? 'refreshTokenUsed'
      : endReused(db, act, row, 'refreshTokenReused');
  }
  if (row.refreshExpiresAt! <= act.at) return 'refreshTokenExpired';
  if (use.requested & ~row.scopes) return 'scopeExceeded';
  const wanted = row.scopes & row.grantScopes & (use.requested || ALL_SCOPES);
  return wanted === 0 ? 'grantEnded' : 'scopeWithdrawn';
}

// A repetition that comes soon after the first use is probably a second request of the same client, not theft: it is merely refused.
const isBenign = (spentAt: Instant, now: Instant, { benignMs }: Lifetimes): boolean =>
  benignMs > 0 && now - spentAt <= benignMs;

const same = (a: Uint8Array | null, b: Uint8Array): boolean => a !== null && equalSecrets(a, b);

async function endReused(
  db: Db,
  act: Act,
  { codeHash, applicationId }: { codeHash: Uint8Array; applicationId: string },
  reason: 'codeReused' | 'refreshTokenReused',
): Promise<OauthErrorName> {
  await db.transaction().execute((trx) =>
    endFamily(trx, act, {
      by: 'codeHash',
      hash: codeHash,
      applicationId,
      kind: 'grant.reuseRefused',
      reason,
    }),
  );
  return reason;
}
