/** The languages of the portal, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', zh: '中文' } as const;

export type Language = keyof typeof languages;

export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

const STORED = 'helioport-language';

/** The language that was chosen on this device, else the first one of the browser's that the portal has, else English. */
export function initialLanguage(): Language {
  const tags = [readStored() ?? '', ...navigator.languages];
  return tags.map((tag) => tag.toLowerCase().split('-')[0]!).find(isLanguage) ?? 'en';
}

/** The tag by which times and figures are written in a language: with the region of a browser that has it, such as `en-GB`. */
export const regionalTag = (language: Language, tags: readonly string[]): string =>
  tags.find((tag) => WELL_FORMED.test(tag) && tag.toLowerCase().split('-')[0] === language) ??
  language;

/** Some browsers name locales of the operating system, which Intl refuses. */
const WELL_FORMED = /^[a-z]{2}(-[a-z0-9]{2,8})*$/i;

/** Keeps a choice of language on this device. */
export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // Browsers may be set to keep nothing; the choice then lasts as long as the page.
  }
}

function readStored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}
