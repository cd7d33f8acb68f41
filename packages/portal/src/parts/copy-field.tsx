import { ActionIcon, TextInput } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { texts } from './texts/index.ts';
import { useCopy } from './copying/use-copy.ts';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
  /** However it is copied. */
  readonly onCopied?: () => void;
}

/** A text to take along, with a button that copies it. Where copying is not allowed, the text is selected instead. */
export function CopyField({ label, value, description, onCopied }: CopyFieldProps): ReactNode {
  const t = texts.useTexts();
  const input = useRef<HTMLInputElement>(null);
  const { isCopied, copy } = useCopy(value, { select: () => input.current?.select(), onCopied });
  return (
    <TextInput
      ref={input}
      label={label}
      description={description}
      value={value}
      readOnly
      onCopy={onCopied}
      onFocus={(event) => event.currentTarget.select()}
      // A KeySecret fits a phone: what cannot be seen whole is not trusted.
      styles={{
        input: {
          fontFamily: 'var(--mantine-font-family-monospace)',
          fontSize: 'clamp(0.6875rem, 3.1vw, 0.875rem)',
        },
      }}
      rightSection={
        <ActionIcon
          variant="subtle"
          onClick={copy}
          aria-label={`${isCopied ? t.copied : t.copy}: ${label}`}
        >
          {isCopied ? <CheckIcon /> : <CopyIcon />}
        </ActionIcon>
      }
    />
  );
}
