import { Textarea } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { CopyButton } from '../../../parts/copying/copy-button.tsx';
import styles from './connect.module.css';

interface CopyTextProps {
  readonly label: string;
  readonly value: string;
}

/** Lines to take along as they are, with a button that copies them. Where copying is not allowed, they are selected instead. */
export function CopyText({ label, value }: CopyTextProps): ReactNode {
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <Textarea
        ref={area}
        readOnly
        className={styles.file}
        label={label}
        rows={value.trimEnd().split('\n').length}
        value={value.trimEnd()}
      />
      <div>
        <CopyButton label={label} text={value} select={() => area.current?.select()} />
      </div>
    </>
  );
}
