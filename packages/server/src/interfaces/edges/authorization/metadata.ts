import { languages, scopes } from '@helioport/contract';

const PATH = '/.well-known/oauth-authorization-server';

/** The paths at which the metadata is served; for an issuer with a path, also the one with that path appended. RFC 8414 3.1 */
export function metadataPaths(oauthUrl: string): string[] {
  const { pathname } = new URL(oauthUrl);
  return pathname === '/' ? [PATH] : [PATH, PATH + pathname];
}

/** The authorization server's metadata. RFC 8414 2, interface O73 */
export const metadata = (oauthUrl: string, issuerParameter: boolean) => ({
  issuer: oauthUrl,
  authorization_endpoint: `${oauthUrl}/oauth/authorize`,
  token_endpoint: `${oauthUrl}/oauth/token`,
  revocation_endpoint: `${oauthUrl}/oauth/revoke`,
  introspection_endpoint: `${oauthUrl}/oauth/introspect`,
  // Our own: operations for applications are below this address. RFC 8414 2 allows further members.
  forwarding_endpoint: `${oauthUrl}/oauth/forwarding`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['client_secret_basic'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic'],
  introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: Object.keys(scopes),
  authorization_response_iss_parameter_supported: issuerParameter,
  ui_locales_supported: Object.keys(languages),
});
