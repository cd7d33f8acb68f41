import { isUtf8 } from 'node:buffer';

/** Parameters of a query or a form body. A parameter without a value counts as not sent. RFC 6749 3.1 and 3.2 */
export interface Form {
  /** The first value as text; undefined when it is absent or empty. */
  get(name: string): string | undefined;
  /** The bytes of the first value, one per character, even if they are not UTF-8. */
  bytes(name: string): string | undefined;
  has(name: string): boolean;
  /** Whether one of these was sent more than once. */
  repeats(names: readonly string[]): boolean;
  /** Every value of a name. */
  all(name: string): string[];
  /** False when a name or a value is not UTF-8; `get` then treats the value as absent. */
  readonly readable: boolean;
}

/** Reads `application/x-www-form-urlencoded`, one byte per character. Brackets in names have no special meaning: `code[]` is just an unknown parameter. */
export function readForm(encoded: string): Form {
  const values = new Map<string, string[]>();
  for (const pair of encoded.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  const first = (name: string): string | undefined => values.get(name)?.[0] || undefined;
  return {
    get: (name) => {
      const bytes = first(name);
      return bytes === undefined ? undefined : textOf(bytes);
    },
    bytes: first,
    has: (name) => values.has(name),
    repeats: (names) => names.some((name) => (values.get(name)?.length ?? 0) > 1),
    all: (name) => (values.get(name) ?? []).flatMap((bytes) => textOf(bytes) ?? []),
    readable: [...values].every(([name, sent]) =>
      [name, ...sent].every((bytes) => textOf(bytes) !== undefined),
    ),
  };
}

const decode = (encoded: string): string => percentDecoded(encoded.replaceAll('+', ' '));

/** Decodes percent escapes, one byte per character; a percent sign that does not begin an escape stays. */
export const percentDecoded = (encoded: string): string =>
  encoded.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

const PLAIN = /^[\x20-\x7e]*$/;

function textOf(bytes: string): string | undefined {
  if (PLAIN.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  // PostgreSQL accepts no NUL in text, so it becomes U+FFFD; nothing that is looked up contains either character.
  return isUtf8(buffer) ? buffer.toString('utf8').replaceAll('\0', '\ufffd') : undefined;
}

/** Encodes a value for a query, given its bytes. */
export const encodeBytes = (bytes: string): string =>
  bytes.replace(
    /[^A-Za-z0-9\-._~]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

export const encodeText = (text: string): string =>
  encodeBytes(Buffer.from(text, 'utf8').toString('latin1'));

/** Length of a value: the characters of its UTF-8 text, or its bytes if it is not UTF-8. */
export const lengthOf = (bytes: string): number => [...(textOf(bytes) ?? bytes)].length;
