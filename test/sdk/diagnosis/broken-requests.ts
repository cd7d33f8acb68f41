import { createHash, createHmac } from 'node:crypto';
import type { Case, Cause } from '@helioport/sdk/diagnosis';

// A signer of its own, so that nothing here is judged by the code that it tests. It makes requests as careless programs do.

export const KEY_ID = '1300386381676644416';
export const KEY_SECRET = '5f2c0a9de1b74c3890ab64d7fe21c835';
export const NOW = Date.parse('2026-11-06T05:01:09Z');
const DATE = 'Fri, 6 Nov 2026 05:01:09 GMT';
const PATH = '/v1/api/userStationList';
const TYPE = 'application/json;charset=UTF-8';
const BODY = '{"pageNo":1,"pageSize":20,"name":"Süd/1"}';

/** What a program gets wrong; everything else is as it should be. */
interface Slip {
  /** What is sent. */
  readonly method?: string;
  readonly target?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What is signed. */
  readonly hashed?: string | Buffer;
  readonly digest?: (bytes: Buffer | string) => string;
  readonly date?: string;
  readonly type?: string;
  readonly signed?: Partial<Record<'method' | 'md5' | 'type' | 'date' | 'path', string>>;
  readonly text?: (lines: readonly string[]) => string;
  readonly key?: string | Buffer;
  readonly mac?: (key: string | Buffer, text: string) => Buffer;
  readonly sign?: (digest: Buffer) => string;
  readonly authorization?: (sign: string) => string;
  /** What else is known. */
  readonly known?: Partial<Case> | ((text: string) => Partial<Case>);
}

export const md5 = (bytes: Buffer | string): string =>
  createHash('md5').update(bytes).digest('base64');

/** The request that a careless program sends, with the string that it signed. */
export function broken(slip: Slip): Case & { readonly signedText: string } {
  const body = slip.body ?? BODY;
  const contentMd5 = (slip.digest ?? md5)(slip.hashed ?? body);
  const [type, date] = [slip.type ?? TYPE, slip.date ?? DATE];
  const { signed = {} } = slip;
  const path = signed.path ?? (slip.target ?? PATH).replace(/\?.*/, '');
  const lines = [
    signed.method ?? 'POST',
    signed.md5 ?? contentMd5,
    signed.type ?? type,
    signed.date ?? date,
    path,
  ];
  const text = (slip.text ?? ((all) => all.join('\n')))(lines);
  const mac = slip.mac ?? ((key, message) => createHmac('sha1', key).update(message).digest());
  const sign = (slip.sign ?? ((digest) => digest.toString('base64')))(
    mac(slip.key ?? KEY_SECRET, text),
  );
  const headers = {
    Host: 'solar.example',
    'Content-MD5': contentMd5,
    'Content-Type': type,
    Date: date,
    Authorization: (slip.authorization ?? ((value) => `API ${KEY_ID}:${value}`))(sign),
    ...slip.headers,
  };
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, one]),
  );
  const request = {
    method: slip.method ?? 'POST',
    target: slip.target ?? PATH,
    rawHeaders,
    body: new Uint8Array(Buffer.from(body)),
  };
  const known = typeof slip.known === 'function' ? slip.known(text) : slip.known;
  return {
    request,
    keySecret: KEY_SECRET,
    keyId: KEY_ID,
    profile: 'compatible',
    now: NOW,
    isTimeKnown: true,
    ...known,
    signedText: text,
  };
}

const shifted = (seconds: number): string => new Date(NOW + seconds * 1000).toUTCString();
const hexOf = (digest: Buffer): string => digest.toString('hex');

/** Broken requests, one fault each. */
export const faults: readonly (readonly [name: string, cause: Cause, slip: Slip])[] = [
  ['line ends: CRLF between the parts', 'crlf', { text: (lines) => lines.join('\r\n') }],
  [
    'line ends: a line feed at the end',
    'endsWithLineFeed',
    { text: (lines) => `${lines.join('\n')}\n` },
  ],
  [
    'line ends: backslash and n',
    'literalLineFeed',
    { text: (lines) => lines.join(String.raw`\n`) },
  ],
  ['line ends: none at all', 'notJoined', { text: (lines) => lines.join('') }],
  [
    'the order of the parts',
    'order',
    { text: ([method, digest, type, date, path]) => [method, path, digest, type, date].join('\n') },
  ],
  ['a part left out', 'partLeftOut', { text: ([, ...rest]) => rest.join('\n') }],
  [
    'charset of the string',
    'charset',
    { mac: (key, text) => createHmac('sha1', key).update(Buffer.from(text, 'utf16le')).digest() },
  ],
  ['charset of the body', 'bodyRewritten', { hashed: Buffer.from(BODY, 'latin1') }],
  ['case of the method', 'signedMethod', { signed: { method: 'post' } }],
  ['case of the path', 'signedPathCase', { signed: { path: PATH.toLowerCase() } }],
  ['case of the sign', 'signCase', { sign: (digest) => digest.toString('base64').toLowerCase() }],
  ['case of the scheme', 'schemeCase', { authorization: (sign) => `api ${KEY_ID}:${sign}` }],
  [
    'padding of the sign',
    'signPadding',
    { sign: (digest) => digest.toString('base64').replace(/=+$/, '') },
  ],
  ['padding of the digest', 'digestPadding', { digest: (bytes) => md5(bytes).replace(/=+$/, '') }],
  ['clock behind', 'clock', { date: shifted(-1207) }],
  ['clock ahead', 'clock', { date: shifted(3599 + 433) }],
  ['clock a little more behind than is allowed', 'clock', { date: shifted(-910) }],
  ['clock a day behind', 'clock', { date: shifted(-86_400) }],
  ['zone: local time called GMT', 'zone', { date: shifted(2 * 3600 + 2) }],
  ['zone: signed in local time', 'signedDateZone', { signed: { date: shifted(-5.5 * 3600) } }],
  ['two dates', 'signedDateOther', { signed: { date: 'Fri, 6 Nov 2026 05:01:07 GMT' } }],
  ['form of the signed date', 'signedDateForm', { signed: { date: new Date(NOW).toISOString() } }],
  ['form of the date', 'dateForm', { date: new Date(NOW).toISOString() }],
  ['weekday', 'dateWeekday', { date: DATE.replace('Fri', 'Sat') }],
  [
    'body rewritten: indented JSON',
    'bodyRewritten',
    { hashed: JSON.stringify(JSON.parse(BODY), null, 2) },
  ],
  [
    'body rewritten: sorted keys',
    'bodyRewritten',
    { body: '{"b":1,"a":2}', hashed: '{"a":2,"b":1}' },
  ],
  ['body rewritten: a line feed added', 'bodyRewritten', { body: `${BODY}\n`, hashed: BODY }],
  ['body rewritten: BOM added', 'bodyRewritten', { body: `\ufeff${BODY}`, hashed: BODY }],
  [
    'body rewritten on the way',
    'rewrittenOnTheWay',
    { known: { answer: JSON.stringify({ code: 'Z0002', data: { expected: md5(`${BODY}\n`) } }) } },
  ],
  [
    'path: a prefix that a proxy removes',
    'signedPrefix',
    { target: `/solar${PATH}`, signed: { path: `/solar${PATH}` } },
  ],
  ['path: with the host', 'signedAddress', { signed: { path: `https://solar.example${PATH}` } }],
  ['path: signed with a query', 'signedQuery', { signed: { path: `${PATH}?` } }],
  [
    'path: called with a query',
    'query',
    { target: `${PATH}?a=1`, signed: { path: `${PATH}?a=1` } },
  ],
  ['path: no leading slash', 'signedSlash', { signed: { path: PATH.slice(1) } }],
  ['path: a slash at the end', 'pathSlash', { target: `${PATH}/` }],
  ['path: the other version', 'signedVersion', { signed: { path: PATH.replace('v1', 'v2') } }],
  ['key: a line end', 'keyLineEnd', { key: `${KEY_SECRET}\n` }],
  ['key: decoded', 'keyDecoded', { key: Buffer.from(KEY_SECRET, 'hex') }],
  ['key: one letter', 'keyLetter', { key: KEY_SECRET.replace('e1b7', 'e1b1') }],
  ['key: that of another pair', 'unknown', { key: 'ffffffffffffffffffffffffffffffff' }],
  [
    'key: another, with the string',
    'otherSecret',
    { key: 'ffffffffffffffffffffffffffffffff', known: (ownText) => ({ ownText }) },
  ],
  ['key: belongs to another KeyID', 'keyIdOther', { authorization: (sign) => `API 77:${sign}` }],
  [
    'digest: hexadecimal',
    'digestHex',
    { digest: (bytes) => createHash('md5').update(bytes).digest('hex') },
  ],
  [
    'digest: base64 of hexadecimal digits',
    'digestHexBase64',
    {
      digest: (bytes) =>
        Buffer.from(createHash('md5').update(bytes).digest('hex')).toString('base64'),
    },
  ],
  [
    'digest: SHA-1',
    'digestAlgorithm',
    { digest: (bytes) => createHash('sha1').update(bytes).digest('base64') },
  ],
  [
    'digest: the signed one is another',
    'signedDigest',
    { signed: { md5: md5(JSON.stringify(JSON.parse(BODY), null, 2)) } },
  ],
  ['sign: hexadecimal', 'signHex', { sign: hexOf }],
  [
    'sign: base64 of hexadecimal digits',
    'signHexBase64',
    { sign: (digest) => Buffer.from(hexOf(digest)).toString('base64') },
  ],
  [
    'sign: URL-safe base64',
    'signUrlSafe',
    { body: '{"pageNo":5}', sign: (digest) => digest.toString('base64url').padEnd(28, '=') },
  ],
  [
    'sign: percent-encoded',
    'signPercent',
    { sign: (digest) => encodeURIComponent(digest.toString('base64')) },
  ],
  [
    'algorithm: SHA-256',
    'algorithm',
    { mac: (key, text) => createHmac('sha256', key).update(text).digest() },
  ],
  [
    'algorithm: no HMAC',
    'noHmac',
    { mac: (key, text) => createHash('sha1').update(`${text}${key.toString()}`).digest() },
  ],
  [
    'algorithm: exchanged',
    'swapped',
    { mac: (key, text) => createHmac('sha1', text).update(key).digest() },
  ],
  [
    'type: another is signed',
    'signedContentType',
    { signed: { type: 'application/x-www-form-urlencoded' } },
  ],
  ['type: text', 'contentType', { type: 'text/plain' }],
  ['header: sent twice', 'headerTwice', { headers: { Date: [DATE, DATE] } }],
  ['header: missing', 'headerMissing', { headers: { 'Content-MD5': undefined } }],
  [
    'header: an invisible character',
    'invisible',
    {
      headers: { Date: DATE.replace(', ', ',\u00a0') },
      signed: { date: DATE.replace(', ', ',\u00a0') },
    },
  ],
  ['header: a variable of the shell', 'notExpanded', { headers: { Date: '$DATE' } }],
  [
    'header: changed on the way',
    'headerRewritten',
    {
      known: (text) => ({
        answer: JSON.stringify({ data: { stringToSign: text.replace(PATH, `/solar${PATH}`) } }),
      }),
    },
  ],
  [
    'authorization: a space after the colon',
    'separator',
    { authorization: (sign) => `API ${KEY_ID}: ${sign}` },
  ],
  ['authorization: a token', 'bearer', { authorization: () => 'Bearer abcdef' }],
  ['method', 'method', { method: 'PUT' }],
  [
    'strict: JSON with other white space',
    'bodyRewritten',
    { body: '{"pageNo": 1}', hashed: '{"pageNo":1}', known: { profile: 'strict' } },
  ],
  [
    'strict: the usual Content-Type is signed',
    'signedContentType',
    { signed: { type: 'application/json' }, known: { profile: 'strict' } },
  ],
  [
    'strict: a zone that is not called GMT',
    'dateForm',
    { date: 'Fri, 6 Nov 2026 05:01:09 UTC', known: { profile: 'strict' } },
  ],
  [
    'JSON with other white space that is too long to be tried',
    'bodyRewritten',
    { body: `{"n": "${'x'.repeat(17_000)}"}`, hashed: `{"n":"${'x'.repeat(17_000)}"}`, known: {} },
  ],
  [
    'something of one’s own',
    'ownText',
    { text: (lines) => `hello ${lines.join('\n')}`, known: (ownText) => ({ ownText }) },
  ],
];

/** Requests that the service accepts. */
export const fine: readonly (readonly [name: string, slip: Slip])[] = [
  ['as it should be', {}],
  ['the usual Content-Type is signed', { signed: { type: 'application/json' } }],
  ['Date with two digits and in UTC', { date: 'Fri, 06 Nov 2026 05:01:09 UTC' }],
  [
    'JSON with other white space than was hashed',
    { body: '{"pageNo": 1, "pageSize": 20}', hashed: '{"pageNo":1,"pageSize":20}' },
  ],
  ['behind a proxy that removes a prefix', { target: `/solar${PATH}`, signed: { path: PATH } }],
  ['nothing in the body, nothing in Content-MD5', { body: '', digest: () => '' }],
  ['15 minutes late', { date: shifted(-900) }],
];
