import {
  createContext,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { initialLanguage, isLanguage, storeLanguage, type Language } from './languages.ts';

interface ActiveLanguage {
  readonly language: Language;
  /** Speaks the language that somebody chose, and keeps it on this device. */
  choose(language: Language): void;
  /** Speaks the language of an account; if that has none, the one of this device. */
  follow(language: Language | null | undefined): void;
}

const Context = createContext<ActiveLanguage | null>(null);

/** The language that the page is in, as its document says. */
export function documentLanguage(): Language {
  const { lang } = document.documentElement;
  return isLanguage(lang) ? lang : initialLanguage();
}

interface LanguageProviderProps {
  /** The language of the account, if it is known. */
  readonly initial: Language | undefined;
  readonly children: ReactNode;
}

/** Provides the active language, and names it in the document for browsers and screen readers. */
export function LanguageProvider({ initial, children }: LanguageProviderProps): ReactNode {
  const [language, setLanguage] = useState(() => initial ?? initialLanguage());
  const chosenHere = useRef<Language>(undefined);
  // The page stays as it is until the texts of the other language have arrived.
  const speak = useCallback((next: Language) => startTransition(() => setLanguage(next)), []);
  const choose = useCallback(
    (chosen: Language) => {
      storeLanguage(chosen);
      chosenHere.current = chosen;
      speak(chosen);
    },
    [speak],
  );
  const follow = useCallback(
    (own: Language | null | undefined) => speak(own ?? chosenHere.current ?? initialLanguage()),
    [speak],
  );
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const value = useMemo(() => ({ language, choose, follow }), [language, choose, follow]);
  return <Context value={value}>{children}</Context>;
}

interface EnglishProps {
  /** Whether what is inside is in English, whatever the active language is. */
  readonly isEnglish: boolean;
  readonly children: ReactNode;
}

/** Screens for operators and developers are in English alone, with all that they share with others. */
export function English({ isEnglish, children }: EnglishProps): ReactNode {
  const active = useLanguage();
  const value = useMemo(
    () => (isEnglish ? { ...active, language: 'en' as const } : active),
    [active, isEnglish],
  );
  return <Context value={value}>{children}</Context>;
}

export function useLanguage(): ActiveLanguage {
  const value = use(Context);
  if (!value) throw new Error('outside LanguageProvider');
  return value;
}
