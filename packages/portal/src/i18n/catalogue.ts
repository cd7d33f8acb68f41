import { use } from 'react';
import { useLanguage } from './active-language.tsx';
import type { Language } from './languages.ts';

/** Loads the texts of one screen or part in each language. */
type Loaders<Texts> = Readonly<Record<Language, () => Promise<{ readonly default: Texts }>>>;

/** The texts of one screen or part, of which only the active language is loaded. */
export interface Catalogue<Texts> {
  /** The texts in the active language; suspends until they have arrived. */
  useTexts(): Texts;
  /** Starts loading, so that `useTexts` need not wait. */
  load(language: Language): Promise<Texts>;
}

/** Of everything that has been loaded so far. */
const catalogues: Catalogue<unknown>[] = [];

/** Loads the texts of everything that has been loaded so far. What fails is tried again by the component that shows it. */
export const loadTexts = (language: Language): Promise<unknown> =>
  Promise.allSettled(catalogues.map(({ load }) => load(language)));

export function catalogue<Texts>(loaders: Loaders<Texts>): Catalogue<Texts> {
  const loading = new Map<Language, Promise<Texts>>();
  const load = (language: Language): Promise<Texts> => {
    const known = loading.get(language);
    if (known) return known;
    const started = loaders[language]().then((module) => module.default);
    loading.set(language, started);
    started.then(
      // Else the first `use` would suspend, even of texts that have been there for long.
      (value) => Object.assign(started, { status: 'fulfilled', value }),
      // What failed is tried again by the component that asks next.
      () => loading.delete(language),
    );
    return started;
  };
  const made = { load, useTexts: () => use(load(useLanguage().language)) };
  catalogues.push(made);
  return made;
}

/** The texts of a screen for operators or developers, which is in English alone. */
export const inEnglish = <Texts>(en: Loaders<Texts>['en']): Catalogue<Texts> =>
  catalogue<Texts>({ en, de: en, es: en, zh: en });
