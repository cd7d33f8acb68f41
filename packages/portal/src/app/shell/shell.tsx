import {
  CatchBoundary,
  Link,
  Navigate,
  Outlet,
  useLocation,
  useMatches,
} from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { English } from '../../i18n/active-language.tsx';
import { SignIn } from '../../session/sign-in.tsx';
import { useSession } from '../../session/session-context.ts';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { WarningIcon } from '../../parts/icons.tsx';
import { Toasts } from '../../parts/toast.tsx';
import { keptAnswer } from '../../wire/kept-answers.ts';
import { followLive } from '../../wire/live.ts';
import { reachability } from '../../wire/reachability.ts';
import { texts } from '../texts/index.ts';
import { AppBar } from './bar.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { Header } from './header.tsx';
import { InvitationBanner } from './invitation-banner.tsx';
import { isForOperators, isInEnglish, OPEN_ADDRESSES } from './navigation.ts';
import styles from './shell.module.css';
import { SupportBanner } from './support-banner.tsx';

/** The frame around every screen. */
export function Shell(): ReactNode {
  const t = texts.useTexts();
  const { pathname } = useLocation();
  const { session } = useSession();
  const client = useQueryClient();
  const isSignedIn = Boolean(session?.account);
  const isOperator = session?.account?.role === 'operator';
  useEffect(
    () => (isSignedIn && !isOperator ? followLive(client) : undefined),
    [client, isSignedIn, isOperator],
  );
  const isOpen = OPEN_ADDRESSES.has(pathname);
  // Until then the outlet holds the former screen, which may not be open.
  const isLoaded = useMatches({ select: (matches) => matches.at(-1)?.pathname === pathname });
  const isReachable = useSyncExternalStore(reachability.subscribe, reachability.isReachable);
  // Without a connection, the overview shows what was kept on this device.
  const isAway = !session && !isReachable;
  const isKept = isAway && keptAnswer('plant/overview', {}) !== undefined;

  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {t.skip}
      </a>
      <Header />
      <ConnectionBanner />
      <SupportBanner />
      <InvitationBanner />
      <main
        id="content"
        className={styles.content}
        tabIndex={-1}
        lang={isInEnglish(pathname) ? 'en' : undefined}
      >
        <English isEnglish={isInEnglish(pathname)}>
          <CatchBoundary
            getResetKey={() => pathname}
            errorComponent={({ error, reset }) => <Failed error={error} again={reset} />}
          >
            <Suspense fallback={<Loading />}>
              {isOperator && !isOpen && !isForOperators(pathname) ? (
                <Navigate to="/operator" replace />
              ) : isSignedIn || (isOpen && isLoaded) || (isKept && pathname === '/') ? (
                <Outlet />
              ) : isAway ? (
                <Empty title={t.notKept} mark={<WarningIcon size={40} />}>
                  {isKept && <Link to="/">{t.keptOverview}</Link>}
                </Empty>
              ) : session === undefined || isOpen ? (
                <Loading />
              ) : (
                <SignIn />
              )}
            </Suspense>
          </CatchBoundary>
        </English>
      </main>
      {isSignedIn && <AppBar />}
      <Toasts />
    </div>
  );
}
