import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PersonIcon } from '../../parts/icons.tsx';
import { texts } from '../texts/index.ts';
import styles from './support-banner.module.css';
import { useOpenInvitations } from './use-open-invitations.ts';

/** Says on the overview that somebody waits for an answer. */
export function InvitationBanner(): ReactNode {
  const t = texts.useTexts();
  const { pathname } = useLocation();
  const count = useOpenInvitations();
  if (count === 0 || pathname !== '/') return null;
  return (
    <section className={styles.banner} aria-label={t.invitations}>
      <PersonIcon />
      <span>{t.invited(count)}</span>
      <Link to="/invitations">{t.toInvitations}</Link>
    </section>
  );
}
