import { createContext, startTransition, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { initialLanguage, storeLanguage, type Language } from './languages.ts';

interface ActiveLanguage {
  readonly language: Language;
  choose(language: Language): void;
}

const Context = createContext<ActiveLanguage | null>(null);

interface LanguageProviderProps {
  /** The language of the account, if it is known. */
  readonly initial: Language | undefined;
  readonly children: ReactNode;
}

/** Provides the active language, and names it in the document for browsers and screen readers. */
export function LanguageProvider({ initial, children }: LanguageProviderProps): ReactNode {
  const [language, setLanguage] = useState(() => initial ?? initialLanguage());
  const choose = useCallback((chosen: Language) => {
    storeLanguage(chosen);
    // The page stays as it is until the texts of the other language have arrived.
    startTransition(() => setLanguage(chosen));
  }, []);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const value = useMemo(() => ({ language, choose }), [language, choose]);
  return <Context value={value}>{children}</Context>;
}

export function useLanguage(): ActiveLanguage {
  const value = use(Context);
  if (!value) throw new Error('outside LanguageProvider');
  return value;
}
