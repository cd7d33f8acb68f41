import { useQueryClient } from '@tanstack/react-query';
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useLanguage } from '../i18n/active-language.tsx';
import type { Language } from '../i18n/languages.ts';
import { onSessionEnd } from '../wire/call.ts';
import { logOut, readSession, type Session } from '../wire/session.ts';
import { SessionContext } from './session-context.ts';

const RenewDialog = lazy(() =>
  import('./renew-dialog.tsx').then((module) => ({ default: module.RenewDialog })),
);

const TRY_AGAIN_MS = 4000;

interface Renewal {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

interface SessionProviderProps {
  /** What is known of the session at the beginning. */
  readonly initial: Session | undefined;
  readonly children: ReactNode;
}

/** Knows who is signed in. When a session ends while a page is open, it asks for the password above that page, of which nothing is lost. */
export function SessionProvider({ initial, children }: SessionProviderProps): ReactNode {
  const client = useQueryClient();
  const [session, setSession] = useState(initial);
  const { follow } = useLanguage();
  const isRead = session !== undefined;
  const language = session?.account?.language;
  const [isRenewing, setRenewing] = useState(false);
  const renewal = useRef<Renewal>(undefined);

  const isKnown = initial !== undefined;
  useEffect(() => {
    if (isKnown) return;
    let again: ReturnType<typeof setTimeout> | undefined;
    const read = (): void => {
      clearTimeout(again);
      readSession().then(
        (found) => setSession((known) => known ?? found),
        () => {
          again = setTimeout(read, TRY_AGAIN_MS);
        },
      );
    };
    read();
    return () => clearTimeout(again);
  }, [isKnown]);

  // The language of an account goes with it to every browser, and leaves none behind for the next account.
  useEffect(() => {
    if (isRead) follow(language);
  }, [isRead, language, follow]);

  const accept = useCallback(
    (next: Session) => {
      // Nothing of one account may be shown to another.
      setSession((previous) => {
        if (previous?.account && previous.account.id !== next.account?.id) client.clear();
        return next;
      });
      renewal.current?.resolve();
      renewal.current = undefined;
      setRenewing(false);
    },
    [client],
  );

  useEffect(() => {
    onSessionEnd(() => {
      if (!renewal.current) {
        const { promise, resolve } = Promise.withResolvers<void>();
        renewal.current = { promise, resolve };
        setRenewing(true);
      }
      return renewal.current.promise;
    });
  }, []);

  const end = useCallback(async () => {
    // A session that has ended meanwhile is over as well.
    const next = await logOut().catch(() => readSession());
    client.clear();
    accept(next);
  }, [accept, client]);

  const speak = useCallback((chosen: Language | undefined) => {
    setSession((known) =>
      known?.account
        ? { ...known, account: { ...known.account, language: chosen ?? null } }
        : known,
    );
  }, []);

  const value = useMemo(() => ({ session, accept, speak, end }), [session, accept, speak, end]);
  return (
    <SessionContext value={value}>
      {children}
      <Suspense>
        {isRenewing && session?.account && <RenewDialog account={session.account} />}
      </Suspense>
    </SessionContext>
  );
}
