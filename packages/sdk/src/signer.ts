import { SIGNED_CONTENT_TYPE, signedDate, stringToSign } from '@helioport/contract';
import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';

/** The input from which a signature is computed. */
export interface RequestToSign {
  /** The endpoint's path, for example `/v1/api/inverterDetail`. */
  path: string;
  /** The body exactly as it will be sent; text is sent as UTF-8. */
  body: string | Uint8Array;
  /** The time of the signature, epoch milliseconds. */
  at: number;
  keyId: string;
  /** Used as UTF-8 text; never sent. */
  keySecret: string;
  /** The Content-Type that is sent and signed; default: that of the specification. Some services accept `application/json` alone. */
  contentType?: string | undefined;
}

/** The four headers of a signed request, and the text that the signature covers. */
export interface Signed {
  headers: { 'Content-MD5': string; 'Content-Type': string; Date: string; Authorization: string };
  stringToSign: string;
}

/**
 * Signs a request. Works in browsers and in Node: hashes are plain JavaScript, since WebCrypto has no MD5.
 * Browsers forbid setting `Date`, so a signed request has to be sent by a server.
 * Source: specification, Authentication, rules 1 to 6.
 */
export function signRequest({
  path,
  body,
  at,
  keyId,
  keySecret,
  contentType = SIGNED_CONTENT_TYPE,
}: RequestToSign): Signed {
  const parts = {
    contentMd5: contentMd5(body),
    contentType,
    date: signedDate(at),
    path,
  };
  const text = stringToSign(parts);
  return {
    headers: {
      'Content-MD5': parts.contentMd5,
      'Content-Type': parts.contentType,
      Date: parts.date,
      Authorization: `API ${keyId}:${signatureOf(keySecret, text)}`,
    },
    stringToSign: text,
  };
}

/** Base64 of the 16-byte MD5 digest of the body. interface S4 */
export const contentMd5 = (body: string | Uint8Array): string => base64(md5(bytesOf(body)));

/** Base64 of the HMAC-SHA1 of the string to sign, keyed with the KeySecret. interface S6 */
export const signatureOf = (keySecret: string, text: string): string =>
  base64(hmac(sha1, bytesOf(keySecret), bytesOf(text)));

const bytesOf = (value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? new TextEncoder().encode(value) : value;

const base64 = (digest: Uint8Array): string => btoa(String.fromCharCode(...digest));
