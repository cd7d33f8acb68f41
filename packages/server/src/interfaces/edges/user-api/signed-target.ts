import type { SignatureProfile } from '@helioport/contract';

/**
 * The request target that a signature covers: the endpoint's path as this process sees it. A proxy may use a prefix in the
 * public address if it removes the prefix again. interface S16
 */
export const signedTarget = (target: string, profile: SignatureProfile): string =>
  profile === 'strict' ? originForm(target) : collapseSlashes(originForm(target));

// RFC 9112 3.2.2: a server must also accept a request target in absolute form.
const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');

// A base URL that ends in a slash produces `//v1/...`; the signed path is the endpoint's.
const collapseSlashes = (target: string): string =>
  target.startsWith('//') ? target.replace(/^\/+/, '/') : target;
