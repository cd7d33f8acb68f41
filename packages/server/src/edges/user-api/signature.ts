import { SIGNED_CONTENT_TYPE, stringToSign, type SignedParts } from '@helioport/contract';
import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../kernel/secrets.ts';

/** How literally a request must follow the specification (interface S13 to S15, S26). */
export type SignatureProfile = 'compatible' | 'strict';

/** The contents of an Authorization header. */
export interface Credentials {
  readonly keyId: string;
  /** The 20 bytes of the HMAC-SHA1. */
  readonly digest: Buffer;
}

// Canonical base64 of 20 bytes: the last letter before the padding has two spare bits, which must be 0; otherwise one digest would
// have four spellings. interface S3
const AUTHORIZATION = /^API ([A-Za-z0-9]{1,64}):([A-Za-z0-9+/]{26}[AEIMQUYcgkosw048]=)$/;

/** Reads `API <KeyID>:<sign>`; undefined for anything else. */
export function parseAuthorization(header: string): Credentials | undefined {
  const match = AUTHORIZATION.exec(header);
  return match ? { keyId: match[1]!, digest: Buffer.from(match[2]!, 'base64') } : undefined;
}

/** The Content-Type that most existing clients sign, regardless of the one that they send (interface S13). */
const USUAL_CONTENT_TYPE = 'application/json';

/** Whether the signature covers the request, compared in constant time. */
export function isSignedWith(secret: string, parts: SignedParts, digest: Uint8Array, profile: SignatureProfile): boolean {
  const types = profile === 'strict' ? [SIGNED_CONTENT_TYPE] : [parts.contentType, SIGNED_CONTENT_TYPE, USUAL_CONTENT_TYPE];
  return types.some((contentType, i) => types.indexOf(contentType) === i && equalSecrets(hmac(secret, stringToSign({ ...parts, contentType })), digest));
}

// interface S6
const hmac = (secret: string, text: string): Buffer => createHmac('sha1', secret).update(text, 'utf8').digest();
