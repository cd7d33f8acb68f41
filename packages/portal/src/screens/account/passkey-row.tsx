import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Form } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly lastUsedAt: number | null;
}

interface PasskeyRowProps {
  readonly passkey: Passkey;
  readonly onRemove: () => void;
}

/** A passkey, which can be given another name and be removed. */
export function PasskeyRow({
  passkey: { id, name, lastUsedAt },
  onRemove,
}: PasskeyRowProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const [typed, setTyped] = useState<string>();
  const rename = useChange('passkey/rename');

  const save = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate(
      { id, name: typed! },
      {
        onSuccess: () => setTyped(undefined),
        onError: (error) => toast.fault(`${t.failed} ${error.message}`),
      },
    );
  };
  if (typed !== undefined)
    return (
      <li>
        <Form onSubmit={save}>
          <TextInput
            label={t.passkeyName}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            required
            maxLength={100}
            withAsterisk={false}
          />
          <Actions>
            <Button type="submit" size="xs" loading={rename.isPending}>
              {t.save}
            </Button>
            <Button variant="default" size="xs" onClick={() => setTyped(undefined)}>
              {t.cancel}
            </Button>
          </Actions>
        </Form>
      </li>
    );
  return (
    <li>
      <span>
        <bdi>{name}</bdi>
        <small>
          {lastUsedAt === null ? t.neverUsed : t.lastUsed(formats.dateTime(lastUsedAt, timeZone))}
        </small>
      </span>
      <Actions>
        <Button
          variant="default"
          size="xs"
          aria-label={t.renameNamed(name)}
          onClick={() => setTyped(name)}
        >
          {t.renamePasskey}
        </Button>
        <Button variant="default" size="xs" aria-label={t.removeNamed(name)} onClick={onRemove}>
          {t.removePasskey}
        </Button>
      </Actions>
    </li>
  );
}
