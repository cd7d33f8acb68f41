import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { CheckIcon, CopyIcon } from '../icons.tsx';
import { texts } from '../texts/index.ts';
import { useCopy } from './use-copy.ts';

interface CopyButtonProps {
  /** What the text is. */
  readonly label: string;
  readonly text: string;
  readonly isSmall?: boolean;
  /** Where copying is not allowed: makes it easy to do by hand. */
  readonly select?: () => void;
}

/** Copies a text, and says so. */
export function CopyButton({ label, text, isSmall = false, select }: CopyButtonProps): ReactNode {
  const t = texts.useTexts();
  const { isCopied, copy } = useCopy(text, { select });
  const StateIcon = isCopied ? CheckIcon : CopyIcon;
  const said = isCopied ? t.copied : t.copy;
  return (
    <Button
      variant="default"
      size={isSmall ? 'xs' : 'sm'}
      leftSection={<StateIcon size={isSmall ? 16 : 20} />}
      onClick={copy}
      aria-label={`${said}: ${label}`}
    >
      {said}
    </Button>
  );
}
