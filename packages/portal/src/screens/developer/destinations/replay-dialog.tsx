import { HOUR_MS } from '@helioport/contract/durations';
import { Alert, Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Form, Soft } from '../../../components/layout.tsx';
import { Dialog } from '../../../focus/dialog.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useChange } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { texts } from '../texts/index.ts';

interface ReplayDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

const SPANS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;
type Which = keyof typeof SPANS_MS | 'deadLetters';
const WHICH: readonly Which[] = ['deadLetters', 'hour', 'day', 'week'];

/** Has events sent once more. */
export function ReplayDialog({ id, onClose }: ReplayDialogProps): ReactNode {
  const all = texts.useTexts();
  const t = all.replay;
  const replay = useChange('forwarding/replay');
  const [which, setWhich] = useState<Which>('deadLetters');
  const [deviceSn, setDeviceSn] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const stretch =
      which === 'deadLetters'
        ? { deadLetters: 1 }
        : { from: Math.floor(serverNow() - SPANS_MS[which]) };
    replay.mutate(
      { id, ...stretch, ...(deviceSn.trim() !== '' && { deviceSn }) },
      {
        onSuccess: ({ replays = 0 }) => {
          toast.show(
            replays === 0 ? t.nothing : which === 'deadLetters' ? t.sentLetters(replays) : t.sent,
          );
          onClose();
        },
      },
    );
  };
  return (
    <Dialog opened onClose={onClose} title={t.title} closeButtonProps={{ 'aria-label': all.close }}>
      <Form onSubmit={submit}>
        <Soft>{t.lead}</Soft>
        <NativeSelect
          label={t.what}
          value={which}
          onChange={(event) => setWhich(event.currentTarget.value as Which)}
          data={WHICH.map((value) => ({ value, label: t[value] }))}
        />
        <TextInput
          label={t.device}
          value={deviceSn}
          maxLength={64}
          onChange={(event) => setDeviceSn(event.currentTarget.value)}
        />
        {replay.error && (
          <Alert color="red" role="alert">
            {all.form.failed} {replay.error.message}
          </Alert>
        )}
        <Actions end>
          <Button variant="default" onClick={onClose}>
            {all.cancel}
          </Button>
          <Button type="submit" loading={replay.isPending}>
            {t.send}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
