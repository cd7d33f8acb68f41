import { expect, test } from 'vitest';
import { describeUserApi, exchange, withHeaders, type WireRequest } from './fixture.ts';

/** The request as it goes over the wire, with further header lines. */
const wireOf = ({ target, headers, body = '' }: WireRequest, ...more: string[]): string =>
  [
    `POST ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...headers.map((pair) => pair.join(': ')),
    ...more,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

describeUserApi('the four headers', (t) => {
  test('S2: a header that comes twice is refused, the same text or another, whatever Node makes of it', async () => {
    const request = t.sign();
    expect(statusOf(await exchange(t.api.port, wireOf(request)))).toBe(200);
    for (const [name, value] of request.headers) {
      for (const second of [value, 'other']) {
        const spelled = name.toUpperCase();
        expect([
          name,
          statusOf(await exchange(t.api.port, wireOf(request, `${spelled}: ${second}`))),
        ]).toEqual([name, 400]);
        const reversed = { ...request, headers: [[spelled, second] as const, ...request.headers] };
        expect([400, 401, 415]).toContain(statusOf(await exchange(t.api.port, wireOf(reversed))));
      }
    }
  });

  test('S18: both kinds of Authorization in one request are refused', async () => {
    const answer = await exchange(t.api.port, wireOf(t.sign(), 'Authorization: Bearer abc'));
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain('the header Authorization was sent more than once');
  });

  test('a missing one is named', async () => {
    const request = t.sign();
    expect(
      (await t.api.send(withHeaders(request, { 'Content-MD5': undefined }))).body,
    ).toMatchObject({ code: '400', data: { field: 'Content-MD5' } });
    expect((await t.api.send(withHeaders(request, { Date: undefined }))).body).toMatchObject({
      code: '400',
      data: { field: 'Date' },
    });
    expect(
      (await t.api.send(withHeaders(request, { 'Content-Type': undefined }))).body,
    ).toMatchObject({ code: '415' });
    const anonymous = await t.api.send(withHeaders(request, { Authorization: undefined }));
    expect(anonymous.body).toMatchObject({
      code: '401',
      msg: 'the header Authorization is missing',
    });
    expect(anonymous.headers['www-authenticate']).toBe('API');
  });

  test('further headers that existing clients send mean nothing', async () => {
    expect(
      (
        await t.api.send(
          withHeaders(t.sign(), {
            token: '',
            Time: 'now',
            Cookie: 'a=b',
            'X-Forwarded-For': '203.0.113.7',
          }),
        )
      ).status,
    ).toBe(200);
  });

  test('names are read in any case', async () => {
    const request = t.sign();
    expect(
      (
        await t.api.send({
          ...request,
          headers: request.headers.map(([name, value]) => [name.toLowerCase(), value]),
        })
      ).status,
    ).toBe(200);
  });

  test('refusals come in the order of the checks (S9)', async () => {
    const broken: [number, Partial<WireRequest>, Record<string, string | undefined>][] = [
      [404, { target: '/v1/api/nothing' }, {}],
      [405, { method: 'PUT' }, {}],
      [415, {}, { 'Content-Type': 'text/plain' }],
      [413, { body: Buffer.alloc(1024 * 1024 + 1, 32) }, {}],
      [401, {}, { Authorization: 'Bearer x' }],
      [400, {}, { 'Content-MD5': undefined }],
      [400, {}, { Date: 'yesterday' }],
      [408, {}, { Date: 'Thu, 5 Nov 2026 05:01:09 GMT' }],
      [403, {}, { Authorization: 'API 1:nBYQWeuzy3Y+gp67BN8zXTmvSDk=' }],
    ];
    // Each request has the fault of its row and of all rows below that can be had together.
    for (let row = 0; row < broken.length; row++) {
      let request = t.sign();
      for (const [, change, headers] of broken.slice(row).toReversed())
        request = withHeaders({ ...request, ...change }, headers);
      expect((await t.api.send(request)).status).toBe(broken[row]![0]);
    }
  });
});

// interface S13.
const sentTypes = [
  'application/json',
  'application/json;charset=UTF-8',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'Application/JSON ; charset="UTF-8"',
  // Parameters may be empty (RFC 9110 5.6.6), and some write utf8.
  'application/json;',
  'application/json; ;charset=utf-8;',
  'application/json;charset=utf8',
  'application/json; charset="UTF8"',
];
const otherTypes = [
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'application/json;charset=ISO-8859-1',
  'application/json;charset=UTF-16',
  'application/json;charset=utf-88',
  'application/json;charset=utf--8',
  'application/json;charset=',
  'application/json;charset=UTF-8;v=1',
  'application/json;v=1',
  'application/json,application/json',
  'application/jsonp',
  'application/problem+json',
  '*/*',
  '',
];

describeUserApi('S13: Content-Type', (t) => {
  test.each(sentTypes)(
    '%s may be signed as it is sent, as the specification fixes it, or as application/json',
    async (contentType) => {
      for (const signedContentType of [
        contentType,
        'application/json;charset=UTF-8',
        'application/json',
      ]) {
        expect((await t.call({ contentType, signedContentType })).status).toBe(200);
      }
    },
  );

  test('may be signed in no other way', async () => {
    for (const signedContentType of [
      'application/json; charset=UTF-8',
      'application/json;charset=utf-8',
      'APPLICATION/JSON',
      'text/plain',
      '',
    ])
      expect((await t.call({ contentType: 'application/json', signedContentType })).status).toBe(
        403,
      );
  });

  test.each(otherTypes)('%j is refused before anything is checked', async (contentType) => {
    const answer = await t.call({ contentType });
    expect(answer.status).toBe(415);
    expect(answer.body).toMatchObject({ success: false, code: '415' });
  });
});

describeUserApi(
  'S13: Content-Type in the strict profile',
  (t) => {
    test('is the fixed value, sent and signed (S26)', async () => {
      expect((await t.call()).status).toBe(200);
      expect((await t.call({ signedContentType: 'application/json' })).status).toBe(403);
      for (const contentType of [
        'application/json',
        'application/json; charset=utf-8',
        'application/json;charset=utf-8',
        ...otherTypes,
      ])
        expect(
          (await t.call({ contentType, signedContentType: 'application/json;charset=UTF-8' }))
            .status,
        ).toBe(415);
    });
  },
  { signatureProfile: 'strict' },
);
