import { hash } from 'node:crypto';
import { rewriteJson } from './json-text.ts';
import type { SignatureProfile } from './signature.ts';

const NOTHING = new Uint8Array(0);

/** Longer bodies are not written otherwise, in bytes: rewriting takes 4 s for a body of 1 MiB that is made to take long, and the clients that need it send short ones. */
export const REWRITTEN_BYTES = 16 * 1024;

/** Base64 of the MD5 digest of the bytes as sent. interface S4 */
export const contentMd5 = (body: Uint8Array = NOTHING): string => hash('md5', body, 'base64');

/**
 * Whether a Content-MD5 belongs to a body. In the compatible profile also when it is that of the same JSON written
 * otherwise: some clients hash one text and let their HTTP library write another (interface S14).
 */
export function isDigestOf(header: string, body: Uint8Array | undefined, profile: SignatureProfile): boolean {
  if (header === contentMd5(body)) return true;
  if (profile === 'strict') return false;
  if (!body || body.length === 0) return header === '';
  return body.length <= REWRITTEN_BYTES && otherTexts(body).some((text) => header === hash('md5', text, 'base64'));
}

function otherTexts(body: Uint8Array): string[] {
  const text = new TextDecoder().decode(body);
  const compact = { comma: ',', colon: ':' };
  // What Python's json.dumps writes unless it is told otherwise.
  const spaced = { comma: ', ', colon: ': ' };
  return [compact, spaced].flatMap((separators) => (['raw', 'escaped'] as const).flatMap((nonAscii) => rewriteJson(text, separators, nonAscii) ?? []));
}
