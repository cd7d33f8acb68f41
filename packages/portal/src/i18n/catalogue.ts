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

export function catalogue<Texts>(loaders: Loaders<Texts>): Catalogue<Texts> {
  const loading = new Map<Language, Promise<Texts>>();
  const load = (language: Language): Promise<Texts> => {
    const started = loading.get(language) ?? loaders[language]().then((module) => module.default);
    loading.set(language, started);
    // What failed is tried again by whoever asks next.
    started.catch(() => loading.delete(language));
    return started;
  };
  return { load, useTexts: () => use(load(useLanguage().language)) };
}
