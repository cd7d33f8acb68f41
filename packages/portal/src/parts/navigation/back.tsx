import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode } from 'react';
import styles from './back.module.css';
import { LeftIcon } from '../icons.tsx';

/** The way back to what a page belongs to. */
export const Back = createLink(
  ({ children, ...others }: AnchorHTMLAttributes<HTMLAnchorElement>): ReactNode => (
    <a {...others} className={styles.back}>
      <LeftIcon size={16} />
      {children}
    </a>
  ),
);
