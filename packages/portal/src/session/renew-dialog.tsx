import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../focus/dialog.tsx';
import type { Account } from '../wire/session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { texts } from './texts/index.ts';

/** Asks for the password again, above the page whose session has ended. */
export function RenewDialog({ account }: { readonly account: Account }): ReactNode {
  const t = texts.useTexts();
  return (
    <Dialog
      opened
      onClose={() => location.assign('/')}
      title={t.ended}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      zIndex={1000}
    >
      <Text c="dimmed" mb="md">
        {t.endedLead}
      </Text>
      <SignInForm email={account.email} />
    </Dialog>
  );
}
