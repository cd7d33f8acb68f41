import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { base64, fromBase64, fromHex, hex, latin1, percent, utf16, utf8 } from '../bytes.ts';
import type { Recipe, Variant } from '../recipe.ts';

const key = (fault: Variant['fault'], value: Uint8Array | string | undefined): Variant[] =>
  value === undefined
    ? []
    : [{ fault, change: { key: typeof value === 'string' ? utf8(value) : value } }];

/** Mistakes with the KeySecret. */
export function keys(secret: string, keyId: string): Variant[] {
  const bytes = utf8(secret);
  return [
    ...['\n', '\r\n', '\r'].flatMap((end) => key({ cause: 'keyLineEnd' }, secret + end)),
    ...[` ${secret}`, `${secret} `, `${secret}\t`, `\u00a0${secret}`, `${secret}\u00a0`].flatMap(
      (text) => key({ cause: 'keySpace' }, text),
    ),
    ...key({ cause: 'keySpace' }, secret.trim()),
    ...key({ cause: 'keySpace' }, secret.replace(/[\s\u00a0\u200b-\u200d\u2060\ufeff]/g, '')),
    ...key({ cause: 'keyBom' }, `\ufeff${secret}`),
    ...key({ cause: 'keyDecoded', was: 'hexadecimal' }, fromHex(secret)),
    ...key({ cause: 'keyDecoded', was: 'base64' }, fromBase64(secret)),
    ...key({ cause: 'keyEncoded', was: 'base64' }, base64(bytes)),
    ...key({ cause: 'keyEncoded', was: 'hexadecimal' }, hex(bytes)),
    ...key({ cause: 'keyEncoded', was: 'percent' }, percent(secret)),
    ...Object.entries({ MD5: md5, 'SHA-1': sha1, 'SHA-256': sha256 }).flatMap(([was, digest]) =>
      [
        digest(bytes),
        hex(digest(bytes)),
        hex(digest(bytes)).toUpperCase(),
        base64(digest(bytes)),
      ].flatMap((text) => key({ cause: 'keyHashed', was }, text)),
    ),
    ...[secret.toUpperCase(), secret.toLowerCase()].flatMap((text) =>
      key({ cause: 'keyCase' }, text),
    ),
    ...[`"${secret}"`, `'${secret}'`, `<${secret}>`].flatMap((text) =>
      key({ cause: 'keyQuotes' }, text),
    ),
    ...['&', ':', '='].flatMap((was) => key({ cause: 'keySuffix', was }, secret + was)),
    ...key({ cause: 'keyIsKeyId' }, keyId),
    ...key({ cause: 'keyIsKeyId' }, `${keyId}:${secret}`),
    ...key({ cause: 'keyShort' }, ''),
    ...key({ cause: 'keyShort' }, secret.slice(1)),
    ...key({ cause: 'keyShort' }, secret.slice(0, -1)),
    ...key({ cause: 'keyCharset', was: 'UTF-16' }, utf16(secret)),
    ...key({ cause: 'keyCharset', was: 'ISO 8859-1' }, latin1(secret)),
  ];
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** One letter of the KeySecret is wrong, missing or too many, or two are turned round. */
export function mistypedKeys(secret: string): Variant[] {
  const letters = [...secret];
  return letters.flatMap((letter, i) => {
    const place = i + 1;
    const others = [...LETTERS].filter((other) => other !== letter);
    return [
      ...others.flatMap((other) =>
        key(
          { cause: 'keyLetter', place, was: other, should: letter },
          letters.with(i, other).join(''),
        ),
      ),
      ...(i + 1 < letters.length
        ? key(
            { cause: 'keyTurned', place },
            letters
              .with(i, letters[i + 1]!)
              .with(i + 1, letter)
              .join(''),
          )
        : []),
      ...key({ cause: 'keyShort', place }, letters.toSpliced(i, 1).join('')),
    ];
  });
}

const mac = (fault: Variant['fault'], how: Recipe['mac']): Variant => ({
  fault,
  change: { mac: how },
});
const both = (a: Uint8Array, b: Uint8Array): Uint8Array => Uint8Array.from([...a, ...b]);

/** Other algorithms than HMAC-SHA1. */
export const macs: readonly Variant[] = [
  mac({ cause: 'algorithm', was: 'HMAC-MD5' }, (secret, text) => hmac(md5, secret, text)),
  mac({ cause: 'algorithm', was: 'HMAC-SHA256' }, (secret, text) => hmac(sha256, secret, text)),
  mac({ cause: 'algorithm', was: 'HMAC-SHA512' }, (secret, text) => hmac(sha512, secret, text)),
  mac({ cause: 'swapped' }, (secret, text) => hmac(sha1, text, secret)),
  ...Object.entries({ 'SHA-1': sha1, MD5: md5, 'SHA-256': sha256 }).flatMap(([was, digest]) => [
    mac({ cause: 'noHmac', was }, (_secret, text) => digest(text)),
    mac({ cause: 'noHmac', was }, (secret, text) => digest(both(secret, text))),
    mac({ cause: 'noHmac', was }, (secret, text) => digest(both(text, secret))),
  ]),
];
