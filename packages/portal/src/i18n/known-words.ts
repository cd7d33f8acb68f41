/** The words for a name that the server knows; undefined for one that is newer than this page. */
export const knownWordsOf = <T>(words: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined;
