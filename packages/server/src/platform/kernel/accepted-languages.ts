import { isLanguage, type Language } from '@helioport/contract';

/** The language of a tag such as `de-AT`; undefined if there are no texts in it. */
export function languageOfTag(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split('-')[0]!;
  return isLanguage(primary) ? primary : undefined;
}

/** The languages of an Accept-Language header (RFC 9110 12.5.4) in which there are texts, the most wanted first. */
export const acceptedLanguages = (header = ''): Language[] =>
  header
    .slice(0, 200)
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.split(';');
      const quality = Number(
        parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean) ?? 1,
      );
      return { language: languageOfTag(tag), quality };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .flatMap(({ language }) => language ?? []);
