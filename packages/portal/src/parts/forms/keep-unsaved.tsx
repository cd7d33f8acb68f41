import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { texts } from '../texts/index.ts';

/** Asks before a page is left on which something was changed and not saved. */
export function KeepUnsaved({ when }: { readonly when: boolean }): ReactNode {
  const t = texts.useTexts().unsaved;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: when,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      title={t.title}
      action={t.leave}
      dangerous
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {t.lead}
    </ConfirmDialog>
  );
}
