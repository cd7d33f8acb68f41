import { Button, Textarea } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { CheckIcon, CopyIcon } from '../../../parts/icons.tsx';
import { texts as parts } from '../../../parts/texts/index.ts';
import styles from './connect.module.css';

interface CopyTextProps {
  readonly label: string;
  readonly value: string;
}

/** Lines to take along as they are, with a button that copies them. Where copying is not allowed, they are selected instead. */
export function CopyText({ label, value }: CopyTextProps): ReactNode {
  const t = parts.useTexts();
  const [copied, setCopied] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const isCopied = copied === value;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(value);
    } catch {
      // Pages without TLS have no clipboard.
      area.current?.select();
    }
  };
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
        <Button
          variant="default"
          onClick={() => void copy()}
          leftSection={isCopied ? <CheckIcon /> : <CopyIcon />}
          aria-label={`${isCopied ? t.copied : t.copy}: ${label}`}
        >
          {isCopied ? t.copied : t.copy}
        </Button>
      </div>
    </>
  );
}
