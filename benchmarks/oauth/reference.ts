// oidc-provider with the same client, lifetimes and features. Arguments: `memory`, or the address of a PostgreSQL
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';
import { createPostgresAdapter } from './postgres-adapter.ts';
import { introduce } from './rival.ts';

const [storage] = process.argv.slice(2);
const redirectUri = 'https://platform.example/callback';
const client = {
  client_id: 'benchmarkClient',
  client_secret: 'Q7mY2pXc9vLk4sTn8bWd1fRj6hZg3aUe5oIq0xCy',
};
const scope = 'access_data control_device';

const configuration: Configuration = {
  clients: [
    {
      ...client,
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [redirectUri],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope,
    },
  ],
  scopes: scope.split(' '),
  features: {
    introspection: { enabled: true },
    revocation: { enabled: true },
    devInteractions: { enabled: false },
  },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  pkce: { required: () => false },
  ttl: { AuthorizationCode: 1800, AccessToken: 86_400, RefreshToken: 2_592_000, Grant: 2_592_000 },
  findAccount: async (_context, accountId) => ({
    accountId,
    claims: async () => ({ sub: accountId }),
  }),
  cookies: { keys: ['benchmark'] },
  ...(storage !== 'memory' && { adapter: await createPostgresAdapter(storage!) }),
};

const provider = new Provider('http://127.0.0.1', configuration);
const known = (await provider.Client.find(client.client_id))!;

// One grant per code, since here revoking a refresh token ends the whole grant.
async function makeCode(): Promise<string> {
  const grant = new provider.Grant({ clientId: client.client_id, accountId: 'owner' });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  const code = new provider.AuthorizationCode({
    accountId: 'owner',
    client: known,
    grantId,
    redirectUri,
    scope,
    gty: 'authorization_code',
    authTime: 1,
  });
  return code.save();
}

const server = provider.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  introduce(
    {
      port,
      clientId: client.client_id,
      clientSecret: client.client_secret,
      redirectUri,
      paths: { token: '/token', revoke: '/token/revocation', introspect: '/token/introspection' },
    },
    makeCode,
  );
});
