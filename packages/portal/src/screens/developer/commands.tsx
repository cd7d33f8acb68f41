import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { CheckIcon, CopyIcon } from '../../parts/icons.tsx';
import { texts as shared } from '../../parts/texts/index.ts';
import styles from './developer.module.css';

interface CommandsProps {
  /** What they do. */
  readonly label: string;
  readonly text: string;
}

/** Commands for a terminal, or another long text, with a button that copies them. */
export function CommandLineExamples({ label, text }: CommandsProps): ReactNode {
  const t = shared.useTexts();
  const [copied, setCopied] = useState<string>();
  const copy = (): void => {
    // Pages without TLS have no clipboard.
    navigator.clipboard?.writeText(text).then(
      () => setCopied(text),
      () => undefined,
    );
  };
  const isCopied = copied === text;
  return (
    <>
      <pre className={styles.code} aria-label={label}>
        {text}
      </pre>
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={isCopied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          onClick={copy}
          aria-label={`${isCopied ? t.copied : t.copy}: ${label}`}
        >
          {isCopied ? t.copied : t.copy}
        </Button>
      </div>
    </>
  );
}
