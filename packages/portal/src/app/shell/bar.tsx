import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../session/session-context.ts';
import { texts } from '../texts/index.ts';
import styles from './bar.module.css';
import { isRoot, navigationOf } from './navigation.ts';

/** The navigation at the bottom of phones, within reach of the thumb. */
export function AppBar(): ReactNode {
  const t = texts.useTexts();
  const { session } = useSession();
  const { pathname } = useLocation();
  if (!session?.account) return null;
  return (
    <nav className={styles.bar} aria-label={t.navigation.label}>
      {navigationOf(session.account).map(({ to, icon: Icon, text, beside }) => (
        <Link
          key={to}
          to={to}
          className={styles.link}
          activeOptions={{ exact: isRoot(to), includeSearch: false }}
          {...(beside?.includes(pathname) && { 'aria-current': 'true' })}
        >
          <Icon size={22} />
          <span>{t.navigation[text]}</span>
        </Link>
      ))}
    </nav>
  );
}
