import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SunMark } from '../../parts/icons.tsx';
import { useSession } from '../../session/session-context.ts';
import { texts } from '../texts/index.ts';
import { AccountMenu } from './account-menu.tsx';
import styles from './header.module.css';
import { isRoot, navigationOf } from './navigation.ts';

/** The head of every page: the mark, on wide screens the navigation, and the menu of the account. */
export function Header(): ReactNode {
  const t = texts.useTexts();
  const { session } = useSession();
  const { pathname } = useLocation();
  return (
    <header className={styles.header}>
      <div className={styles.row}>
        <Link to="/" className={styles.brand} aria-label={t.home}>
          <SunMark size={28} />
          <span>Helioport</span>
        </Link>
        {session?.account && (
          <nav className={styles.navigation} aria-label={t.navigation.label}>
            {navigationOf(session.account).map(({ to, text, beside }) => (
              <Link
                key={to}
                to={to}
                className={styles.link}
                activeOptions={{ exact: isRoot(to), includeSearch: false }}
                {...(beside?.includes(pathname) && { 'aria-current': 'true' })}
              >
                {t.navigation[text]}
              </Link>
            ))}
          </nav>
        )}
        <AccountMenu />
      </div>
    </header>
  );
}
