import type { ReactNode } from 'react';
import { PageHeading } from '../focus/page-heading.tsx';
import styles from './entry-card.module.css';

interface EntryCardProps {
  readonly title: string;
  readonly lead: string;
  readonly children?: ReactNode;
}

/** The frame of pages for people who are not signed in. */
export function EntryCard({ title, lead, children }: EntryCardProps): ReactNode {
  return (
    <div className={styles.card}>
      <PageHeading>{title}</PageHeading>
      <p className={styles.lead}>{lead}</p>
      {children}
    </div>
  );
}
