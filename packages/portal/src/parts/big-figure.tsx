import type { ReactNode } from 'react';
import type { Shown } from '../i18n/formats.ts';
import styles from './big-figure.module.css';

interface FigureProps {
  readonly label: string;
  readonly figure: Shown;
  /** What the figure means in money, or compared with something. */
  readonly children?: ReactNode;
}

/** A figure that can be read from across the room: the value large, its unit small. */
export function BigFigure({ label, figure, children }: FigureProps): ReactNode {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.value}>
          {figure.value}
          {figure.unit && <small> {figure.unit}</small>}
        </span>
        {children && <span className={styles.more}>{children}</span>}
      </dd>
    </div>
  );
}
