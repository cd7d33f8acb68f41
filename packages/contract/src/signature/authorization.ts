/** The contents of an Authorization header. */
export interface AuthorizationParts {
  readonly keyId: string;
  /** Base64 of the 20 bytes of the HMAC-SHA1. */
  readonly sign: string;
}

// Canonical base64 of 20 bytes: the last letter before the padding has two spare bits, which must be 0; otherwise one digest would
// have four spellings. interface S3
const AUTHORIZATION = /^API ([A-Za-z0-9]{1,64}):([A-Za-z0-9+/]{26}[AEIMQUYcgkosw048]=)$/;

/** Reads `API <KeyID>:<sign>`; undefined for anything else. */
export function readAuthorization(header: string): AuthorizationParts | undefined {
  const [, keyId, sign] = AUTHORIZATION.exec(header) ?? [];
  return keyId === undefined || sign === undefined ? undefined : { keyId, sign };
}
