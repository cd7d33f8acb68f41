import * as oauth4webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import { AuthorizationCode } from 'simple-oauth2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { systemClock } from '../../../packages/server/src/platform/kernel/clock.ts';
import { freePort } from '../../support/free-port.ts';
import { createSqliteDatabase, type TestDatabase } from '../../support/engines.ts';
import { createWorld } from '../../support/world.ts';
import { addClient, addOwner, REDIRECT_URI, type TestClient } from '../fixture.ts';
import { goToolchain, runGoClient } from './go-client.ts';
import { startOauth, type TestOauth } from '../listener.ts';
import { pythonWithAuthlib, runPythonClient } from './python-client.ts';
import { createVisitor, signIn } from '../visitor.ts';

// Made ready once; later runs find them.
const [python, go] = await Promise.all([pythonWithAuthlib(), goToolchain()]);

// Unmodified, as a third party would use them; the owner is a browser without a screen.
describe('an unmodified client library does the whole flow:', () => {
  const clock = { at: 0, now: systemClock.now };
  let database: TestDatabase;
  const world = createWorld(() => database, clock);
  let server: TestOauth;
  let client: TestClient;
  let owner: Account;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    const port = await freePort();
    server = await startOauth(database, clock, { oauthUrl: `http://127.0.0.1:${port}`, port });
    client = await addClient(world);
    owner = await addOwner(world);
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  /** The owner follows the link and approves; gives the address that the browser lands on. */
  async function approve(address: string): Promise<URL> {
    const visitor = createVisitor();
    const back = await visitor.submit(await signIn(visitor, address, owner.email), 'consent', {
      decision: 'approve',
    });
    return back.location!;
  }

  const isActive = async (token: string): Promise<boolean> => {
    const response = await fetch(`${server.url}/oauth/introspect`, {
      method: 'POST',
      headers: { Authorization: client.basic },
      body: new URLSearchParams({ token }),
    });
    return ((await response.json()) as { active: boolean }).active;
  };

  test('oauth4webapi', async () => {
    const insecure = { [oauth4webapi.allowInsecureRequests]: true };
    const issuer = new URL(server.url);
    const as = await oauth4webapi.processDiscoveryResponse(
      issuer,
      await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    const own: oauth4webapi.Client = { client_id: client.clientId };
    const authentication = oauth4webapi.ClientSecretBasic(client.clientSecret);
    const verifier = oauth4webapi.generateRandomCodeVerifier();
    const state = oauth4webapi.generateRandomState();
    const address = new URL(as.authorization_endpoint!);
    const parameters = {
      client_id: client.clientId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'access_data',
      state,
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    address.searchParams.set(
      'code_challenge',
      await oauth4webapi.calculatePKCECodeChallenge(verifier),
    );

    const response = oauth4webapi.validateAuthResponse(as, own, await approve(address.href), state);
    const exchanged = await oauth4webapi.authorizationCodeGrantRequest(
      as,
      own,
      authentication,
      response,
      REDIRECT_URI,
      verifier,
      insecure,
    );
    const pair = await oauth4webapi.processAuthorizationCodeResponse(as, own, exchanged);
    expect(pair).toMatchObject({ token_type: 'bearer', expires_in: 86_400, scope: 'access_data' });

    const refreshed = await oauth4webapi.refreshTokenGrantRequest(
      as,
      own,
      authentication,
      pair.refresh_token!,
      insecure,
    );
    const renewed = await oauth4webapi.processRefreshTokenResponse(as, own, refreshed);
    const asked = await oauth4webapi.introspectionRequest(
      as,
      own,
      authentication,
      renewed.access_token,
      insecure,
    );
    expect(await oauth4webapi.processIntrospectionResponse(as, own, asked)).toMatchObject({
      active: true,
      scope: 'access_data',
      client_id: client.clientId,
    });

    await oauth4webapi.processRevocationResponse(
      await oauth4webapi.revocationRequest(
        as,
        own,
        authentication,
        renewed.refresh_token!,
        insecure,
      ),
    );
    expect(await isActive(renewed.access_token)).toBe(false);
  });

  test('openid-client', async () => {
    const config = await openid.discovery(
      new URL(server.url),
      client.clientId,
      {},
      openid.ClientSecretBasic(client.clientSecret),
      {
        algorithm: 'oauth2',
        execute: [openid.allowInsecureRequests],
      },
    );
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'access_data control_device',
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const pair = await openid.authorizationCodeGrant(config, await approve(address.href), {
      pkceCodeVerifier,
      expectedState,
    });
    expect(pair).toMatchObject({ expires_in: 86_400, scope: 'access_data control_device' });
    const renewed = await openid.refreshTokenGrant(config, pair.refresh_token!);
    expect(await openid.tokenIntrospection(config, renewed.access_token)).toMatchObject({
      active: true,
    });
    await openid.tokenRevocation(config, renewed.refresh_token!);
    expect(await isActive(renewed.access_token)).toBe(false);
  });

  test('simple-oauth2', async () => {
    const flow = new AuthorizationCode({
      client: { id: client.clientId, secret: client.clientSecret },
      auth: {
        tokenHost: server.url,
        tokenPath: '/oauth/token',
        authorizePath: '/oauth/authorize',
        revokePath: '/oauth/revoke',
      },
      options: { authorizationMethod: 'header' },
    });
    const response = await approve(
      flow.authorizeURL({
        redirect_uri: REDIRECT_URI,
        scope: ['access_data', 'control_device'],
        state: 'x y',
      }),
    );
    expect(response.searchParams.get('state')).toBe('x y');
    const pair = await flow.getToken({
      code: response.searchParams.get('code')!,
      redirect_uri: REDIRECT_URI,
    });
    expect(pair.token['scope']).toBe('access_data control_device');
    const renewed = await pair.refresh();
    expect(renewed.token['access_token']).not.toBe(pair.token['access_token']);
    expect(await isActive(renewed.token['access_token'] as string)).toBe(true);
    await renewed.revokeAll();
    expect(await isActive(renewed.token['access_token'] as string)).toBe(false);
  });

  test.skipIf(!python)('authlib of Python', async () => {
    const answer = await runPythonClient(
      python!,
      {
        url: server.url,
        clientId: client.clientId,
        clientSecret: client.clientSecret,
        redirectUri: REDIRECT_URI,
      },
      async (address) => (await approve(address)).href,
    );
    expect(answer).toMatchObject({
      scope: 'access_data',
      expires_in: 86_400,
      introspected: true,
      revoked: 200,
    });
    expect(await isActive(answer.access_token)).toBe(false);
  });

  test.skipIf(!go)('x/oauth2 of Go', async () => {
    const answer = await runGoClient(
      go!,
      {
        url: server.url,
        clientId: client.clientId,
        clientSecret: client.clientSecret,
        redirectUri: REDIRECT_URI,
      },
      async (address) => (await approve(address)).href,
    );
    expect(answer).toMatchObject({ type: 'Bearer', renewed: true });
    expect(await isActive(answer.access_token)).toBe(true);
  });
});
