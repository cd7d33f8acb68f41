import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { revokeToken } from '../../../identity/oauth/revocation.ts';
import { readAccessToken } from '../../../identity/oauth/tokens.ts';
import type { ClientRequest } from './client-request.ts';
import { visitorActOf, type AuthorizationDeps } from './deps.ts';

// token_type_hint is never read: the prefix says what a token is. interface O63
export const REVOKE_PARAMETERS = ['token', 'token_type_hint'];

/**
 * POST /oauth/revoke: the same answer whether something ended or there was nothing to end, also for a token of another
 * application, which stays as it is. RFC 7009 2.1 and 2.2, interface O59 to O64
 */
export async function answerRevoke(
  deps: AuthorizationDeps,
  { request, application, form }: ClientRequest,
): Promise<string> {
  const presented = form.get('token');
  if (presented === undefined) throw new OauthRefusal('tokenMissing');
  const token = readAccessToken(presented);
  if (
    token &&
    (await revokeToken(
      deps.db,
      visitorActOf(deps, request, `application:${application.id}`),
      application.id,
      token,
    ))
  )
    deps.metrics.revoked();
  return '{}';
}
