/** A text as it is searched: upper and lower case, and letters with and without marks, are alike. */
export const foldText = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();

/** By what names are sorted; never empty, and the same on both engines. */
export const nameKey = (name: string): string => foldText(name) || name;

/** In what plants are searched. */
export const searchKey = (name: string, address: string | null): string =>
  foldText(`${name}\n${address ?? ''}`);
