import { beforeAll, describe, expect, test } from 'vitest';
import {
  disableApplication,
  enableApplication,
  decideApplication,
} from '../../../packages/server/src/identity/oauth/applications.ts';
import {
  insertClientSecret,
  listClientSecrets,
  rotateClientSecret,
} from '../../../packages/server/src/identity/oauth/client-secrets.ts';
import {
  addClient,
  answerOf,
  basicOf,
  REDIRECT_URI,
  describeOauth,
  formOf,
  rawTokenRequest,
  sendRaw,
  type TestClient,
} from '../fixture.ts';

describeOauth('client authentication', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world);
  });

  test.each([
    [
      'client_id and client_secret beside Basic',
      (c: TestClient) => ({ client_id: c.clientId, client_secret: c.clientSecret }),
      true,
    ],
    ['the same client_id beside Basic', (c: TestClient) => ({ client_id: c.clientId }), true],
    ['another client_id beside Basic', () => ({ client_id: 'somebody' }), true],
    ['an empty client_secret beside Basic', () => ({ client_secret: '' }), true],
    [
      'client_id and client_secret alone',
      (c: TestClient) => ({ client_id: c.clientId, client_secret: c.clientSecret }),
      false,
    ],
  ])(
    'in the body is refused before the code is touched: %s (O25)',
    async (_name, fields, withBasic) => {
      const code = await t.code(client);
      const refused = await t.exchange(
        client,
        code,
        fields(client),
        withBasic ? {} : { Authorization: undefined },
      );
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({
        error: 'invalid_request',
        error_description: expect.stringContaining('HTTP Basic'),
      });
      expect((await t.exchange(client, code)).status).toBe(200);
    },
  );

  test.each(['client_id', 'client_secret', 'code', 'refresh_token', 'token', 'grant_type'])(
    '%s in the query is refused (O26)',
    async (name) => {
      const response = await fetch(`${t.oauth.url}/oauth/token?${name}=${client.clientId}`, {
        method: 'POST',
        headers: {
          Authorization: client.basic,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=authorization_code',
      });
      expect(response.status).toBe(400);
      expect((await answerOf(response)).body.error).toBe('invalid_request');
    },
  );

  test('an unknown client_id and a wrong secret get one and the same answer (O27)', async () => {
    const code = await t.code(client);
    const wrong = await t.exchange(
      client,
      code,
      {},
      { Authorization: basicOf(client.clientId, 'x'.repeat(43)) },
    );
    const unknown = await t.exchange(
      client,
      code,
      {},
      { Authorization: basicOf('nobody', client.clientSecret) },
    );
    const missing = await t.exchange(client, code, {}, { Authorization: undefined });
    for (const answer of [wrong, unknown, missing]) {
      expect(answer.status).toBe(401);
      expect(answer.body.error).toBe('invalid_client');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect(wrong.text).toBe(unknown.text);
    expect((await t.exchange(client, code)).status).toBe(200);
  });

  describe('the Basic header', () => {
    const encoded = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
    const formEncoded = (text: string): string =>
      [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    test.each([
      ['in lower case', (c: TestClient) => c.basic.replace('Basic', 'basic')],
      ['in upper case', (c: TestClient) => c.basic.replace('Basic', 'BASIC')],
      ['with two spaces', (c: TestClient) => c.basic.replace(' ', '  ')],
      ['without padding', (c: TestClient) => c.basic.replace(/=+$/, '')],
      [
        'with every character form-encoded',
        (c: TestClient) =>
          `Basic ${encoded(`${formEncoded(c.clientId)}:${formEncoded(c.clientSecret)}`)}`,
      ],
    ])('%s is understood (O28)', async (_name, header) => {
      expect(
        (await t.exchange(client, await t.code(client), {}, { Authorization: header(client) }))
          .status,
      ).toBe(200);
    });

    test.each([
      ['nothing after the scheme', 'Basic'],
      ['a blank', 'Basic  '],
      ['no base64', 'Basic §$%&'],
      ['URL-safe base64', 'Basic -_-_'],
      ['base64 and more', 'Basic YTpi YTpi'],
      ['no colon', `Basic ${encoded('abc')}`],
      ['no id', `Basic ${encoded(':secret')}`],
      ['no secret', `Basic ${encoded('id:')}`],
      ['a colon alone', `Basic ${encoded(':')}`],
      ['NUL', `Basic ${encoded('a\0b:c')}`],
      ['bytes that are no UTF-8', `Basic ${encoded('\xff\xfe:\xff')}`],
      ['a line break', `Basic ${encoded('id:sec\r\nret')}`],
      ['padding in the middle', 'Basic YT==pi'],
      ['eight kilobytes', `Basic ${'QUFB'.repeat(2048)}`],
      ['a Bearer token', 'Bearer abc'],
      ['a signature', 'API 1300386381676644416:xPbmBXQ5sMHKoJ1Q5EPRjwUqxQs='],
      ['Digest', 'Digest username="x"'],
    ])('with %s is 401, never 500 (O28)', async (_name, header) => {
      const answer = await t.exchange(
        client,
        'x',
        {},
        { Authorization: Buffer.from(header, 'utf8').toString('latin1') },
      );
      expect(answer.status).toBe(401);
      expect(answer.body.error).toBe('invalid_client');
    });

    test('sent twice is refused (O28)', async () => {
      const code = await t.code(client);
      const body = formOf({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
      const answer = await sendRaw(
        t.oauth.url,
        rawTokenRequest(body, [`Authorization: ${client.basic}`, `Authorization: ${client.basic}`]),
      );
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toContain('invalid_request');
      expect((await t.exchange(client, code)).status).toBe(200);
    });
  });

  test('an old and a new secret work side by side; a retired one fails at once (O29)', async () => {
    const rotating = await addClient(t.world);
    const retireAt = t.clock.at + 1000;
    const next = await t.world.write((trx) =>
      rotateClientSecret(trx, t.world.act(), rotating.application, retireAt),
    );
    const renewed = { ...rotating, basic: basicOf(rotating.clientId, next) };
    expect((await t.exchange(rotating, await t.code(rotating))).status).toBe(200);
    expect((await t.exchange(renewed, await t.code(rotating))).status).toBe(200);
    const [older, newer] = await listClientSecrets(t.database().db, rotating.application.id);
    expect(older).toMatchObject({ expiresAt: retireAt, lastUsedAt: t.clock.at });
    expect(newer).toMatchObject({ expiresAt: null, lastUsedAt: t.clock.at });
    t.clock.at = retireAt;
    expect((await t.exchange(rotating, await t.code(rotating))).status).toBe(401);
    expect((await t.exchange(renewed, await t.code(rotating))).status).toBe(200);
  });

  test('a secret can be used by its own application alone (O27)', async () => {
    const other = await addClient(t.world);
    const answer = await t.exchange(
      client,
      await t.code(client),
      {},
      { Authorization: basicOf(client.clientId, other.clientSecret) },
    );
    expect(answer.status).toBe(401);
  });

  test('ids and secrets are letters and digits alone', async () => {
    expect(client.clientId).toMatch(/^[A-Za-z0-9]{20,}$/);
    expect(client.clientSecret).toMatch(/^[A-Za-z0-9]{40,}$/);
    const { hash } = await t
      .database()
      .db.selectFrom('applicationSecret')
      .select('hash')
      .where('applicationId', '=', client.application.id)
      .executeTakeFirstOrThrow();
    expect(Buffer.from(hash).length).toBe(32);
    expect(
      await t.world.write((trx) => insertClientSecret(trx, t.world.act(), client.application)),
    ).not.toBe(client.clientSecret);
  });

  test('a disabled application cannot exchange or refresh, and its tokens stop working; enabled again, they go on (O30)', async () => {
    const disabled = await addClient(t.world);
    const server = await addClient(t.world, { resourceServer: true });
    const pair = await t.pair(disabled);
    const code = await t.code(disabled);
    await t.world.write((trx) => disableApplication(trx, t.world.act(), disabled.application.id));
    const answers = [
      await t.exchange(disabled, code),
      await t.refresh(disabled, pair.refresh_token),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({
        error: 'invalid_client',
        error_description: expect.stringContaining('disabled'),
      });
    }
    expect(await t.isActive(server, pair.access_token)).toBe(false);
    await t.world.write((trx) => enableApplication(trx, t.world.act(), disabled.application.id));
    expect(await t.isActive(server, pair.access_token)).toBe(true);
    expect((await t.exchange(disabled, code)).status).toBe(200);
  });

  test('a rejected application is none', async () => {
    const rejected = await addClient(t.world);
    await t.world.write((trx) =>
      decideApplication(trx, t.world.act(), rejected.application.id, 'rejected'),
    );
    expect((await t.exchange(rejected, 'x')).status).toBe(401);
  });
});

describeOauth(
  'failed client authentications',
  (t) => {
    test('are throttled by address, and nobody who knows the secret is locked out (O31)', async () => {
      const client = await addClient(t.world);
      const wrong = { Authorization: basicOf(client.clientId, 'wrong') };
      for (let i = 0; i < 3; i++)
        expect((await t.exchange(client, 'x', {}, wrong)).status).toBe(401);
      const throttled = await t.exchange(client, 'x', {}, wrong);
      expect(throttled.status).toBe(429);
      expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await t.exchange(client, await t.code(client))).status).toBe(200);
      expect((await t.exchange(client, 'x', {}, wrong)).status).toBe(429);
      t.clock.at += 20_000;
      expect((await t.exchange(client, 'x', {}, wrong)).status).toBe(401);
    });
  },
  { authFailureLimit: 3 },
);
