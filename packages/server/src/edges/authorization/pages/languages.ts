import { isLanguage, type Language } from '@helioport/contract';

const languageIn = (tag: string): Language | undefined => {
  const primary = tag.trim().toLowerCase().split('-')[0]!;
  return isLanguage(primary) ? primary : undefined;
};

/** The reader's choice in `ui_locales`, else that of the account, else the best of Accept-Language, else English. */
export function languageOf(rawQuery: string, acceptLanguage: string | undefined, ofAccount?: Language | null): Language {
  const [, chosen = ''] = /(?:^|&)ui_locales=([A-Za-z0-9+%-]*)/.exec(rawQuery) ?? [];
  const accepted = (acceptLanguage ?? '')
    .slice(0, 200)
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.split(';');
      const quality = Number(parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean) ?? 1);
      return { tag, quality };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  const tags = [...chosen.split(/\+|%20/), ofAccount ?? '', ...accepted.map(({ tag }) => tag)];
  return tags.map(languageIn).find((language) => language !== undefined) ?? 'en';
}

/** Sets the language in a query, keeping the rest as sent. */
export const withLanguage = (rawQuery: string, language: Language): string =>
  [...rawQuery.split('&').filter((pair) => pair !== '' && !pair.startsWith('ui_locales=')), `ui_locales=${language}`].join('&');
