import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts as shared } from '../../parts/texts/index.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

/** The ways to all others that reach the account: applications and people, and key pairs. */
export function AccessCard(): ReactNode {
  const t = texts.useTexts();
  const { access } = shared.useTexts();
  return (
    <section className={styles.card}>
      <h2>{access.label}</h2>
      <p>
        <Link to="/authorizations">{access.authorizations}</Link>
        <span className={styles.note}> {t.authorizationsLead}</span>
      </p>
      <p>
        <Link to="/keys">{access.keys}</Link>
        <span className={styles.note}> {t.keysLead}</span>
      </p>
    </section>
  );
}
