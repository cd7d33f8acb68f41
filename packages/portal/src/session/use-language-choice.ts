import { useLanguage } from '../i18n/active-language.tsx';
import type { Language } from '../i18n/languages.ts';
import { change } from '../wire/call.ts';
import { useSession } from './session-context.ts';

interface LanguageChoice {
  readonly language: Language;
  choose(language: Language): void;
}

/** The language that is shown, and the choice of another: for the account, or for this device while nobody is signed in. */
export function useLanguageChoice(): LanguageChoice {
  const { language, choose } = useLanguage();
  const { session, speak } = useSession();
  return {
    language,
    choose(chosen) {
      if (!session?.account) {
        choose(chosen);
        return;
      }
      speak(chosen);
      // If the server does not answer, the choice is kept on this device alone.
      void change('account/language', { language: chosen }).catch(() => choose(chosen));
    },
  };
}
