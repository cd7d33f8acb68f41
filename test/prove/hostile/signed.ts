import { operations, pathsOf } from '@helioport/contract';
import { createHash, createHmac } from 'node:crypto';
import type { Chance } from './chance.ts';
import { damaged, hostileObject } from './values.ts';
import { wireOf, type Parts, type Wire } from './wire.ts';

export interface SigningKeys {
  readonly keys: readonly { readonly keyId: string; readonly keySecret: string }[];
  /** Names of plants and devices, own and foreign. */
  readonly names: readonly string[];
}

const PATHS = Object.values(operations).flatMap((operation) => pathsOf(operation, 'signed'));
const KEYS = [
  ...new Set(
    Object.values(operations).flatMap(({ request }) =>
      Object.values(request).flatMap(({ names }) => [...names]),
    ),
  ),
];

/** A request for the signed interface: most are signed with a true key, so that what they hold gets past the signature. */
export function signedRequest(chance: Chance, { keys, names }: SigningKeys, now: number): Wire {
  const path = chance.pick(PATHS);
  const text = chance.oneIn(4)
    ? JSON.stringify({ [chance.pick(KEYS)]: chance.pick(names), pageNo: chance.below(5) })
    : hostileObject(chance, KEYS);
  const body = chance.oneIn(6) ? damaged(chance, text) : Buffer.from(text);
  const parts: Parts = {
    method: 'POST',
    target: path,
    headers: signatureOf(chance, body, path, keys, now),
    body,
  };
  if (chance.oneIn(3)) disfigure(chance, parts);
  return wireOf(chance, parts);
}

function signatureOf(
  chance: Chance,
  body: Buffer,
  path: string,
  keys: SigningKeys['keys'],
  now: number,
): [string, string][] {
  const { keyId, keySecret } = chance.pick(keys);
  const md5 = createHash('md5').update(body).digest('base64');
  const type = chance.pick([
    'application/json',
    'application/json;charset=UTF-8',
    'application/json; charset=utf-8',
  ]);
  const date = new Date(now + (chance.below(600) - 300) * 1000).toUTCString();
  const sign = createHmac('sha1', keySecret)
    .update(['POST', md5, type, date, path].join('\n'))
    .digest('base64');
  return [
    ['Content-MD5', md5],
    ['Content-Type', type],
    ['Date', date],
    ['Authorization', `API ${keyId}:${sign}`],
  ];
}

const METHODS = [
  'GET',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PROPFIND',
  'TRACE',
  'QUERY',
  'post',
  'X',
];
const TARGETS = [
  (path: string) => `/${path}`,
  (path: string) => `${path}/`,
  (path: string) => `${path}?a=b`,
  (path: string) => path.toUpperCase(),
  (path: string) => path.replace('api', '%61pi'),
  (path: string) => `${path}%`,
  (path: string) => `${path}%00`,
  (path: string) => `/../..${path}`,
  (path: string) => `http://other${path}`,
  (path: string) => path.replaceAll('/', '%2F'),
  (path: string) => `${path}${'/a'.repeat(2000)}`,
  () => '*',
  () => '/',
  () => '/healthz',
  () => '/readyz?x',
  () => '/metrics',
  () => '/v1/api/__proto__',
  () => '/v1/api/constructor',
  () => '/%ff%fe',
  () => '/oauth/token',
];
const HEADERS: readonly ((chance: Chance) => [string, string])[] = [
  (chance) => [
    'Authorization',
    chance.pick([
      '',
      'API',
      'API :',
      'API 1:',
      'Bearer x',
      'Basic eDp5',
      'api 1:nBYQWeuzy3Y+gp67BN8zXTmvSDk=',
      `API ${'9'.repeat(chance.below(90))}:nBYQWeuzy3Y+gp67BN8zXTmvSDk=`,
    ]),
  ],
  (chance) => ['Authorization', `API ${chance.below(1e9)}:${chance.bytes(20).toString('base64')}`],
  (chance) => [
    'Date',
    chance.pick([
      '',
      '0',
      'now',
      'Fri, 31 Feb 2026 00:00:00 GMT',
      '2026-11-06',
      'Fri, 6 Nov 2026 05:01:60 GMT',
      'x'.repeat(3000),
    ]),
  ],
  (chance) => [
    'Content-MD5',
    chance.pick(['', 'x', '1B2M2Y8AsgTpgAmY7PhCfg==', '\u00ff\u00fe', 'a'.repeat(3000)]),
  ],
  (chance) => [
    'Content-Type',
    chance.pick([
      '',
      'text/plain',
      'application/json;charset=utf-16',
      'multipart/form-data; boundary=x',
      ';',
      'application/json;'.repeat(50),
    ]),
  ],
  (chance) => ['Content-Encoding', chance.pick(['gzip', 'br', 'identity', 'x'])],
  (chance) => ['X-Forwarded-For', chance.bytes(8).toString('hex')],
  (chance) => ['Cookie', chance.bytes(30).toString('base64')],
];

function disfigure(chance: Chance, parts: Parts): void {
  switch (chance.below(4)) {
    case 0:
      parts.method = chance.pick(METHODS);
      return;
    case 1:
      parts.target = chance.pick(TARGETS)(parts.target);
      return;
    case 2:
      parts.headers.splice(chance.below(parts.headers.length), 1);
      return;
    default: {
      const header = chance.pick(HEADERS)(chance);
      if (chance.oneIn(2)) parts.headers = parts.headers.filter(([name]) => name !== header[0]);
      parts.headers.push(header);
    }
  }
}
