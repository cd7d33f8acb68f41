import { rewriteJson, type SignatureProfile } from '@helioport/contract';
import { hash } from 'node:crypto';

const NOTHING = new Uint8Array(0);

/** Maximum length in bytes of bodies that are reformatted: a malicious body of 1 MiB would take 4 s, and clients that need this send short ones. */
export const REWRITTEN_BYTES = 16 * 1024;

/** Base64 of the MD5 digest of the bytes as sent. interface S4 */
export const bodyMd5 = (body: Uint8Array = NOTHING): string => hash('md5', body, 'base64');

/**
 * Whether a Content-MD5 belongs to a body. In the compatible profile, it may also be that of the same JSON formatted
 * differently: some clients hash one text and let their HTTP library send another (interface S14).
 */
export function isDigestOf(
  header: string,
  body: Uint8Array | undefined,
  profile: SignatureProfile,
): boolean {
  if (header === bodyMd5(body)) return true;
  if (profile === 'strict') return false;
  if (!body || body.length === 0) return header === '';
  return (
    body.length <= REWRITTEN_BYTES &&
    otherTexts(body).some((text) => header === hash('md5', text, 'base64'))
  );
}

function otherTexts(body: Uint8Array): string[] {
  const text = new TextDecoder().decode(body);
  const compact = { comma: ',', colon: ':' };
  // The separators that Python's json.dumps writes by default.
  const spaced = { comma: ', ', colon: ': ' };
  return [compact, spaced].flatMap((separators) =>
    (['raw', 'escaped'] as const).flatMap(
      (nonAscii) => rewriteJson(text, separators, nonAscii) ?? [],
    ),
  );
}
