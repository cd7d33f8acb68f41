import { getAccountByEmail } from '../../accounts/accounts.ts';
import type { Act } from '../../accounts/audit.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { IdSource } from '../../kernel/ids.ts';
import { getApplication } from '../../oauth/applications.ts';
import { issueCode } from '../../oauth/families.ts';
import { findLivingGrant, recordConsent } from '../../oauth/grants.ts';
import { endFamily } from '../../oauth/revocation.ts';
import { ALL_SCOPES } from '../../oauth/scopes.ts';
import { inTransaction } from '../../plants/attempts.ts';
import type { Db } from '../../storage/database.ts';
import type { DemoCredentials } from './demo-file.ts';
import { application, fleet } from './demo-fleet.ts';

/** The code is exchanged at once. */
const CODE_MS = 60_000;

interface ConsentDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/**
 * Lets the demo's application in, as the demo's owner would on the consent page: at the first start, and whenever the authorization has outlived its
 * tokens. What the owner has narrowed or ended stays so. Resolves to a code that replaces the tokens of earlier starts; undefined if the owner has
 * ended the authorization, or if an earlier version created the demo.
 */
export async function consentToDemo(deps: ConsentDeps, demo: Pick<DemoCredentials, 'people' | 'plants' | 'application'>): Promise<string | undefined> {
  const { db, clock, ids } = deps;
  const clientId = demo.application?.clientId;
  if (clientId === undefined) return undefined;
  return inTransaction(db, async (trx) => {
    const { id: accountId } = await getAccountByEmail(trx, demo.people.find(({ role }) => role === 'owner')!.email);
    const { id: applicationId, redirectUri } = await getApplication(trx, clientId);
    const act: Act = { at: clock.now(), actor: `account:${accountId}`, address: null, newId: ids };
    const standing = await findLivingGrant(trx, act.at, accountId, applicationId);
    if (!standing && (await hasEnded(trx, accountId, applicationId))) return undefined;
    const plantIds = plantIdsOf(demo);
    const grantId = standing?.id ?? (await recordConsent(trx, act, { accountId, applicationId, asked: ALL_SCOPES, approved: ALL_SCOPES, plantIds }));
    await endTokens(trx, { ...act, actor: `application:${applicationId}` }, { grantId, applicationId });
    const scopes = standing?.scopes ?? ALL_SCOPES;
    return issueCode(trx, act.at, { codeMs: CODE_MS }, { grantId, applicationId, accountId, scopes, redirectUri, challenge: '' });
  });
}

const plantIdsOf = ({ plants }: Pick<DemoCredentials, 'plants'>): string[] => {
  const names = fleet.filter(({ collectorSn }) => application.collectors.includes(collectorSn)).map(({ name }) => name);
  return plants.flatMap(({ name, plantId }) => (plantId !== undefined && names.includes(name) ? [plantId] : []));
};

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
async function endTokens(trx: Db, act: Act, { grantId, applicationId }: { readonly grantId: string; readonly applicationId: string }): Promise<void> {
  const rows = await trx.selectFrom('tokenFamily').select('codeHash').where('grantId', '=', grantId).where('endedAt', 'is', null).execute();
  for (const { codeHash } of rows)
    await endFamily(trx, act, { by: 'codeHash', hash: codeHash, applicationId, kind: 'grant.tokensRevoked', reason: 'the demo has started again' });
}
