import { bodyMd5 } from './content-digest.ts';
import { isSignedWith, parseAuthorization } from './signature.ts';

// The test vector published in docs/signing.md. interface S6, S24
const BODY = '{"pageNo":1,"pageSize":10}';
const CONTENT_MD5 = 'kxdxk7rbAsrzSIWgEwhH4w==';
const SECRET = '6680182547';
const AUTHORIZATION = 'API 2424:nBYQWeuzy3Y+gp67BN8zXTmvSDk=';
const PARTS = {
  contentMd5: CONTENT_MD5,
  contentType: 'application/json',
  date: 'Fri, 26 Jul 2019 06:00:46 GMT',
  path: '/v1/api/userStationList',
};

/**
 * Checks that this machine's cryptography can serve the interface: OpenSSL in FIPS mode has no MD5 and may lack SHA-1. Throws an
 * Error with one sentence for the person who starts the server.
 */
export function selfTest(): void {
  check('MD5', () => bodyMd5(Buffer.from(BODY)) === CONTENT_MD5);
  check('HMAC-SHA1', () =>
    isSignedWith(SECRET, PARTS, parseAuthorization(AUTHORIZATION)!.digest, 'compatible'),
  );
}

function check(algorithm: string, works: () => boolean): void {
  let cause: unknown;
  try {
    if (works()) return;
  } catch (error) {
    cause = error;
  }
  throw new Error(
    `The signed interface needs ${algorithm}, which this machine's OpenSSL does not provide (is it in FIPS mode?).`,
    { cause },
  );
}
