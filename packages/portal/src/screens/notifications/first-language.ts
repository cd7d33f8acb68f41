import { useLanguage } from '../../i18n/active-language.tsx';
import type { Language } from '../../i18n/languages.ts';
import { useAccount, useSession } from '../../session/session-context.ts';
import { change } from '../../wire/call.ts';

interface FirstLanguage {
  /** The language that an account without one is given; undefined: it has one. */
  readonly first: Language | undefined;
  /** Gives it that. */
  keepLanguage(): Promise<void>;
}

/** Messages find no browser to ask for a language: with its first way to be notified, an account gets the one that the portal is read in. */
export function useFirstLanguage(): FirstLanguage {
  const { language: shown } = useLanguage();
  const { language: own } = useAccount();
  const { speak } = useSession();
  const first = own ? undefined : shown;
  return {
    first,
    async keepLanguage() {
      if (first === undefined) return;
      await change('account/language', { language: first });
      speak(first);
    },
  };
}
