import { beforeAll, expect, test } from 'vitest';
import {
  addClient,
  addOwner,
  answerOf,
  describeOauth,
  postForm,
  type TestClient,
} from '../fixture.ts';

describeOauth('introspection', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world);
  });

  test('tells an application about its own access token (O74)', async () => {
    const owner = await addOwner(t.world);
    const pair = await t.pair(client, { owner, scopes: ['access_data'] });
    const answer = await t.introspect(client, pair.access_token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const iat = Math.floor(t.clock.at / 1000);
    expect(answer.body).toEqual({
      active: true,
      scope: 'access_data',
      client_id: client.clientId,
      sub: owner.id,
      iss: 'http://127.0.0.1:8081',
      iat,
      exp: iat + 86_400,
      token_type: 'bearer',
    });
  });

  test('names no token_type for a refresh token (O74)', async () => {
    const pair = await t.pair(client);
    const { body } = await t.introspect(client, pair.refresh_token, {
      token_type_hint: 'access_token',
    });
    expect(body).toMatchObject({ active: true, exp: Math.floor(t.clock.at / 1000) + 2_592_000 });
    expect(body).not.toHaveProperty('token_type');
  });

  test('says of everything else exactly that it is not active (O74)', async () => {
    const stranger = await addClient(t.world);
    const pair = await t.pair(client);
    const spent = pair.refresh_token;
    const { body: living } = await t.refresh(client, spent);
    for (const token of ['x', spent, pair.access_token, await t.code(client)])
      expect((await t.introspect(client, token)).text).toBe('{"active":false}');
    expect((await t.introspect(stranger, living.access_token)).text).toBe('{"active":false}');
    expect((await t.introspect(client, '')).status).toBe(400);
  });

  test('tells a resource server about any token (O74)', async () => {
    const server = await addClient(t.world, { resourceServer: true });
    const pair = await t.pair(client);
    expect((await t.introspect(server, pair.access_token)).body).toMatchObject({
      active: true,
      client_id: client.clientId,
    });
  });

  test('needs authentication (O74)', async () => {
    const pair = await t.pair(client);
    expect(
      (await postForm(t.oauth.url, '/oauth/introspect', { token: pair.access_token }, {})).status,
    ).toBe(401);
    expect(
      (
        await postForm(
          t.oauth.url,
          '/oauth/introspect',
          { token: pair.access_token },
          { Authorization: `Bearer ${pair.access_token}` },
        )
      ).status,
    ).toBe(401);
  });
});

const PATH = '/.well-known/oauth-authorization-server';

describeOauth('the metadata', (t) => {
  test('say what there is, with the issuer to the letter (O73)', async () => {
    const answer = await answerOf(await fetch(t.oauth.url + PATH));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const issuer = 'http://127.0.0.1:8081';
    expect(answer.body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      introspection_endpoint: `${issuer}/oauth/introspect`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['access_data', 'control_device'],
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describeOauth(
  'the metadata of an issuer with a path',
  (t) => {
    test('are at the inserted well-known path too (O73)', async () => {
      const headers = { 'X-Forwarded-Proto': 'https' };
      for (const path of [PATH, `${PATH}/solar`]) {
        const { body } = await answerOf(await fetch(t.oauth.url + path, { headers }));
        expect(body).toMatchObject({
          issuer: 'https://example.com/solar',
          authorization_endpoint: 'https://example.com/solar/oauth/authorize',
        });
        expect(body.authorization_response_iss_parameter_supported).toBe(false);
      }
    });
  },
  {
    oauthUrl: 'https://example.com/solar',
    trustedProxies: ['127.0.0.1'],
    oauthIssuerParameter: false,
  },
);
