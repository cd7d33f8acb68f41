/** Characters that cannot be seen, or be told from others, with a sign for them and their usual name. */
const INVISIBLE: Readonly<Record<string, { readonly glyph: string; readonly name: string }>> = {
  '\n': { glyph: '␊', name: 'LF' },
  '\r': { glyph: '␍', name: 'CR' },
  '\t': { glyph: '␉', name: 'TAB' },
  ' ': { glyph: '·', name: 'SPACE' },
  '\0': { glyph: '␀', name: 'NUL' },
  '\u00a0': { glyph: '⍽', name: 'NBSP' },
  '\u00ad': { glyph: '⊟', name: 'SOFT HYPHEN' },
  '\u200b': { glyph: '⎵', name: 'ZERO WIDTH SPACE' },
  '\u200c': { glyph: '⎵', name: 'ZERO WIDTH NON-JOINER' },
  '\u200d': { glyph: '⎵', name: 'ZERO WIDTH JOINER' },
  '\u202f': { glyph: '⍽', name: 'NARROW NBSP' },
  '\u2060': { glyph: '⎵', name: 'WORD JOINER' },
  '\ufeff': { glyph: '⌑', name: 'BOM' },
};

/** The name of an invisible character; undefined for one that can be seen. */
export function nameOf(character: string): string | undefined {
  const known = INVISIBLE[character];
  if (known) return known.name;
  const code = character.codePointAt(0) ?? 0;
  return code < 32 || (code >= 127 && code < 160) ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : undefined;
}

/** What is shown in place of a character. */
export const glyphOf = (character: string): string => INVISIBLE[character]?.glyph ?? (nameOf(character) === undefined ? character : '␦');

/** A text with its invisible characters named, for sentences. A space between words stays one. */
export const visibly = (text: string): string =>
  [...text].map((character) => (character === ' ' && text.trim() !== '' ? ' ' : (nameOf(character) ?? character))).join(text.trim() === '' ? ' ' : '');
