import {
  readAuthorization,
  SIGNED_CONTENT_TYPE,
  stringToSign,
  USUAL_CONTENT_TYPE,
  type SignatureProfile,
  type SignedParts,
} from '@helioport/contract';
import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../../platform/kernel/secrets.ts';

/** The contents of an Authorization header. */
export interface SignedCredentials {
  readonly keyId: string;
  /** The 20 bytes of the HMAC-SHA1. */
  readonly digest: Buffer;
}

/** Reads `API <KeyID>:<sign>`; undefined for anything else. */
export function parseAuthorization(header: string): SignedCredentials | undefined {
  const parts = readAuthorization(header);
  return parts && { keyId: parts.keyId, digest: Buffer.from(parts.sign, 'base64') };
}

/** Whether the signature covers the request, compared in constant time. */
export function isSignedWith(
  secret: string,
  parts: SignedParts,
  digest: Uint8Array,
  profile: SignatureProfile,
): boolean {
  const types =
    profile === 'strict'
      ? [SIGNED_CONTENT_TYPE]
      : [parts.contentType, SIGNED_CONTENT_TYPE, USUAL_CONTENT_TYPE];
  return types.some(
    (contentType, i) =>
      types.indexOf(contentType) === i &&
      equalSecrets(hmac(secret, stringToSign({ ...parts, contentType })), digest),
  );
}

// interface S6
const hmac = (secret: string, text: string): Buffer =>
  createHmac('sha1', secret).update(text, 'utf8').digest();
