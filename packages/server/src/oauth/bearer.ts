import type { ApplicationCaller } from '../accounts/caller.ts';
import type { Db, Instant } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import { scopesOf } from './scopes.ts';
import type { Presented } from './tokens.ts';

// A token is good while its row, the owner's grant, the application and the owner's account all stand: asked of the
// database each time, so that whatever ends does so on every instance with the next request.
const living = (db: Db) =>
  db
    .selectFrom('tokenFamily as f')
    .innerJoin('oauthGrant as g', 'g.id', 'f.grantId')
    .innerJoin('application as a', 'a.id', 'f.applicationId')
    .innerJoin('account as o', 'o.id', 'f.accountId')
    .where('f.endedAt', 'is', null)
    .where('g.revokedAt', 'is', null)
    .where('a.status', '=', 'approved')
    .where('a.disabledAt', 'is', null)
    .where('o.disabledAt', 'is', null)
    .select([
      'f.applicationId',
      'f.accountId',
      'f.grantId',
      'f.issuedAt',
      'a.clientId',
      'g.scopes as grantScopes',
      'a.scopes as applicationScopes',
      'g.plantIds',
    ]);

interface Lookup {
  readonly hash: Uint8Array;
  readonly now: Instant;
}

const byAccessToken = prepareQuery((db, p: ParameterOf<Lookup>) =>
  living(db)
    .select(['f.accessScopes as tokenScopes', 'f.accessExpiresAt as expiresAt'])
    .where('f.accessHash', '=', p('hash'))
    .where('f.accessExpiresAt', '>', p('now')),
);

const byRefreshToken = prepareQuery((db, p: ParameterOf<Lookup & { familyHash: Uint8Array }>) =>
  living(db)
    .select(['f.scopes as tokenScopes', 'f.refreshExpiresAt as expiresAt'])
    .where('f.familyHash', '=', p('familyHash'))
    .where('f.refreshHash', '=', p('hash'))
    .where('f.refreshExpiresAt', '>', p('now')),
);

/** A living token and what it stands for. */
export interface LivingToken {
  readonly caller: ApplicationCaller;
  readonly clientId: string;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
}

/** Undefined for whatever opens nothing now: unknown, spent, expired, revoked, or of somebody who may act no more. */
export async function findLivingToken(db: Db, now: Instant, token: Presented): Promise<LivingToken | undefined> {
  if (token.kind === 'code') return undefined;
  const [row] =
    token.kind === 'access'
      ? await byAccessToken(db, { hash: token.hash, now })
      : await byRefreshToken(db, { hash: token.hash, familyHash: token.familyHash, now });
  if (!row) return undefined;
  const { applicationId, grantId, accountId, clientId, plantIds, issuedAt, expiresAt } = row;
  // What was narrowed after the issue, by the owner or the operator, holds for tokens that live already.
  const scopes = scopesOf((row.tokenScopes ?? 0) & row.grantScopes & row.applicationScopes);
  const caller: ApplicationCaller = {
    kind: 'application',
    applicationId,
    grantId,
    accountId,
    scopes,
    plantIds: plantIds === null ? null : (JSON.parse(plantIds) as string[]),
  };
  return { caller, clientId, issuedAt: issuedAt!, expiresAt: expiresAt! };
}
