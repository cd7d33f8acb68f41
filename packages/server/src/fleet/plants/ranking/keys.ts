/** Letters that are written as others where they are missing, and which Unicode does not take apart. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** A text as it is searched: upper and lower case, letters with and without marks, and `ß` and `ss` are alike. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/gu, (letter) => SPELLED[letter]!)
    .trim();

/** By what names are sorted; never empty, and the same on both engines. */
export const nameKey = (name: string): string => foldText(name) || name;

/** In what plants are searched. */
export const searchKey = (name: string, address: string | null): string =>
  foldText(`${name}\n${address ?? ''}`);
