import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import styles from './bar.module.css';
import { navigation } from './navigation.ts';

/** The navigation at the bottom of phones, within reach of the thumb. */
export function Bar(): ReactNode {
  const t = texts.useTexts();
  if (navigation.length < 2) return null;
  return (
    <nav className={styles.bar} aria-label={t.navigation.label}>
      {navigation.map(({ to, icon: Icon, text }) => (
        <Link key={to} to={to} className={styles.link} activeOptions={{ exact: to === '/' }}>
          <Icon size={22} />
          <span>{t.navigation[text]}</span>
        </Link>
      ))}
    </nav>
  );
}
