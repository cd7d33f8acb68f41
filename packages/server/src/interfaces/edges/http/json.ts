import { isUtf8 } from 'node:buffer';
import { Failure } from '../../../platform/kernel/failure.ts';

// Finds numbers with more digits than a double can hold: some callers send ids as numbers.
const LONG_NUMBER = /\d{16}/;
const INTEGER = /^-?\d+$/;

/** A request's body as an object; an empty one counts as `{}`. Integers beyond 2^53 become strings of their digits. Throws malformedRequest. */
export function parseJsonObject(body: Uint8Array | undefined): Record<string, unknown> {
  if (!body || body.length === 0) return {};
  if (!isUtf8(body)) throw new Failure('malformedRequest', { message: 'the body is not UTF-8' });
  const value = parse(
    withoutBom(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')),
  );
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure('malformedRequest', { message: 'the body must be a JSON object' });
  return value as Record<string, unknown>;
}

const withoutBom = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

function parse(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch (cause) {
    // A RangeError means that the JSON is nested too deeply; in any case the sender must change the body.
    throw new Failure('malformedRequest', { message: 'the body is not readable JSON', cause });
  }
}

function keepDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    source !== undefined &&
    INTEGER.test(source)
    ? source
    : value;
}
