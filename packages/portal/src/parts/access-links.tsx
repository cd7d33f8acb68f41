import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './access-links.module.css';
import { AccountClock } from './people/account-clock.tsx';
import { texts } from './texts/index.ts';

/** The two pages about access, that of applications and people and that of one's own programs; by which clock their times are, and the way to the company. */
export function AccessLinks(): ReactNode {
  const t = texts.useTexts().access;
  return (
    <div className={styles.head}>
      <nav className={styles.links} aria-label={t.label}>
        <Link to="/authorizations">{t.authorizations}</Link>
        <Link to="/keys">{t.keys}</Link>
      </nav>
      <div className={styles.clock}>
        <AccountClock />
        <Link to="/company">{t.company}</Link>
      </div>
    </div>
  );
}
