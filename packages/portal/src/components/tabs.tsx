import type { ReactNode } from 'react';
import styles from './tabs.module.css';

/** The look of every row of tabs, for those that are no links. */
export const tabsLook = styles.tabs;

interface TabLinksProps {
  readonly label: string;
  /** Links. */
  readonly children: ReactNode;
}

/** Pages that belong together. */
export function TabLinks({ label, children }: TabLinksProps): ReactNode {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
