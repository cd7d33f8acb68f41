import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { useSettingTexts } from '../../../parts/settings/setting-texts.ts';
import { toast } from '../../../parts/toast.tsx';
import type { useChange } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';
import type { Command } from '../../../parts/settings/command.ts';
import styles from './commands.module.css';

interface UndoButtonProps {
  readonly sn: string;
  /** The device and its plant, by their names. */
  readonly place: string;
  /** The change that would be undone. */
  readonly command: Command;
  /** The component that shows the button has the change, since it outlives the button. */
  readonly undo: ReturnType<typeof useChange<'command/undo'>>;
  readonly size?: 'xs';
}

/** Undoes the last change of a setting, once it was asked about. */
export function UndoButton({
  sn,
  place,
  command: { parameter = '', name: profileName, oldValue },
  undo,
  size,
}: UndoButtonProps): ReactNode {
  const t = texts.useTexts();
  const names = useSettingTexts(sn);
  const [isAsked, setAsked] = useState(false);
  const name = names.nameOf(parameter, profileName);
  const close = (): void => setAsked(false);
  return (
    <>
      <Button
        variant="default"
        {...(size && { size })}
        className={styles.button}
        aria-label={t.undoName(name)}
        onClick={() => setAsked(true)}
      >
        {t.undo}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t.undoTitle}
        action={t.undo}
        busy={undo.isPending}
        onClose={close}
        onConfirm={() =>
          undo.mutate(
            { sn, cid: parameter },
            { onError: ({ message }) => toast.fault(message), onSettled: close },
          )
        }
      >
        <p>
          <bdi>{place}</bdi>
        </p>
        <p>{t.undoLead(name, names.valueOf(parameter, oldValue))}</p>
      </ConfirmDialog>
    </>
  );
}
