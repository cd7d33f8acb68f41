import type { ReactNode } from 'react';
import { CopyButton } from '../../parts/copying/copy-button.tsx';
import styles from './developer.module.css';

interface CommandsProps {
  /** What they do. */
  readonly label: string;
  readonly text: string;
}

/** Commands for a terminal, or another long text, with a button that copies them. */
export function CommandLineExamples({ label, text }: CommandsProps): ReactNode {
  return (
    <>
      <pre className={styles.code} aria-label={label}>
        {text}
      </pre>
      <div>
        <CopyButton label={label} text={text} isSmall />
      </div>
    </>
  );
}
