import { findLivingToken } from '../../../identity/oauth/bearer.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { readAccessToken } from '../../../identity/oauth/tokens.ts';
import type { ClientRequest } from './client-request.ts';
import type { AuthorizationDeps } from './deps.ts';

export const INTROSPECT_PARAMETERS = ['token', 'token_type_hint'];

const INACTIVE = '{"active":false}';

/** POST /oauth/introspect: an application asks about its own tokens, a resource server about any. RFC 7662, interface O74 */
export async function answerIntrospect(
  { db, clock, oauthUrl }: AuthorizationDeps,
  { application, form }: ClientRequest,
): Promise<string> {
  const presented = form.get('token');
  if (presented === undefined) throw new OauthRefusal('tokenMissing');
  const token = readAccessToken(presented);
  const living = token && (await findLivingToken(db, clock.now(), token));
  if (
    !living ||
    (living.caller.applicationId !== application.id && application.resourceServer === 0)
  )
    return INACTIVE;
  const { caller, clientId, issuedAt, expiresAt } = living;
  return JSON.stringify({
    active: true,
    scope: caller.scopes.join(' '),
    client_id: clientId,
    sub: caller.accountId,
    iss: oauthUrl,
    iat: Math.floor(issuedAt / 1000),
    exp: Math.floor(expiresAt / 1000),
    ...(token.kind === 'access' && { token_type: 'bearer' }),
  });
}
