import type { Language } from '@helioport/contract';
import {
  acceptedLanguages,
  languageOfTag,
} from '../../../../platform/kernel/accepted-languages.ts';

/** The reader's choice in `ui_locales`, else that of the account, else the best of Accept-Language, else English. */
export function languageOf(
  rawQuery: string,
  acceptLanguage: string | undefined,
  ofAccount?: Language | null,
): Language {
  const [, chosen = ''] = /(?:^|&)ui_locales=([A-Za-z0-9+%-]*)/.exec(rawQuery) ?? [];
  const [wanted] = chosen.split(/\+|%20/).flatMap((tag) => languageOfTag(tag) ?? []);
  return wanted ?? ofAccount ?? acceptedLanguages(acceptLanguage)[0] ?? 'en';
}

/** Sets the language in a query, keeping the rest as sent. */
export const withLanguage = (rawQuery: string, language: Language): string =>
  [
    ...rawQuery.split('&').filter((pair) => pair !== '' && !pair.startsWith('ui_locales=')),
    `ui_locales=${language}`,
  ].join('&');
