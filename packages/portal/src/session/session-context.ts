import { createContext, use } from 'react';
import type { Language } from '../i18n/languages.ts';
import type { Account, Session } from '../wire/session.ts';

export interface SessionAccess {
  /** undefined: not known yet. */
  readonly session: Session | undefined;
  /** Takes over a session that was just begun or read again. */
  accept(session: Session): void;
  /** Takes over the language that was chosen for the account; undefined: that of the browser. */
  speak(language: Language | undefined): void;
  end(): Promise<void>;
}

export const SessionContext = createContext<SessionAccess | null>(null);

export function useSession(): SessionAccess {
  const value = use(SessionContext);
  if (!value) throw new Error('outside SessionProvider');
  return value;
}

/** The person who is signed in; only on pages for them. */
export function useAccount(): Account {
  const account = useSession().session?.account;
  if (!account) throw new Error('nobody is signed in');
  return account;
}
