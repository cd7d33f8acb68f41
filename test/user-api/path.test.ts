import { expect, test } from 'vitest';
import { describeUserApi, exchange } from './fixture.ts';

describeUserApi('the path', (t) => {
  // interface S16. Each is signed both as the endpoint's path and as it is sent: neither may help.
  test.each([
    ['a slash at the end', '/v1/api/echo/'],
    ['another case', '/v1/api/Echo'],
    ['another case of the prefix', '/V1/api/echo'],
    ['an escaped letter', '/v1/api/%65cho'],
    ['an escaped slash', '/v1%2Fapi/echo'],
    ['an escaped slash in an alias', '/v1/api/echo%2Fagain'],
    ['a dot segment', '/v1/./api/echo'],
    ['two dot segments', '/v1/api/x/../echo'],
    ['two slashes inside', '/v1//api/echo'],
    ['a backslash', '/v1/api\\echo'],
    ['a semicolon', '/v1/api/echo;x=1'],
    ['a fragment', '/v1/api/echo#x'],
    ['a broken escape', '/v1/api/echo%'],
    ['an escape of no character', '/v1/api/%ff'],
    ['a blank escaped at the end', '/v1/api/echo%20'],
    ['a NUL', '/v1/api/echo%00'],
    ['no prefix', '/echo'],
    ['another version', '/v3/api/echo'],
    ['no operation', '/v1/api/'],
    ['a name of every object', '/v1/api/__proto__'],
    ['the OAuth prefix', '/api/access_data/echo'],
    ['the root', '/'],
    ['a star', '*'],
    ['no slash at all', 'v1/api/echo'],
  ])('S16: with %s is another one', async (_name, target) => {
    for (const path of ['/v1/api/echo', target]) {
      const answer = await t.call({ path, target });
      expect([400, 404]).toContain(answer.status);
      expect(answer.body).toMatchObject({ success: false, code: String(answer.status) });
    }
  });

  test('S16: slashes in front of it are one slash, and the signed path is the endpoint’s', async () => {
    for (const target of ['//v1/api/echo', '///v1/api/echo']) {
      expect((await t.call({ target })).status).toBe(200);
      expect((await t.call({ target, path: target })).status).toBe(403);
    }
  });

  test('S16: a query is refused, since no signature covers it', async () => {
    for (const target of [
      '/v1/api/echo?',
      '/v1/api/echo?pageNo=2',
      '//v1/api/echo?x',
      '/v1/api/echo?a#b',
    ]) {
      for (const path of ['/v1/api/echo', target]) {
        const answer = await t.call({ target, path });
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ success: false, code: '400' });
      }
    }
    expect((await t.call({ target: '/v1/api/nothing?x' })).status).toBe(404);
  });

  test('in absolute form is the same path', async () => {
    expect((await t.call({ target: 'http://localhost/v1/api/echo' })).status).toBe(200);
    expect((await t.call({ target: 'http://localhost//v1/api/echo' })).status).toBe(200);
    expect((await t.call({ target: 'http://localhost' })).status).toBe(404);
    expect((await t.call({ target: 'ftp://localhost/v1/api/echo' })).status).toBe(404);
  });

  test('S16: a proxy that strips a prefix and names another host leaves the signature valid; the prefix is not signed', async () => {
    // What arrives behind the proxy for https://solar.example/helioport/v1/api/echo.
    const request = t.sign({ path: '/v1/api/echo' });
    const behind = {
      ...request,
      headers: [
        ...request.headers,
        ['X-Forwarded-Prefix', '/helioport'],
        ['X-Forwarded-Host', 'solar.example'],
      ] as const,
    };
    expect((await t.api.send(behind)).status).toBe(200);
    expect((await t.call({ path: '/helioport/v1/api/echo', target: '/v1/api/echo' })).status).toBe(
      403,
    );
  });

  test('S23: no browser is invited: no CORS, and a preflight is refused', async () => {
    const request = t.sign();
    const preflight = await t.api.send({
      method: 'OPTIONS',
      target: '/v1/api/echo',
      headers: [
        ['Origin', 'https://evil.example'],
        ['Access-Control-Request-Method', 'POST'],
      ],
    });
    expect(preflight.status).toBe(405);
    const answer = await t.api.send({
      ...request,
      headers: [...request.headers, ['Origin', 'https://evil.example']],
    });
    for (const { headers } of [preflight, answer])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('S1: a signature for POST serves no other method', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']) {
      const answer = await t.call({ method });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('POST');
      expect(answer.body).toMatchObject({ success: false, code: '405' });
    }
    expect((await t.call({ method: 'HEAD' })).status).toBe(405);
    expect((await t.call({ method: 'GET', target: '/v1/api/nothing' })).status).toBe(404);
  });

  test('what is not HTTP is refused in the envelope, and the connection closed', async () => {
    for (const wire of [
      'hello\r\n\r\n',
      'POST /v1/api/echo HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]) {
      const answer = await exchange(t.api.port, wire);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/m);
      expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
        success: false,
        code: '400',
        data: null,
      });
    }
  });
});

describeUserApi('the header Host', (t) => {
  test('is missing in no request of HTTP/1.1', async () => {
    const { headers } = t.sign();
    const wire = (version: string) =>
      [
        `POST /v1/api/echo HTTP/${version}`,
        ...headers.map((pair) => pair.join(': ')),
        'Content-Length: 2',
        'Connection: close',
        '',
        '{}',
      ].join('\r\n');
    const refused = await exchange(t.api.port, wire('1.1'));
    expect(refused).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(refused.split('\r\n\r\n')[1]!)).toMatchObject({
      success: false,
      code: '400',
      msg: 'the header Host is missing',
    });
    expect(await exchange(t.api.port, wire('1.0'))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describeUserApi(
  'the path in the strict profile',
  (t) => {
    test('is exact from its first character on', async () => {
      expect((await t.call()).status).toBe(200);
      expect((await t.call({ target: '//v1/api/echo' })).status).toBe(404);
    });
  },
  { signatureProfile: 'strict' },
);
