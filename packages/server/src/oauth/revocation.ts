import { recordAudit, type Act, type AuditKind } from '../accounts/audit.ts';
import type { Db } from '../storage/database.ts';
import { forgetAnswersOfFamily } from './answers.ts';
import { REMEMBERED_MS } from './families.ts';
import type { Presented } from './tokens.ts';

/** Which row of tokenFamily ends, found by one of its hashes, and why. */
interface Ending {
  readonly by: 'codeHash' | 'familyHash' | 'accessHash';
  readonly hash: Uint8Array;
  readonly applicationId: string;
  readonly kind: AuditKind;
  readonly reason: string;
}

/**
 * Ends everything issued from one code, from the next request on; a concurrent refresh either finds the row ended or is ended with it.
 * The owner's grant stays. Returns whether the family was active.
 */
export const endFamily = (trx: Db, act: Act, ending: Ending): Promise<boolean> =>
  end(trx, act, ending, { endedAt: act.at, endedBy: ending.reason, removeAt: act.at + REMEMBERED_MS });

/**
 * Revokes an access or refresh token at once. Revoking a refresh token also ends its access token, even if the refresh
 * token was already spent by a refresh that came first; revoking an access token ends only that. interface O60
 * A token of another application stays valid. Returns whether anything ended.
 */
export async function revokeToken(db: Db, act: Act, applicationId: string, token: Presented): Promise<boolean> {
  if (token.kind === 'code') return false;
  const kind = 'grant.tokensRevoked';
  return db
    .transaction()
    .execute((trx) =>
      token.kind === 'refresh'
        ? endFamily(trx, act, { by: 'familyHash', hash: token.familyHash, applicationId, kind, reason: 'refresh token' })
        : end(trx, act, { by: 'accessHash', hash: token.hash, applicationId, kind, reason: 'access token' }, { accessHash: null, accessExpiresAt: null }),
    );
}

type Ended = { endedAt: number; endedBy: string; removeAt: number } | { accessHash: null; accessExpiresAt: null };

async function end(trx: Db, act: Act, { by, hash, applicationId, kind, reason }: Ending, set: Ended): Promise<boolean> {
  const row = await trx
    .updateTable('tokenFamily')
    .set(set)
    .where(by, '=', hash)
    .where('applicationId', '=', applicationId)
    .where('endedAt', 'is', null)
    .returning(['codeHash', 'accountId', 'grantId', 'answersUntil'])
    .executeTakeFirst();
  if (!row) return false;
  if (row.answersUntil > act.at) await forgetAnswersOfFamily(trx, row.codeHash);
  await recordAudit(trx, act, { kind, accountId: row.accountId, data: { applicationId, grantId: row.grantId, reason } });
  return true;
}
