import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Actions, Stacked } from '../../components/layout.tsx';
import { texts } from './texts/index.ts';

interface AskFirstProps {
  /** What is done, as a verb. */
  readonly name: string;
  /** What it means, or why it cannot be done. */
  readonly lead?: string | undefined;
  readonly disabled?: boolean;
  readonly busy?: boolean;
  readonly onSure: () => void;
}

/** Something that is done after a second thought. The second button is elsewhere than the first, so that a double click does nothing: dialogs that ask grow downwards alone. */
export function AskFirst({
  name,
  lead,
  disabled = false,
  busy = false,
  onSure,
}: AskFirstProps): ReactNode {
  const all = texts.useTexts();
  const [isAsked, setAsked] = useState(false);
  return (
    <Stacked component="div">
      <Button
        variant="default"
        disabled={disabled}
        aria-expanded={isAsked}
        onClick={() => setAsked(true)}
      >
        {name}
      </Button>
      {lead !== undefined && <small>{lead}</small>}
      {isAsked && !disabled && (
        <Actions>
          <Button
            color="red.8"
            loading={busy}
            onClick={() => {
              onSure();
              setAsked(false);
            }}
          >
            {`${name} – ${all.accounts.sure}`}
          </Button>
          <Button variant="default" onClick={() => setAsked(false)}>
            {all.cancel}
          </Button>
        </Actions>
      )}
    </Stacked>
  );
}
