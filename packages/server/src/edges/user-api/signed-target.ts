import type { SignatureProfile } from './signature.ts';

/**
 * The request target that a signature covers: the endpoint's path as this process sees it. A proxy may add a prefix to the
 * public address when it strips it again. interface S16
 */
export const signedTarget = (target: string, profile: SignatureProfile): string =>
  profile === 'strict' ? originForm(target) : collapseSlashes(originForm(target));

// RFC 9112 3.2.2: a server must take the absolute form of a request target too.
const originForm = (target: string): string => (target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, ''));

// A base URL with a slash at its end makes `//v1/...`; the signed path is the endpoint's.
const collapseSlashes = (target: string): string => (target.startsWith('//') ? target.replace(/^\/+/, '/') : target);
