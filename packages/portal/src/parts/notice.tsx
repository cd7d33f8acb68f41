import type { ReactNode } from 'react';
import { WarningIcon } from './icons.tsx';
import styles from './notice.module.css';

interface NoticeProps {
  readonly title: string;
  /** `warn`: something should be done about it. */
  readonly kind?: 'info' | 'warn';
  readonly children?: ReactNode;
}

/** Something that people should know before they go on. */
export function Notice({ title, kind = 'info', children }: NoticeProps): ReactNode {
  return (
    <div className={styles.notice} data-kind={kind}>
      <strong>
        {kind === 'warn' && <WarningIcon size={18} />}
        {title}
      </strong>
      {children}
    </div>
  );
}
