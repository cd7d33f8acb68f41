import type { ReactNode } from 'react';
import styles from './console.module.css';

/** A state as a word. */
export const Badge = ({ kind, children }: { readonly kind: 'good' | 'warn' | 'over' | 'plain'; readonly children: ReactNode }): ReactNode => (
  <span className={styles.badge} data-kind={kind}>
    {children}
  </span>
);
