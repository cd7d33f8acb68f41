import { SIGNED_CONTENT_TYPE, USUAL_CONTENT_TYPE } from '@helioport/contract';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64, hex, percent, utf8 } from '../bytes.ts';
import { bodyTexts } from '../body-texts.ts';
import type { CapturedRequest } from '../captured-request.ts';
import type { Parts, Variant } from '../recipe.ts';

/** Words other than POST in the first line. */
export const methods = ({ method }: CapturedRequest): Variant[] =>
  ['post', 'Post', 'GET', 'PUT', method, `${method} `].map((was) => ({
    fault: { cause: 'signedMethod', was },
    change: { method: was },
  }));

/** Content-Types that were signed and are neither sent nor usual. */
export const contentTypes = (sent: string): Variant[] =>
  [
    sent,
    SIGNED_CONTENT_TYPE,
    USUAL_CONTENT_TYPE,
    'application/json; charset=UTF-8',
    'application/json; charset=utf-8',
    'application/json;charset=utf-8',
    'application/json;charset=utf8',
    'application/json;',
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    sent.toLowerCase(),
    sent.toUpperCase(),
    sent.replaceAll(' ', ''),
    '*/*',
  ].map((was) => ({
    fault: { cause: 'signedContentType', was, should: sent },
    change: { contentType: was },
  }));

/** Digests of the body, in other forms, that were signed and are not in the header. */
export function digests(header: string, body: Uint8Array): Variant[] {
  const digest = md5(body);
  const others = [
    base64(digest),
    ...bytesWritten(digest),
    ...[sha1(body), sha256(body)].flatMap((other) => [base64(other), hex(other)]),
    base64(utf8(header)),
  ];
  return others.map((was) => ({
    fault: { cause: 'signedDigest', was, should: header },
    change: { contentMd5: was },
  }));
}

/** The body as it was written elsewhere, or its digest, was signed. */
export function bodies(header: string, body: Uint8Array): Variant[] {
  const others = bodyTexts(body);
  const digested = others.map(({ rewrite, bytes }): Variant => {
    const was = base64(md5(bytes));
    return {
      fault: { cause: 'signedDigest', was, should: header, rewrite },
      change: { contentMd5: was },
    };
  });
  const texts = [body, ...others.map(({ bytes }) => bytes)].map((bytes): Variant => {
    const was = new TextDecoder().decode(bytes);
    return { fault: { cause: 'signedBody', was }, change: { contentMd5: was } };
  });
  return [...digested, ...texts];
}

/** What programs write in place of the base64 of a digest. */
const bytesWritten = (digest: Uint8Array): string[] => {
  const digits = hex(digest);
  return [
    digits,
    digits.toUpperCase(),
    base64(utf8(digits)),
    base64(utf8(digits.toUpperCase())),
    base64(digest).replaceAll('=', ''),
    base64(digest).toLowerCase(),
  ];
};

/** Paths that were signed and are not the endpoint's. */
export function paths(endpoint: string, { target }: CapturedRequest, host: string): Variant[] {
  const [sent = '', query] = target.split('?');
  const path = (cause: Variant['fault']['cause'], ...texts: readonly string[]): Variant[] =>
    texts.map((was) => ({ fault: { cause, was, should: endpoint }, change: { path: was } }));
  const operation = endpoint.replace(/^\/v[12]\/api/, '');
  return [
    ...path('signedPrefix', sent, decoded(sent)),
    ...(query === undefined ? [] : path('signedQuery', `${endpoint}?${query}`, target)),
    ...path('signedQuery', `${endpoint}?`),
    ...path(
      'signedSlash',
      endpoint.slice(1),
      `${endpoint}/`,
      `/${endpoint}`,
      endpoint.replace(/\/$/, ''),
      `${endpoint.slice(1)}/`,
    ),
    ...path(
      'signedNoPrefix',
      operation,
      operation.slice(1),
      endpoint.replace(/^\/v[12]/, ''),
      endpoint.slice(endpoint.lastIndexOf('/') + 1),
      '/',
      '',
    ),
    ...path(
      'signedAddress',
      ...[`http://${host}`, `https://${host}`, host].flatMap((base) => [
        base + target,
        base + endpoint,
      ]),
    ),
    ...path('signedPathCase', endpoint.toLowerCase(), endpoint.toUpperCase()),
    ...path('signedVersion', endpoint.replace('/v1/', '/v2/'), endpoint.replace('/v2/', '/v1/')),
    ...path(
      'signedPath',
      percent(endpoint),
      encodeURI(endpoint.toWellFormed()),
      percent(endpoint).toLowerCase(),
    ),
  ];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Parts in which white space at an end, or an invisible character, was signed although it is not in the header any more. */
export const invisible = (parts: Parts): Variant[] =>
  (['contentMd5', 'contentType', 'date', 'path'] as const).flatMap((part) =>
    [' ', '\t', '\r', '\u00a0', '\ufeff', '\u200b'].flatMap((character) =>
      [character + parts[part], parts[part] + character].map((text): Variant => ({
        fault: { cause: 'invisible', part: NAMES[part], was: character },
        change: { [part]: text },
      })),
    ),
  );

const NAMES = {
  contentMd5: 'Content-MD5',
  contentType: 'Content-Type',
  date: 'Date',
  path: 'path',
} as const;
