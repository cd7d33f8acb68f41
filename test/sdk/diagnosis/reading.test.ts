import { readOwnText, readPasted, Unreadable, type PastedRequest } from '@helioport/sdk/diagnosis';
import { describe, expect, test } from 'vitest';

const BODY = '{"name":"Süd \'1\'","n":1}';
const HEADERS = [
  'Content-MD5',
  'x==',
  'Content-Type',
  'application/json;charset=UTF-8',
  'Date',
  'Fri, 6 Nov 2026 05:01:09 GMT',
  'Authorization',
  'API 7:abc=',
];
const pairs = Array.from(
  { length: HEADERS.length / 2 },
  (_, i) => [HEADERS[2 * i]!, HEADERS[2 * i + 1]!] as const,
);

const textOf = ({ body }: PastedRequest): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
const single = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const double = (text: string, escape: string): string => `"${text.replaceAll('"', `${escape}"`)}"`;

const commands: Record<string, string> = {
  'a POSIX shell': `curl -sS 'https://solar.example/v1/api/userStationList' ${pairs.map(([n, v]) => `-H ${single(`${n}: ${v}`)}`).join(' \\\n  ')} \\\n  --data-binary ${single(BODY)}`,
  'a POSIX shell, double quotes': `curl -XPOST ${pairs.map(([n, v]) => `--header=${double(`${n}: ${v}`, '\\')}`).join(' ')} -d ${double(BODY, '\\')} --url https://solar.example/v1/api/userStationList`,
  'a browser, with escapes': `curl 'https://solar.example/v1/api/userStationList' ${pairs.map(([n, v]) => `-H '${n}: ${v}'`).join(' ')} --data-raw $'{"name":"S\\u00fcd \\'1\\'","n":1}' --compressed`,
  cmd: `curl ^"https://solar.example/v1/api/userStationList^" ^\r\n ${pairs.map(([n, v]) => `-H ^"${n}: ${v}^"`).join(' ^\r\n ')} ^\r\n --data-raw ^"${BODY.replaceAll('"', '^\\^"')}^"`,
  PowerShell: `curl.exe -X POST "https://solar.example/v1/api/userStationList" ${pairs.map(([n, v]) => `-H "${n}: ${v}"`).join(' `\n ')} -d ${double(BODY, '`')}`,
};

describe('what people paste', () => {
  test.each(Object.entries(commands))('is read from a command for %s', (_, command) => {
    const request = readPasted(command);
    expect({ ...request, body: textOf(request) }).toEqual({
      method: 'POST',
      target: '/v1/api/userStationList',
      rawHeaders: HEADERS,
      body: BODY,
    });
  });

  test('is read from HTTP, with a query and whatever it says', () => {
    const request = readPasted(`POST /v1/api/x?a=1 HTTP/1.1\nDate: a: b \nDate: c\n\n${BODY}`);
    expect([request.target, request.rawHeaders, textOf(request)]).toEqual([
      '/v1/api/x?a=1',
      ['Date', 'a: b', 'Date', 'c'],
      BODY,
    ]);
  });

  test('is read from headers alone, which say neither method nor address', () => {
    expect(readPasted('Date: now\nAuthorization: API 7:abc=')).toEqual({
      rawHeaders: ['Date', 'now', 'Authorization', 'API 7:abc='],
    });
  });

  test('is read from a HAR file, from its signed request, with the time and the answer', () => {
    const headers = pairs.map(([name, value]) => ({ name, value }));
    const request = {
      method: 'POST',
      url: 'https://solar.example/v1/api/userStationList',
      headers: [{ name: ':path', value: '/x' }, ...headers],
      postData: { text: BODY },
    };
    const entry = {
      startedDateTime: '2026-11-06T05:01:10.000Z',
      request,
      response: { content: { text: '{"code":"403"}' } },
    };
    const har = {
      log: {
        entries: [
          { request: { method: 'GET', url: 'https://solar.example/', headers: [] } },
          entry,
        ],
      },
    };
    for (const [text, isWhole] of [
      [har, true],
      [entry, true],
      [request, false],
    ] as const) {
      const read = readPasted(JSON.stringify(text, null, 2));
      expect({ ...read, body: textOf(read) }).toEqual({
        method: 'POST',
        target: '/v1/api/userStationList',
        rawHeaders: HEADERS,
        body: BODY,
        ...(isWhole && { sentAt: Date.parse('2026-11-06T05:01:10Z'), answer: '{"code":"403"}' }),
      });
    }
  });

  test('keeps invisible characters', () => {
    const request = readPasted(
      "curl https://solar.example/v1/api/x -H 'Date: a\u00a0b' --data-binary '\ufeff{}'",
    );
    expect([request.rawHeaders[1], textOf(request)]).toEqual(['a\u00a0b', '\ufeff{}']);
  });

  test.each([
    ['hello', 'notARequest'],
    ['', 'notARequest'],
    ["curl 'https://x", 'quoteOpen'],
    ['curl https://x/v1/api/y -d @body.json', 'bodyInFile'],
    ['curl -X POST', 'noAddress'],
    ["curl https://x/v1/api/y -H 'no header'", 'notAHeader'],
    ['{"log":{}}', 'notHar'],
    ['{"log":', 'notHar'],
    ['POST /x HTTP/1.1\nTransfer-Encoding: chunked\n\nx', 'chunked'],
    ['POST /x HTTP/1.1\nContent-Length: 9\n\nx', 'incomplete'],
  ])('is refused if it is no request: %s', (text, reason) => {
    expect(() => readPasted(text)).toThrow(
      expect.objectContaining({ constructor: Unreadable, reason }),
    );
  });
});

test('a string to sign may be pasted as programs print it', () => {
  for (const [pasted, text] of [
    ['', undefined],
    ['POST\nx', 'POST\nx'],
    [String.raw`"POST\r\nx\u00a0\"y"`, 'POST\r\nx\u00a0"y'],
    [String.raw`b'POST\nx\xa0'`, 'POST\nx\u00a0'],
  ])
    expect(readOwnText(pasted!)).toBe(text);
});
