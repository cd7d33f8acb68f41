import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseJsonObject } from '../../packages/server/src/interfaces/edges/http/json.ts';
import { isDigestOf } from '../../packages/server/src/interfaces/edges/user-api/content-digest.ts';
import { rewriteJson } from '@helioport/contract';
import { describeUserApi, exchange, md5, withHeaders } from './fixture.ts';

const LIMIT = 1024 * 1024;

describeUserApi('the body', (t) => {
  // interface S4: the digest is over these bytes; a JSON library would write none of them like this.
  test.each<[string, string | Uint8Array, Record<string, unknown>]>([
    ['odd white space', ' {\n"pageNo" :\t7 }\r\n', { pageNo: 7 }],
    ['escapes', '{"page\\u004eo":7,"text":"\\u00e9\\/"}', { pageNo: 7, text: 'é/' }],
    ['raw characters beyond ASCII', '{"text":"é日本😀"}', { text: 'é日本😀' }],
    ['a byte order mark', '\ufeff{"pageNo":7}', { pageNo: 7 }],
    ['a line break at the end', '{"pageNo":7}\n', { pageNo: 7 }],
    ['a key twice', '{"pageNo":1,"pageNo":7}', { pageNo: 7 }],
    ['numbers as text', '{"pageNo":"7","pageSize":"100"}', { pageNo: 7, pageSize: 100 }],
    ['unknown keys', '{"userid":"1","pageNo":7}', { pageNo: 7 }],
    ['null and blank values', '{"pageNo":null,"pageSize":" "}', { pageNo: 1, pageSize: 20 }],
    ['an empty object', '{}', { pageNo: 1, pageSize: 20 }],
    ['nothing', '', { pageNo: 1, pageSize: 20 }],
    [
      'a key that objects have',
      '{"__proto__":{"pageNo":7},"constructor":1,"pageSize":5}',
      { pageNo: 1, pageSize: 5 },
    ],
  ])('S4: with %s is hashed as sent', async (_name, body, input) => {
    const answer = await t.call({ body });
    expect(answer.status).toBe(200);
    expect(answer.body.data.input).toMatchObject(input);
  });

  test('an id sent as a number keeps its digits (W6)', async () => {
    const answer = await t.call({ body: '{"id":1300386381676644416,"pageNo":7.0}' });
    expect(answer.body.data.input).toMatchObject({ id: '1300386381676644416', pageNo: 7 });
    expect((await t.call({ body: '{"id":1300386381676644417}' })).body.data.input.id).toBe(
      '1300386381676644417',
    );
  });

  test.each([
    ['an array', '[]'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['null', 'null'],
    ['a cut object', '{"pageNo":1'],
    ['two objects', '{}{}'],
    ['single quotes', "{'pageNo':1}"],
    ['a comment', '{/* */}'],
    ['a trailing comma', '{"pageNo":1,}'],
    ['not a number', '{"pageNo":NaN}'],
    ['a raw line break in a string', '{"text":"a\nb"}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['half a character', Buffer.from('{"text":"é"}').subarray(0, 10)],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
    ['white space alone', ' '],
    ['nesting without end', '['.repeat(500_000)],
    [
      'a deeply nested array with long numbers',
      `{"a":${'['.repeat(200_000)}12345678901234567890${']'.repeat(200_000)}}`,
    ],
  ])('that is %s is broken JSON: 400', async (_name, body) => {
    const answer = await t.call({ body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ success: false, code: '400', data: null });
  });

  test('of deep nesting under an unknown key is no harm', async () => {
    expect(
      (await t.call({ body: `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)},"pageNo":7}` })).body
        .data.input.pageNo,
    ).toBe(7);
  });

  test.each([
    ['{"pageNo":0}', 'pageNo'],
    ['{"pageNo":-1}', 'pageNo'],
    ['{"pageNo":1.5}', 'pageNo'],
    ['{"pageNo":"one"}', 'pageNo'],
    ['{"pageNo":1e400}', 'pageNo'],
    ['{"pageNo":{}}', 'pageNo'],
    ['{"pageNo":[1]}', 'pageNo'],
    ['{"pageNo":true}', 'pageNo'],
    ['{"pageSize":101}', 'pageSize'],
    ['{"text":"\\u0000"}', 'text'],
    ['{"text":"\\ud800"}', 'text'],
    ['{"id":"12345678901234567890"}', 'id'],
    ['{"id":"1 or 1=1"}', 'id'],
  ])('%s is refused with the field and what it takes', async (body, field) => {
    const answer = await t.call({ body });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: false,
      code: 'H0001',
      data: { field, expected: expect.any(String) },
    });
  });

  test('without a necessary parameter is refused with its name', async () => {
    const answer = await t.call({ path: '/v1/api/rename', body: '{}' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: false, code: 'I0000', data: { field: 'name' } });
  });

  test('that is empty may have an empty Content-MD5, or the digest of nothing, but not that of {}', async () => {
    expect((await t.call({ body: '', contentMd5: '' })).status).toBe(200);
    expect((await t.call({ body: '', contentMd5: '1B2M2Y8AsgTpgAmY7PhCfg==' })).status).toBe(200);
    expect((await t.call({ body: '', contentMd5: 'mZFLkyvTelC5g8XnyQrpOw==' })).body.code).toBe(
      'Z0002',
    );
    expect((await t.call({ body: '{}', contentMd5: '' })).body.code).toBe('Z0002');
  });

  test('that does not fit its Content-MD5 is refused with the digest it has, though the signature be right', async () => {
    for (const contentMd5 of [
      md5('{ }'),
      'mZFLkyvTelC5g8XnyQrpOx==',
      Buffer.from(md5('{}'), 'base64').toString('hex'),
      '99914b932bd37a50b983c5e7c90ae93b',
      'x',
    ]) {
      const answer = await t.call({
        contentMd5: contentMd5 === md5('{ }') ? md5('{"pageNo":2}') : contentMd5,
      });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({
        success: false,
        code: 'Z0002',
        data: { expected: 'mZFLkyvTelC5g8XnyQrpOw==' },
      });
    }
  });

  test('S17: may have 1 MiB and not a byte more, with a length or in chunks (W16)', async () => {
    const fill = (bytes: number) => `{"text":"a"${' '.repeat(bytes - 12)}}`;
    for (const [bytes, status] of [
      [LIMIT, 200],
      [LIMIT + 1, 413],
    ] as const) {
      expect((await t.call({ body: fill(bytes) })).status).toBe(status);
      const chunked = t.sign({ body: fill(bytes) });
      const answer = await t.api.send({
        ...chunked,
        headers: [...chunked.headers, ['Transfer-Encoding', 'chunked']],
      });
      expect(answer.status).toBe(status);
      if (status === 413) expect(answer.body).toMatchObject({ success: false, code: '413' });
    }
  });

  test('S17: in chunks of any size is hashed as the bytes that were sent', async () => {
    const request = t.sign({ body: '{"pageNo":7}' });
    const head = [
      'POST /v1/api/echo HTTP/1.1',
      'Host: a',
      'Connection: close',
      'Transfer-Encoding: chunked',
      ...request.headers.map((pair) => pair.join(': ')),
    ].join('\r\n');
    const answer = await exchange(
      t.api.port,
      `${head}\r\n\r\n5\r\n{"pag\r\n7\r\neNo":7}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"pageNo":7');
  });

  test('S17: compressed is refused, whatever its digest is over', async () => {
    const body = gzipSync('{}');
    for (const encoding of ['gzip', 'identity', 'br', 'x'])
      for (const contentMd5 of [md5(body), md5('{}')]) {
        const answer = await t.api.send(
          withHeaders(t.sign({ body, contentMd5 }), { 'Content-Encoding': encoding }),
        );
        expect(answer.status).toBe(415);
      }
  });

  // interface S14
  test.each([
    [
      'hashed compact, sent with spaces',
      '{"pageNo": 1, "pageSize": [1, 2.50]}',
      '{"pageNo":1,"pageSize":[1,2.50]}',
    ],
    [
      'hashed with spaces, sent compact',
      '{"pageNo":1,"text":"a, b: c"}',
      '{"pageNo": 1, "text": "a, b: c"}',
    ],
    ['hashed escaped, sent raw', '{"text":"é😀"}', '{"text": "\\u00e9\\ud83d\\ude00"}'],
    ['hashed raw, sent escaped', '{"text":"\\u00e9\\ud83d\\ude00"}', '{"text":"é😀"}'],
    ['hashed compact, sent over lines', '{\n  "a": {},\n  "b": []\n}\n', '{"a":{},"b":[]}'],
  ])('S14: %s is taken', async (_name, body, hashed) => {
    expect(
      (
        await t.call({
          body: body.replace('[1, 2.50]', '1'),
          contentMd5: md5(hashed.replace('[1,2.50]', '1')),
        })
      ).status,
    ).toBe(200);
    expect(isDigestOf(md5(hashed), Buffer.from(body), 'compatible')).toBe(true);
    expect(isDigestOf(md5(hashed), Buffer.from(body), 'strict')).toBe(false);
  });

  test.each([
    ['the keys are in another order', '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['a number is spelled otherwise', '{"a":1.0}', '{"a":1}'],
    ['an exponent is spelled otherwise', '{"a":1e3}', '{"a":1E3}'],
    ['there are more spaces', '{"a":1,"b":2}', '{ "a":1, "b":2 }'],
    ['one separator has a space', '{"a":1,"b":2}', '{"a":1, "b":2}'],
    ['the other separator has a space', '{"a":1,"b":2}', '{"a": 1,"b": 2}'],
    ['it is indented', '{"a":1}', '{\n  "a": 1\n}'],
    ['an ASCII letter is escaped', '{"a":"x"}', '{"a":"\\u0078"}'],
    ['a slash is escaped', '{"a":"/"}', '{"a":"\\/"}'],
    ['the value is another', '{"a":1}', '{"a":2}'],
    ['a space inside a string is gone', '{"a":"b, c"}', '{"a":"b,c"}'],
    ['it has a line break at the end', '{"a":1}', '{"a":1}\n'],
    ['a key came twice', '{"a":1,"a":1}', '{"a":1}'],
  ])('S14: nothing else is tolerated: refused when %s', async (_name, body, hashed) => {
    expect((await t.call({ body, contentMd5: md5(hashed) })).body.code).toBe('Z0002');
  });
});

describeUserApi(
  'the body in the strict profile',
  (t) => {
    test('S14: has the digest of its bytes and no other', async () => {
      expect((await t.call({ body: '{"pageNo": 7}' })).status).toBe(200);
      expect(
        (await t.call({ body: '{"pageNo": 7}', contentMd5: md5('{"pageNo":7}') })).body.code,
      ).toBe('Z0002');
      expect((await t.call({ body: '' })).status).toBe(200);
      expect((await t.call({ body: '', contentMd5: '' })).body.code).toBe('Z0002');
    });
  },
  { signatureProfile: 'strict' },
);

describe('rewriting JSON', () => {
  const spaced = { comma: ', ', colon: ': ' };
  const compact = { comma: ',', colon: ':' };
  const python = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
    if (typeof value === 'object' && value !== null)
      return `{${Object.entries(value)
        .map(([key, member]) => `${python(key)}: ${python(member)}`)
        .join(', ')}}`;
    return escaped(JSON.stringify(value));
  };
  const escaped = (text: string): string =>
    text.replace(
      /[^\x00-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

  test('gives what JSON.stringify and Python’s json.dumps write, from any of their texts', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.constantFrom(0, 1, '\t'),
        (value, indent) => {
          const texts = [
            JSON.stringify(value, null, indent),
            python(value),
            escaped(JSON.stringify(value)),
          ];
          for (const text of texts) {
            expect(rewriteJson(text, compact, 'raw')).toBe(JSON.stringify(value));
            expect(rewriteJson(text, spaced, 'escaped')).toBe(python(value));
            expect(JSON.parse(rewriteJson(text, spaced, 'raw')!)).toEqual(JSON.parse(text));
          }
        },
      ),
    );
  });

  test('takes text that is no JSON for none, in time that grows with its length alone', () => {
    for (const text of [
      '"',
      '{"a',
      '"\\',
      '"'.repeat(99_999),
      `"${'\\"'.repeat(200_000)}`,
      ' '.repeat(500_000) + '"',
    ])
      expect(rewriteJson(text, compact, 'raw')).toBeUndefined();
    expect(rewriteJson('x'.repeat(LIMIT), compact, 'raw')).toHaveLength(LIMIT);
    expect(rewriteJson(`"${'a'.repeat(LIMIT)}"`, compact, 'raw')).toHaveLength(LIMIT + 2);
    expect(rewriteJson('{'.repeat(LIMIT), compact, 'raw')).toHaveLength(LIMIT);
  });
});

describe('reading a body', () => {
  test('keeps every number that JSON.parse keeps, and the digits of every other whole one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), (n) => {
        const expected = Number.isSafeInteger(Number(n)) ? Number(n) : String(n);
        expect(parseJsonObject(Buffer.from(`{"n":${n},"x":[${n}]}`))).toEqual({
          n: expected,
          x: [expected],
        });
      }),
    );
    expect(parseJsonObject(Buffer.from('{"n":1234567890123456.5,"m":1e30}'))).toEqual({
      n: 1234567890123456.5,
      m: 1e30,
    });
  });
});
