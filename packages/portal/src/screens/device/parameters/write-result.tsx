import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { type Setting, settingTexts, settingValue } from '../../../parts/settings/setting-texts.ts';
import { useChange } from '../../../wire/queries.ts';
import { isOpen, undoable, useCommand, useCommands, type Command } from '../commands/command.ts';
import { Progress } from '../commands/progress.tsx';
import { UndoButton } from '../commands/undo-button.tsx';
import { texts } from '../texts/index.ts';
import styles from './settings.module.css';

interface ResultProps {
  readonly sn: string;
  readonly place: string;
  readonly setting: Setting;
  /** The write that was sent. */
  readonly sent: Command;
  readonly onClose: () => void;
}

/** What becomes of a write, step by step. Once the device has the new value, the change can be undone, which is then followed as well. */
export function WriteResult({ sn, place, setting, sent, onClose }: ResultProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const formats = useFormats();
  const client = useQueryClient();
  const undo = useChange('command/undo');
  const last = undo.data ?? sent;
  const { data: command = last } = useCommand(last.id);
  const hasEnded = !isOpen(command);
  useEffect(() => {
    if (hasEnded) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'command/parameters' || queryKey[0] === 'command/list' });
  }, [hasEnded, client]);
  return (
    <div className={styles.form}>
      <p className={styles.now}>
        {settingValue(words, formats, setting, command.oldValue)} → <strong>{settingValue(words, formats, setting, command.newValue)}</strong>
      </p>
      <Progress command={command} />
      <div className={styles.actions}>
        {command.state === 'verified' && <UndoIfLast sn={sn} place={place} command={command} undo={undo} />}
        <Button onClick={onClose}>{hasEnded ? t.done : t.close}</Button>
      </div>
    </div>
  );
}

/** Nothing if the setting was changed again since, or nothing that can be undone. */
function UndoIfLast(props: Parameters<typeof UndoButton>[0]): ReactNode {
  const { data: changes = [] } = useCommands({ sn: props.sn });
  return [...undoable(changes)].some(({ id }) => id === props.command.id) && <UndoButton {...props} />;
}
