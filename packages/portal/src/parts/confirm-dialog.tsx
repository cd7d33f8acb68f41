import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Actions, Section } from '../components/layout.tsx';
import { Dialog } from '../focus/dialog.tsx';
import { texts } from './texts/index.ts';

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: ReactNode;
  /** What will happen, and to whom. */
  readonly children: ReactNode;
  /** What the button does, as a verb: "Revoke access", not "Yes". */
  readonly action: string;
  /** Whether it cannot be undone, or can cut somebody's supply. */
  readonly dangerous?: boolean;
  readonly busy?: boolean;
  /** Whether something is missing still. */
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done that matters. */
export function ConfirmDialog({
  opened,
  title,
  children,
  action,
  dangerous = false,
  busy = false,
  disabled = false,
  onConfirm,
  onClose,
}: ConfirmProps): ReactNode {
  const t = texts.useTexts();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Section component="div">{children}</Section>
      <Actions end mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t.cancel}
        </Button>
        <Button
          color={dangerous ? 'red.8' : 'blue'}
          loading={busy}
          disabled={disabled}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </Actions>
    </Dialog>
  );
}
