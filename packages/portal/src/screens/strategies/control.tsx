import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Card, Hint, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

interface ControlProps {
  readonly plantId: string;
  readonly zone: string;
  /** Since when the writes of others have been stopped. */
  readonly stoppedAt: number | undefined;
  readonly isOwner: boolean;
}

/** Whether others may write to the plant, and the owner's way to stop them all. */
export function Control({ plantId, zone, stoppedAt, isOwner }: ControlProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const [isAsking, setAsking] = useState(false);
  // The dialog closes after what it asks about has changed.
  const [asksToStop, setAsksToStop] = useState(true);
  const stop = useChange('control/stop');
  const release = useChange('control/release');
  const isStopped = stoppedAt !== undefined;
  const carryOut = (): void =>
    (asksToStop ? stop : release).mutate(
      { plantId },
      {
        onSuccess: () => toast.show(asksToStop ? t.stoppedNow : t.releasedNow),
        onError: ({ message }) => toast.fault(message),
        onSettled: () => setAsking(false),
      },
    );
  const ask = (): void => {
    setAsksToStop(!isStopped);
    setAsking(true);
  };
  return (
    <Card aria-labelledby="control">
      <h2 id="control">{t.control}</h2>
      {isStopped ? (
        <Hint fault>{t.stopped(formats.dateTime(stoppedAt, zone))}</Hint>
      ) : (
        <Soft>{(isOwner ? t : t.shared).open}</Soft>
      )}
      {!isOwner && !isStopped && <Soft>{t.shared.stopAll}</Soft>}
      {isOwner && (
        <Button
          {...(!isStopped && { c: 'var(--hp-fault)' })}
          variant={isStopped ? 'filled' : 'default'}
          onClick={ask}
        >
          {isStopped ? t.release : t.stopAll}
        </Button>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={asksToStop ? t.stopAllTitle : t.releaseTitle}
        action={asksToStop ? t.stopAll : t.release}
        dangerous={asksToStop}
        busy={stop.isPending || release.isPending}
        onConfirm={carryOut}
        onClose={() => setAsking(false)}
      >
        {asksToStop ? (
          <>
            <Soft>{t.stopAllLead}</Soft>
            <Soft>{t.stopAllThen}</Soft>
          </>
        ) : (
          <Soft>{t.releaseLead}</Soft>
        )}
      </ConfirmDialog>
    </Card>
  );
}
