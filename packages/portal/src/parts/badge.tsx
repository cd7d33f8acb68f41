import type { ReactNode } from 'react';
import styles from './badge.module.css';

interface BadgeProps {
  /** How well the state is; `over` is one that is past. */
  readonly kind: 'plain' | 'good' | 'warn' | 'fault' | 'emergency' | 'over';
  /** What it says, for what looks for it. */
  readonly state?: string;
  readonly children: ReactNode;
}

/** A state as a word. */
export const Badge = ({ kind, state, children }: BadgeProps): ReactNode => (
  <span className={styles.badge} data-kind={kind} data-state={state}>
    {children}
  </span>
);
