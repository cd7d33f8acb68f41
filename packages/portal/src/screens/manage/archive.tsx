import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Card, Soft } from '../../components/layout.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange } from '../../wire/queries.ts';
import { ManageFault } from './fault.tsx';
import { texts } from './texts/index.ts';

/** A plant is put aside. */
export function Archive({ plantId }: { readonly plantId: string }): ReactNode {
  const t = texts.useTexts();
  const navigate = useNavigate();
  const archive = useChange('archiveStation');
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const putAside = (): void =>
    archive.mutate(
      { id: plantId },
      {
        onSuccess: () => {
          toast.show(t.archivedDone, <Link to="/plants/archived">{t.archived}</Link>);
          void navigate({ to: '/' });
        },
        onSettled: close,
      },
    );
  return (
    <Card id="archive" aria-label={t.archive}>
      <h2>{t.archive}</h2>
      <Soft>{t.archiveLead}</Soft>
      <div>
        <Button variant="default" onClick={() => setAsked(true)}>
          {t.archive}
        </Button>
      </div>
      <ManageFault error={archive.error} />
      <ConfirmDialog
        opened={isAsked}
        title={t.archive}
        action={t.archive}
        dangerous
        busy={archive.isPending}
        onConfirm={putAside}
        onClose={close}
      >
        {t.archiveLead}
      </ConfirmDialog>
    </Card>
  );
}
