export { readAuthorization, type AuthorizationParts } from './authorization.ts';
export { JSON_MEDIA } from './json-media.ts';
export { rewriteJson, type Separators } from './json-text.ts';
export type { SignatureProfile } from './profile.ts';
export { MAX_SKEW_SECONDS, readSignedDate, signedDate } from './signed-date.ts';
export {
  SIGNED_CONTENT_TYPE,
  stringToSign,
  USUAL_CONTENT_TYPE,
  type SignedParts,
} from './string-to-sign.ts';
