import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Actions, Form } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import {
  isOpen,
  undoable,
  useCommand,
  useCommands,
  type Command,
} from '../../../parts/settings/command.ts';
import { Progress } from '../../../parts/settings/progress.tsx';
import { type Setting, settingTexts, settingValue } from '../../../parts/settings/setting-texts.ts';
import { toast } from '../../../parts/toast.tsx';
import { useChange } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';

interface ResultProps {
  readonly sn: string;
  readonly setting: Setting;
  /** Whether the setting has none, as the device is set now. */
  readonly isWithoutEffect: boolean;
  /** The write that was sent. */
  readonly sent: Command;
  readonly onClose: () => void;
}

/** What becomes of a write, step by step. Once the device has the new value, the change can be undone, which is then followed as well. */
export function WriteResult({
  sn,
  setting,
  isWithoutEffect,
  sent,
  onClose,
}: ResultProps): ReactNode {
  const t = texts.useTexts();
  const words = settingTexts.useTexts();
  const formats = useFormats();
  const client = useQueryClient();
  const undo = useChange('command/undo');
  const last = undo.data ?? sent;
  const { data: command = last } = useCommand(last.id);
  const hasEnded = !isOpen(command);
  useEffect(() => {
    if (hasEnded)
      void client.invalidateQueries({
        predicate: ({ queryKey }) =>
          queryKey[0] === 'command/parameters' || queryKey[0] === 'command/list',
      });
  }, [hasEnded, client]);
  return (
    <Form component="div">
      <p>
        {settingValue(words, formats, setting, command.oldValue)} →{' '}
        <strong>{settingValue(words, formats, setting, command.newValue)}</strong>
      </p>
      <Progress command={command} isWithoutEffect={isWithoutEffect} />
      <Actions end>
        {command.state === 'verified' && (
          <IfLast sn={sn} command={command}>
            <Button
              variant="default"
              loading={undo.isPending}
              onClick={() =>
                undo.mutate(
                  { sn, cid: setting.parameter! },
                  { onError: ({ message }) => toast.fault(message) },
                )
              }
            >
              {t.setBack(settingValue(words, formats, setting, command.oldValue))}
            </Button>
          </IfLast>
        )}
        <Button onClick={onClose}>{hasEnded ? t.done : t.close}</Button>
      </Actions>
    </Form>
  );
}

/** Nothing if the setting was changed again since, or nothing that can be undone. */
function IfLast({
  sn,
  command,
  children,
}: {
  readonly sn: string;
  readonly command: Command;
  readonly children: ReactNode;
}): ReactNode {
  const { data: changes = [] } = useCommands({ sn });
  return [...undoable(changes)].some(({ id }) => id === command.id) && children;
}
