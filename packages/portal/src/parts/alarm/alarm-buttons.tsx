import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { isNoPermission } from '../../wire/failure.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { toast } from '../toast.tsx';
import type { Alarm } from './alarm.ts';
import { texts } from './texts/index.ts';

interface AlarmButtonsProps {
  readonly alarm: Alarm;
  /** What the alarm is called. */
  readonly title: string;
  /** Who took it on and when; undefined if the reader did, or if nobody knows. */
  readonly takenByOther: string | undefined;
  /** Called when the alarm begins to be taken on, which may change the list that it is in. */
  readonly onTake: ((taking: Promise<unknown>) => void) | undefined;
  readonly onTaken: () => void;
}

/** Takes an alarm on, or gives it back; what somebody else took on is asked about first. Nothing for those who only see the plant. */
export function AlarmButtons({
  alarm,
  title,
  takenByOther,
  onTake,
  onTaken,
}: AlarmButtonsProps): ReactNode {
  const { id, plant, state } = alarm;
  const t = texts.useTexts();
  const isOpen = state !== 'restored';
  const taking = useChange('alarm/process');
  const reopening = useChange('alarm/reopen');
  const { data: may } = useOperation('control/state', { plantId: plant.id }, { enabled: isOpen });
  const [isAsked, setAsked] = useState(false);
  const refused = (error: unknown): void =>
    toast.fault(isNoPermission(error) ? t.mayNot : t.failed);
  // The alarm may leave the list, and these buttons the page, before the answer is dealt with: promises outlive them.
  const take = (): void => {
    const taken = taking.mutateAsync({ id });
    onTake?.(taken);
    void taken.then(() => {
      toast.show(t.processed);
      onTaken();
    }, refused);
  };
  const giveBack = (): void =>
    void reopening
      .mutateAsync({ id })
      .then(() => toast.show(t.reopened), refused)
      .finally(() => setAsked(false));
  const nameOf = (action: string): string => `${action}: ${title}, ${plant.name}`;
  if (!isOpen || may?.mayRead === false) return null;
  // Until it is known, its space is kept.
  const style = { visibility: may ? 'visible' : 'hidden' } as const;
  if (state === 'pending') {
    return (
      <Button
        variant="default"
        size="sm"
        style={style}
        loading={taking.isPending}
        onClick={take}
        aria-label={nameOf(t.process)}
      >
        {t.process}
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="default"
        size="sm"
        style={style}
        loading={reopening.isPending}
        onClick={takenByOther === undefined ? giveBack : () => setAsked(true)}
        aria-label={nameOf(t.reopen)}
      >
        {t.reopen}
      </Button>
      {takenByOther !== undefined && (
        <ConfirmDialog
          opened={isAsked}
          title={t.reopenTitle}
          action={t.reopen}
          busy={reopening.isPending}
          onClose={() => setAsked(false)}
          onConfirm={giveBack}
        >
          <p>
            <bdi>{title}</bdi>, <bdi>{plant.name}</bdi>
          </p>
          <p>{takenByOther}</p>
          <p>{t.reopenLead}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
