import { getAccountByEmail } from '../../accounts/accounts.ts';
import type { Act } from '../../accounts/audit.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import { getApplication } from '../applications.ts';
import { issueCode } from '../families.ts';
import { findLivingGrant, recordConsent } from '../grants.ts';
import { endFamily } from '../revocation.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { inTransaction } from '../../../platform/storage/transactions/transaction.ts';
import type { Db } from '../../../platform/storage/database.ts';

/** The code is exchanged at once. */
const CODE_MS = 60_000;

interface ConsentDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
}

interface ConsentTerms {
  /** Of the owner. */
  readonly email: string;
  readonly clientId: string;
  readonly plantIds: readonly string[];
}

/**
 * Lets an application in, as its owner would on the consent page: for the demo, at each start. What the owner has narrowed or ended stays so. Resolves to
 * a code that replaces the tokens of earlier starts; undefined if the owner has ended the authorization. Throws accountUnknown, applicationUnknown.
 */
export async function consentAgain(
  { db, clock, ids }: ConsentDeps,
  { email, clientId, plantIds }: ConsentTerms,
): Promise<string | undefined> {
  return inTransaction(db, async (trx) => {
    const { id: accountId } = await getAccountByEmail(trx, email);
    const { id: applicationId, redirectUri } = await getApplication(trx, clientId);
    const act: Act = { at: clock.now(), actor: `account:${accountId}`, address: null, newId: ids };
    const standing = await findLivingGrant(trx, act.at, accountId, applicationId);
    if (!standing && (await hasEnded(trx, accountId, applicationId))) return undefined;
    const grantId =
      standing?.id ??
      (await recordConsent(trx, act, {
        accountId,
        applicationId,
        asked: ALL_SCOPES,
        approved: ALL_SCOPES,
        plantIds,
      }));
    await endTokens(
      trx,
      { ...act, actor: `application:${applicationId}` },
      { grantId, applicationId },
    );
    const scopes = standing?.scopes ?? ALL_SCOPES;
    return issueCode(
      trx,
      act.at,
      { codeMs: CODE_MS },
      { grantId, applicationId, accountId, scopes, redirectUri, challenge: '' },
    );
  });
}

/** Whether somebody has ended an authorization of the application, rather than time. */
async function hasEnded(trx: Db, accountId: string, applicationId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('oauthGrant')
    .select('id')
    .where('accountId', '=', accountId)
    .where('applicationId', '=', applicationId)
    .where('revokedBy', 'is not', null)
    .where('revokedBy', '!=', 'service')
    .executeTakeFirst();
  return row !== undefined;
}

/** Without this, each start would leave tokens behind that nobody has any more. */
async function endTokens(
  trx: Db,
  act: Act,
  { grantId, applicationId }: { readonly grantId: string; readonly applicationId: string },
): Promise<void> {
  const rows = await trx
    .selectFrom('tokenFamily')
    .select('codeHash')
    .where('grantId', '=', grantId)
    .where('endedAt', 'is', null)
    .execute();
  for (const { codeHash } of rows)
    await endFamily(trx, act, {
      by: 'codeHash',
      hash: codeHash,
      applicationId,
      kind: 'grant.tokensRevoked',
      reason: 'the application has started again',
    });
}
