import { errors } from '@helioport/contract';

/** The facts from which advice about a refusal is derived. */
export interface Refusal {
  status: number;
  code: string;
  data: unknown;
  /** The text that this side signed; absent if requests are not signed. */
  stringToSign?: string | undefined;
}

/** What the caller should do about a refusal; undefined if there is no advice. */
export function hintFor(refusal: Refusal): string | undefined {
  const theirs = hintTextOf(refusal.data, 'stringToSign');
  if (refusal.status === 403 && theirs !== undefined && refusal.stringToSign !== undefined)
    return compareSigned(refusal.stringToSign, theirs);
  if (refusal.status === 403 && refusal.code === '403') return undefined;
  return Object.values(errors).find(
    ({ status, code }) => status === refusal.status && code === refusal.code,
  )?.advice;
}

const LINES = ['the method', 'Content-MD5', 'Content-Type', 'Date', 'the path'];

/** Describes the lines in which the two strings to sign differ. */
export function compareSigned(ours: string, theirs: string): string {
  if (ours === theirs)
    return 'Both sides signed the same string, so the KeyID or the KeySecret is wrong';
  const own = ours.split('\n');
  const other = theirs.split('\n');
  const differences = Array.from({ length: Math.max(own.length, other.length) }, (_, i) => i)
    .filter((i) => own[i] !== other[i])
    .map(
      (i) =>
        `line ${i + 1} (${LINES[i] ?? 'surplus'}): signed ${JSON.stringify(own[i] ?? '')}, the server has ${JSON.stringify(other[i] ?? '')}`,
    );
  return `The strings to sign differ in ${differences.join('; ')}`;
}

/** A member of an error's public data, if it is text. */
export function hintTextOf(data: unknown, key: string): string | undefined {
  const value =
    typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
