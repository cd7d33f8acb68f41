/** The separators between the members of objects and arrays. */
export interface Separators {
  readonly comma: string;
  readonly colon: string;
}

// A string, a structural character, or a number or literal as it is spelled; white space before it is skipped.
const TOKEN = /[ \t\n\r]*(?:("[^"\\]*(?:\\.[^"\\]*)*")|([{}[\],:])|([^\s{}[\],:"]+))/y;

/**
 * The same JSON with different white space and with non-ASCII characters written raw or as `\uXXXX`. The order of keys and the
 * spelling of numbers and of all other escapes are kept. Undefined if the text does not consist of JSON tokens.
 */
export function rewriteJson(
  text: string,
  { comma, colon }: Separators,
  nonAscii: 'raw' | 'escaped',
): string | undefined {
  const end = text.trimEnd().length;
  const rewrite = nonAscii === 'raw' ? unescapeNonAscii : escapeNonAscii;
  const parts: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (!match) return undefined;
    const [, string, mark, word] = match;
    if (string !== undefined) parts.push(rewrite(string));
    else parts.push(mark === ',' ? comma : mark === ':' ? colon : (mark ?? word!));
  }
  return parts.join('');
}

const hex = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|.)/g;

// Digits are written in lower case, as Python and JavaScript do.
const escapeNonAscii = (string: string): string =>
  string
    .replace(ESCAPE, (escape, digits?: string) =>
      isNonAscii(digits) ? escape.toLowerCase() : escape,
    )
    .replace(/[^\x00-\x7f]/g, hex);

// A lone surrogate cannot be written raw.
const unescapeNonAscii = (string: string): string =>
  string
    .replace(ESCAPE, (escape, digits?: string) =>
      isNonAscii(digits) ? String.fromCharCode(parseInt(digits, 16)) : escape,
    )
    .replace(/\p{Surrogate}/gu, hex);

const isNonAscii = (digits: string | undefined): digits is string =>
  digits !== undefined && parseInt(digits, 16) > 0x7f;
