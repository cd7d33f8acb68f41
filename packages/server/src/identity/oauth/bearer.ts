import type { RawBuilder, SqlBool } from 'kysely';
import type { ApplicationCaller } from '../accounts/caller.ts';
import { equalSecrets } from '../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { listOf } from '../../platform/storage/json-list.ts';
import { prepareLookup } from '../../platform/storage/lookup.ts';
import { scopesOf } from './scopes.ts';
import type { Presented } from './tokens.ts';

// A token is valid while its row, the owner's grant, the application and the owner's account are all active. They are
// read from the database each time, so that ending any of them takes effect on every instance with the next request.
const living = (db: Db, found: RawBuilder<SqlBool>) =>
  db
    .selectFrom('tokenFamily as f')
    .innerJoin('oauthGrant as g', 'g.id', 'f.grantId')
    .innerJoin('application as a', 'a.id', 'f.applicationId')
    .innerJoin('account as o', 'o.id', 'f.accountId')
    .where(found)
    .where('f.endedAt', 'is', null)
    .where('g.revokedAt', 'is', null)
    .where('a.status', '=', 'approved')
    .where('a.disabledAt', 'is', null)
    .where('o.disabledAt', 'is', null)
    // Operators of the service have no plants to show.
    .where('o.role', '!=', 'operator')
    .select([
      'f.applicationId',
      'f.accountId',
      'f.grantId',
      'f.codeHash',
      'f.issuedAt',
      'a.clientId',
      'g.scopes as grantScopes',
      'a.scopes as applicationScopes',
      'g.plantIds',
    ]);

const byAccessToken = prepareLookup('f.accessHash', (db, found) =>
  living(db, found).select([
    'f.accessHash as lookupKey',
    'f.accessHash as tokenHash',
    'f.accessScopes as tokenScopes',
    'f.accessExpiresAt as expiresAt',
  ]),
);

const byRefreshToken = prepareLookup('f.familyHash', (db, found) =>
  living(db, found).select([
    'f.familyHash as lookupKey',
    'f.refreshHash as tokenHash',
    'f.scopes as tokenScopes',
    'f.refreshExpiresAt as expiresAt',
  ]),
);

const applicationByToken = prepareLookup('f.accessHash', (db, found) =>
  db
    .selectFrom('tokenFamily as f')
    .where(found)
    .select(['f.accessHash as lookupKey', 'f.applicationId']),
);

/** The application that an access token was issued to, whether or not it is still valid; undefined if it is unknown or long replaced. */
export const findApplicationOfToken = async (
  db: Db,
  token: Presented,
): Promise<string | undefined> =>
  token.kind === 'access' ? (await applicationByToken(db, token.hash))?.applicationId : undefined;

/** A valid access or refresh token, and what it grants. */
export interface LivingToken {
  readonly caller: ApplicationCaller;
  readonly clientId: string;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
}

/** Finds a token that is valid now. Undefined if it is unknown, spent, expired or revoked, or if its account or application is disabled. */
export async function findLivingToken(
  db: Db,
  now: Instant,
  token: Presented,
): Promise<LivingToken | undefined> {
  if (token.kind === 'code') return undefined;
  const row =
    token.kind === 'access'
      ? await byAccessToken(db, token.hash)
      : await byRefreshToken(db, token.familyHash);
  if (
    !row?.tokenHash ||
    !equalSecrets(row.tokenHash, token.hash) ||
    row.expiresAt === null ||
    row.expiresAt <= now
  )
    return undefined;
  const { applicationId, grantId, accountId, clientId, plantIds, issuedAt, expiresAt } = row;
  // Scopes that the owner or the operator has withdrawn since the token was issued no longer apply to it.
  const scopes = scopesOf(row.tokenScopes! & row.grantScopes & row.applicationScopes);
  const tokenFamily = Buffer.from(row.codeHash).toString('hex');
  const caller: ApplicationCaller = {
    kind: 'application',
    applicationId,
    grantId,
    tokenFamily,
    accountId,
    scopes,
    plantIds: listOf(plantIds),
  };
  return { caller, clientId, issuedAt: issuedAt!, expiresAt };
}
