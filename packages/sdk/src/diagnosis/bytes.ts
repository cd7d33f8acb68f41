import { bytesToHex } from '@noble/hashes/utils.js';

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One byte a character; what has no such byte becomes `?`, as in most languages. */
export const latin1 = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) =>
    character.charCodeAt(0) < 256 ? character.charCodeAt(0) : 63,
  );

export const utf16 = (text: string): Uint8Array =>
  Uint8Array.from({ length: 2 * text.length }, (_, i) =>
    i % 2 === 0 ? text.charCodeAt(i / 2) & 255 : text.charCodeAt((i - 1) / 2) >> 8,
  );

/** Escaped as a part of an address; half a surrogate pair counts as the character U+FFFD, as which its bytes are sent. */
export const percent = (text: string): string => encodeURIComponent(text.toWellFormed());

export const hex = (bytes: Uint8Array): string => bytesToHex(bytes);

export const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** The bytes of a base64 or base64url text, padded or not; undefined for anything else. */
export function fromBase64(text: string): Uint8Array | undefined {
  const plain = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/(?<!=)=+$/, '');
  if (!/^[A-Za-z0-9+/]+$/.test(plain) || plain.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
}

/** The bytes of hexadecimal digits; undefined for anything else. */
export const fromHex = (text: string): Uint8Array | undefined =>
  /^(?:[0-9a-f]{2})+$/i.test(text)
    ? Uint8Array.from(text.match(/../g)!, (pair) => parseInt(pair, 16))
    : undefined;

/** Text of bytes; undefined if they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
