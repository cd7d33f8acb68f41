import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../confirm-dialog.tsx';

interface WithdrawalProps {
  /** What the button does, as a verb. */
  readonly action: string;
  /** What the button is called for those who do not see beside what it stands. */
  readonly label: string;
  readonly title: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  /** What it means. */
  readonly children: ReactNode;
}

/** Takes an invitation back. It asks first: the button comes to stand where the invitation was sent, and a second click must not undo it. */
export function Withdrawal({
  action,
  label,
  title,
  busy,
  onConfirm,
  children,
}: WithdrawalProps): ReactNode {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="default" aria-label={label} loading={busy} onClick={() => setAsked(true)}>
        {action}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={title}
        action={action}
        onConfirm={() => {
          setAsked(false);
          onConfirm();
        }}
        onClose={() => setAsked(false)}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
