import { recordAudit, type Act, type AuditKind } from '../accounts/audit.ts';
import type { Db } from '../storage/database.ts';
import { forgetAnswersOfFamily } from './answers.ts';
import { REMEMBERED_MS } from './families.ts';
import type { Presented } from './tokens.ts';

/**
 * Ends all that came of one code, with effect on the next request; a refresh under way either finds the row ended or is ended with it.
 * The owner's grant stays. Says whether it was living.
 */
export async function endFamily(trx: Db, act: Act, codeHash: Uint8Array, why: { endedBy: string; kind: AuditKind }): Promise<boolean> {
  const row = await trx
    .updateTable('tokenFamily')
    .set({ endedAt: act.at, endedBy: why.endedBy, removeAt: act.at + REMEMBERED_MS })
    .where('codeHash', '=', codeHash)
    .where('endedAt', 'is', null)
    .returning(['accountId', 'applicationId', 'grantId', 'answersUntil'])
    .executeTakeFirst();
  if (!row) return false;
  const { accountId, applicationId, grantId } = row;
  if (row.answersUntil > act.at) await forgetAnswersOfFamily(trx, codeHash);
  await recordAudit(trx, act, { kind: why.kind, accountId, data: { applicationId, grantId, reason: why.endedBy } });
  return true;
}

/**
 * Access or refresh token: presented at the revocation endpoint -> invalid at once. A refresh token takes its access token along,
 * and so does a spent one that a refresh overtook; an access token goes alone. spec: States and transitions.
 * Nothing happens for a token of another application. Says whether something ended.
 */
export async function revokeToken(db: Db, act: Act, applicationId: string, token: Presented): Promise<boolean> {
  if (token.kind === 'code') return false;
  if (token.kind === 'access') return db.transaction().execute((trx) => revokeAccessToken(trx, act, applicationId, token.hash));
  const row = await db
    .selectFrom('tokenFamily')
    .select('codeHash')
    .where('familyHash', '=', token.familyHash)
    .where('applicationId', '=', applicationId)
    .executeTakeFirst();
  return row !== undefined && db.transaction().execute((trx) => endFamily(trx, act, row.codeHash, { endedBy: 'application', kind: 'grant.tokensRevoked' }));
}

async function revokeAccessToken(trx: Db, act: Act, applicationId: string, accessHash: Uint8Array): Promise<boolean> {
  const row = await trx
    .updateTable('tokenFamily')
    .set({ accessHash: null, accessExpiresAt: null })
    .where('accessHash', '=', accessHash)
    .where('applicationId', '=', applicationId)
    .returning(['codeHash', 'accountId', 'grantId', 'answersUntil'])
    .executeTakeFirst();
  if (!row) return false;
  if (row.answersUntil > act.at) await forgetAnswersOfFamily(trx, row.codeHash);
  await recordAudit(trx, act, { kind: 'grant.tokensRevoked', accountId: row.accountId, data: { applicationId, grantId: row.grantId, reason: 'access token' } });
  return true;
}
