import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  addClient,
  answerOf,
  REDIRECT_URI,
  describeOauth,
  formOf,
  rawTokenRequest,
  sendRaw,
  type TestClient,
} from '../fixture.ts';

describeOauth('the token endpoint', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world);
  });
  const fields = (code: string) => ({
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
  });

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'does not know %s: 405 with Allow (O32, O75)',
    async (method) => {
      const response = await fetch(`${t.oauth.url}/oauth/token`, {
        method,
        headers: { Authorization: client.basic, Origin: 'https://evil.example' },
      });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test.each([
    'application/json',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencodedx',
    undefined,
  ])('says how to send the body when the media type is %s (O32)', async (type) => {
    const code = await t.code(client);
    const body = Buffer.from(
      type === 'application/json' ? JSON.stringify(fields(code)) : formOf(fields(code)),
    );
    const headers = { Authorization: client.basic, ...(type && { 'Content-Type': type }) };
    const answer = await answerOf(
      await fetch(`${t.oauth.url}/oauth/token`, { method: 'POST', headers, body }),
    );
    expect(answer.status).toBe(415);
    expect(answer.body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('application/x-www-form-urlencoded'),
    });
    expect((await t.exchange(client, code)).status).toBe(200);
  });

  test.each([';charset=UTF-8', '; charset=utf-8', ' ;charset="utf-8"'])(
    'takes a charset: %s (O32)',
    async (suffix) => {
      const answer = await t.exchange(
        client,
        await t.code(client),
        {},
        { 'Content-Type': `application/x-www-form-urlencoded${suffix}` },
      );
      expect(answer.status).toBe(200);
    },
  );

  test('refuses a body in another charset, and the code stays usable (O32)', async () => {
    const code = await t.code(client);
    const answer = await t.exchange(
      client,
      code,
      {},
      { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-16' },
    );
    expect(answer.status).toBe(415);
    expect((await t.exchange(client, code)).status).toBe(200);
  });

  test.each(['grant_type', 'code', 'redirect_uri', 'code_verifier', 'scope'])(
    'refuses %s sent twice (O33)',
    async (name) => {
      const code = await t.code(client);
      const all = formOf({ ...fields(code), ...(name in fields(code) ? {} : { [name]: 'x' }) });
      const answer = await t.token(client, `${all}&${name}=${name === 'code' ? code : 'x'}`);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe('invalid_request');
      expect((await t.exchange(client, code)).status).toBe(200);
    },
  );

  test.each([
    'code[]=x',
    'code[a]=x',
    'code[0][b]=x',
    '__proto__=x',
    'constructor[prototype]=x',
    'grant_type[]=authorization_code',
  ])('knows no arrays or objects: %s (O33)', async (text) => {
    const answer = await t.token(
      client,
      `grant_type=authorization_code&redirect_uri=${encodeURIComponent(REDIRECT_URI)}&${text}`,
    );
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_request');
  });

  test('refuses a body of 10 MB: 413 (O33)', async () => {
    const answer = await t
      .token(client, `grant_type=authorization_code&code=${'x'.repeat(10_000_000)}`)
      .catch(() => undefined);
    expect(answer?.status ?? 413).toBe(413);
    const wire = rawTokenRequest('', [`Authorization: ${client.basic}`]).replace(
      'Content-Length: 0',
      'Content-Length: 10000000',
    );
    expect(await sendRaw(t.oauth.url, wire)).toMatch(/^HTTP\/1.1 413 /);
  });

  test.each([
    ['bytes that are no UTF-8', 'code=%ff%fe'],
    ['half a character', 'code=%c3'],
    ['a surrogate', 'code=%ed%a0%80'],
  ])('refuses %s (O49)', async (_name, text) => {
    const answer = await t.token(client, `grant_type=authorization_code&redirect_uri=x&${text}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_request');
  });

  test('without grant_type is invalid_request (O34)', async () => {
    for (const grant_type of [undefined, ''])
      expect((await t.exchange(client, 'x', { grant_type })).body.error).toBe('invalid_request');
  });

  test.each([
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'Authorization_Code',
    'authorization_code ',
    '__proto__',
    'toString',
  ])('does not know the grant type %s (O34)', async (grant_type) => {
    const answer = await t.exchange(client, 'x', { grant_type, username: 'a', password: 'b' });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('unsupported_grant_type');
  });

  test.each(['code', 'redirect_uri'])('without %s is invalid_request (O35)', async (name) => {
    const code = await t.code(client);
    for (const value of [undefined, '']) {
      const answer = await t.exchange(client, code, { [name]: value });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        error: 'invalid_request',
        error_description: expect.stringContaining(name),
      });
    }
    expect((await t.exchange(client, code)).status).toBe(200);
  });

  test('without refresh_token is invalid_request (O35)', async () => {
    expect((await t.token(client, { grant_type: 'refresh_token' })).body.error).toBe(
      'invalid_request',
    );
  });

  test('ignores parameters that nobody asks for', async () => {
    expect(
      (await t.exchange(client, await t.code(client), { audience: 'x', resource: 'y' })).status,
    ).toBe(200);
  });

  test('describes refusals in the characters that RFC 6749 allows (O49)', async () => {
    const answers = await Promise.all([
      t.exchange(client, 'x'),
      t.token(client, ''),
      t.exchange(client, 'x', { client_id: '"\\' }),
      t.refresh(client, 'x'),
    ]);
    for (const { body } of answers) {
      expect(Object.keys(body)).toEqual(['error', 'error_description']);
      expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    }
  });

  test('never answers 5xx, whatever is sent (O49)', async () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.constantFrom('%00', '%', '%zz', '&', '=', '\r\n', '\u0000', '[]', '{}', 'é', '𝒳'),
    );
    const name = fc.oneof(
      fc.constantFrom(
        'grant_type',
        'code',
        'redirect_uri',
        'refresh_token',
        'scope',
        'code_verifier',
        'token',
      ),
      fc.string({ maxLength: 10 }),
    );
    const form = fc.array(fc.tuple(name, hostile), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        form,
        fc.constantFrom('authorization_code', 'refresh_token', ''),
        fc.boolean(),
        async (pairs, grantType, escaped) => {
          const write = (text: string): string =>
            escaped ? encodeURIComponent(text.toWellFormed()) : text;
          const body = [
            `grant_type=${grantType}`,
            ...pairs.map(([key, value]) => `${write(key)}=${write(value)}`),
          ].join('&');
          for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
            const answer = await fetch(t.oauth.url + path, {
              method: 'POST',
              body: Buffer.from(body, 'latin1'),
              headers: {
                Authorization: client.basic,
                'Content-Type': 'application/x-www-form-urlencoded',
              },
            });
            expect(answer.status).toBeLessThan(500);
            await answer.arrayBuffer();
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
