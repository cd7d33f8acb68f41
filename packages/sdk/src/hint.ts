import { errors } from '@helioport/contract';

/** A refusal as far as advice needs it. */
export interface Refusal {
  status: number;
  code: string;
  data: unknown;
  /** What this side signed; absent where nothing is signed. */
  stringToSign?: string | undefined;
}

/** Says what the caller should do about a refusal, or undefined. */
export function hintFor(refusal: Refusal): string | undefined {
  const theirs = textOf(refusal.data, 'stringToSign');
  if (refusal.status === 403 && theirs !== undefined && refusal.stringToSign !== undefined) return compareSigned(refusal.stringToSign, theirs);
  if (refusal.status === 403 && refusal.code === '403') return undefined;
  return Object.values(errors).find(({ status, code }) => status === refusal.status && code === refusal.code)?.advice;
}

const LINES = ['the method', 'Content-MD5', 'Content-Type', 'Date', 'the path'];

/** Says in which line the two strings to sign differ. */
export function compareSigned(ours: string, theirs: string): string {
  if (ours === theirs) return 'Both sides signed the same string, so the KeyID or the KeySecret is wrong';
  const own = ours.split('\n');
  const other = theirs.split('\n');
  const differences = Array.from({ length: Math.max(own.length, other.length) }, (_, i) => i)
    .filter((i) => own[i] !== other[i])
    .map((i) => `line ${i + 1} (${LINES[i] ?? 'too much'}): signed ${JSON.stringify(own[i] ?? '')}, the server has ${JSON.stringify(other[i] ?? '')}`);
  return `The strings to sign differ in ${differences.join('; ')}`;
}

/** A text member of public error data. */
export function textOf(data: unknown, key: string): string | undefined {
  const value = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
