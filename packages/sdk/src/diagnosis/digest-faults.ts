import type { SignatureProfile } from '@helioport/contract';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64, hex, utf8 } from './bytes.ts';
import { bodyTexts, type BodyText } from './body-texts.ts';
import type { Fault } from './fault.ts';

/** Maximum length in bytes of bodies of which the compatible profile accepts other forms; as in the server's content-digest.ts. */
const REWRITTEN_BYTES = 16 * 1024;
const TOLERATED: readonly BodyText['rewrite'][] = ['compact', 'spaced', 'escaped'];

export const md5Of = (bytes: Uint8Array): string => base64(md5(bytes));

/** What is wrong with a Content-MD5. */
export function digestFaults(header: string, body: Uint8Array, profile: SignatureProfile): Fault[] {
  const should = md5Of(body);
  if (header === should) return [];
  if (header === '' && body.length === 0 && profile === 'compatible') return [];
  const fault = (cause: Fault['cause'], facts: Partial<Fault> = {}): Fault[] => [
    { cause, proof: 'digest', was: header, should, ...facts },
  ];
  if (header === '') return fault('digestEmpty');
  for (const { rewrite, bytes } of [undefined, ...bodyTexts(body)].map(
    (one) => one ?? { rewrite: undefined, bytes: body },
  )) {
    const digest = md5(bytes);
    const plain = base64(digest);
    const facts = rewrite === undefined ? {} : { rewrite };
    if (rewrite !== undefined && header === plain) {
      const isTolerated =
        profile === 'compatible' && TOLERATED.includes(rewrite) && body.length <= REWRITTEN_BYTES;
      return isTolerated ? [] : fault('bodyRewritten', facts);
    }
    const digits = hex(digest);
    if (header.toLowerCase() === digits) return fault('digestHex', facts);
    if ([digits, digits.toUpperCase()].some((text) => header === base64(utf8(text))))
      return fault('digestHexBase64', facts);
    if (header === plain.replaceAll('=', '')) return fault('digestPadding', facts);
    if (
      header.replace(/(?<!=)=+$/, '') ===
      plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    )
      return fault('digestUrlSafe', facts);
    if (header.toLowerCase() === plain.toLowerCase()) return fault('digestCase', facts);
    const other = Object.entries({ 'SHA-1': sha1, 'SHA-256': sha256 }).find(([, hash]) =>
      [base64(hash(bytes)), hex(hash(bytes))].includes(header),
    );
    if (other) return fault('digestAlgorithm', { ...facts, part: other[0] });
  }
  return fault('bodyOther', { proof: 'none' });
}

/** How a body was written differently on its way, by the digest of what arrived. */
export function onTheWayFaults(arrived: string, body: Uint8Array): Fault[] {
  const should = md5Of(body);
  if (arrived === should) return [];
  const text = bodyTexts(body).find(({ bytes }) => md5Of(bytes) === arrived);
  return [
    {
      cause: 'rewrittenOnTheWay',
      proof: text ? 'digest' : 'none',
      was: arrived,
      should,
      ...(text && { rewrite: text.rewrite }),
    },
  ];
}
