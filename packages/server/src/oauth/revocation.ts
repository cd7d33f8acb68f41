import type { AuditKind } from '@helioport/contract';
import { recordAudit, type Act } from '../accounts/audit.ts';
import { auditParameters, changesInOne, withAudit } from '../accounts/audited-change.ts';
import { inTransaction } from '../plants/attempts.ts';
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
export const endFamily = (trx: Db, act: Act, ending: Ending): Promise<boolean> => end(trx, act, ending, endedBy(act, ending));

const endedBy = ({ at }: Act, { reason }: Ending): Ended => ({ endedAt: at, endedBy: reason, removeAt: at + REMEMBERED_MS });

/**
 * Revokes an access or refresh token at once. Revoking a refresh token also ends its access token, even if the refresh
 * token was already spent by a refresh that came first; revoking an access token ends only that. interface O60
 * A token of another application stays valid. Returns whether anything ended.
 */
export async function revokeToken(db: Db, act: Act, applicationId: string, token: Presented): Promise<boolean> {
  if (token.kind === 'code') return false;
  const [by, hash, reason] =
    token.kind === 'refresh' ? (['familyHash', token.familyHash, 'refresh token'] as const) : (['accessHash', token.hash, 'access token'] as const);
  const ending: Ending = { by, hash, applicationId, kind: 'grant.tokensRevoked', reason };
  const set = token.kind === 'refresh' ? endedBy(act, ending) : { accessHash: null, accessExpiresAt: null };
  // One round trip, unless an answer has to be forgotten too.
  if (changesInOne(db) && (await endWithAudit(db, act, ending, set))) return true;
  return inTransaction(db, (trx) => end(trx, act, ending, set));
}

async function endWithAudit(db: Db, act: Act, ending: Ending, set: Ended): Promise<boolean> {
  const { applicationId, kind, reason } = ending;
  const parameters = auditParameters(act, kind, { applicationId, reason });
  const change = ended(db, ending, set).where('answersUntil', '<=', act.at);
  const { rows } = await db.executeQuery(withAudit(db, (name) => parameters[name], change).compile());
  return rows.length > 0;
}

type Ended = { endedAt: number; endedBy: string; removeAt: number } | { accessHash: null; accessExpiresAt: null };

const ended = (db: Db, { by, hash, applicationId }: Ending, set: Ended) =>
  db
    .updateTable('tokenFamily')
    .set(set)
    .where(by, '=', hash)
    .where('applicationId', '=', applicationId)
    .where('endedAt', 'is', null)
    .returning(['codeHash', 'accountId', 'grantId', 'answersUntil']);

async function end(trx: Db, act: Act, ending: Ending, set: Ended): Promise<boolean> {
  const row = await ended(trx, ending, set).executeTakeFirst();
  if (!row) return false;
  const { applicationId, kind, reason } = ending;
  if (row.answersUntil > act.at) await forgetAnswersOfFamily(trx, row.codeHash);
  await recordAudit(trx, act, { kind, accountId: row.accountId, data: { applicationId, grantId: row.grantId, reason } });
  return true;
}
