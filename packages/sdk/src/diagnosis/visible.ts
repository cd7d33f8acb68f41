/** Names of characters that cannot be seen, or be distinguished from others. */
const NAMES: Readonly<Record<string, string>> = {
  '\n': 'LF',
  '\r': 'CR',
  '\t': 'TAB',
  ' ': 'SPACE',
  '\0': 'NUL',
  '\u00a0': 'NBSP',
  '\u00ad': 'SOFT HYPHEN',
  '\u200b': 'ZERO WIDTH SPACE',
  '\u200c': 'ZERO WIDTH NON-JOINER',
  '\u200d': 'ZERO WIDTH JOINER',
  '\u202f': 'NARROW NBSP',
  '\u2060': 'WORD JOINER',
  '\ufeff': 'BOM',
};

/** The name of an invisible character; undefined for one that can be seen. */
export function nameOf(character: string): string | undefined {
  const known = NAMES[character];
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  return code < 32 || (code >= 127 && code < 160)
    ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    : undefined;
}

/** A text with its invisible characters named, for sentences. A space between words stays one. */
export const visibly = (text: string): string =>
  [...text]
    .map((character) =>
      character === ' ' && text.trim() !== '' ? ' ' : (nameOf(character) ?? character),
    )
    .join(text.trim() === '' ? ' ' : '');
