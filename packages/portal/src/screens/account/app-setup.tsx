import { Alert, Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Form } from '../../components/layout.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { change } from '../../wire/call.ts';
import { CallFailure } from '../../wire/failure.ts';
import { QrCode } from './qr-code.tsx';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

interface AppSetupProps {
  readonly secret: string;
  /** With which apps open. */
  readonly uri: string;
  readonly onDone: (codes: readonly string[] | undefined) => void;
  readonly onCancel: () => void;
}

/** Whether the app is likely on this very device. */
const isPhone = (): boolean => matchMedia('(pointer: coarse)').matches;

/** Hands the key to an authenticator app and asks for its first code. */
export function AppSetup({ secret, uri, onDone, onCancel }: AppSetupProps): ReactNode {
  const t = texts.useTexts();
  const client = useQueryClient();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<'wrongCode' | 'away'>();
  const [isBusy, setBusy] = useState(false);
  const [isHere] = useState(isPhone);

  const finish = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFault(undefined);
    setBusy(true);
    try {
      // The codes are shown at once; what the page says besides follows.
      const { recoveryCodes } = await change('totp/confirm', { code });
      void client.invalidateQueries();
      onDone(recoveryCodes);
    } catch (error) {
      setFault(error instanceof CallFailure ? 'wrongCode' : 'away');
      setBusy(false);
    }
  };

  return (
    <Form onSubmit={(event) => void finish(event)}>
      {isHere ? (
        <>
          <p>{t.openLead}</p>
          <Button component="a" href={uri} size="md" fullWidth>
            {t.openHere}
          </Button>
          <p>{t.scanElsewhere}</p>
          <QrCode text={uri} label={t.app} />
        </>
      ) : (
        <>
          <p>{t.scan}</p>
          <QrCode text={uri} label={t.app} />
          <a href={uri} className={styles.onThisDevice}>
            {t.openApp}
          </a>
        </>
      )}
      <CopyField label={t.secret} value={secret} />
      {fault && (
        <Alert color="red" role="alert">
          {t[fault]}
        </Alert>
      )}
      <TextInput
        label={t.appCode}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={10}
        withAsterisk={false}
      />
      <Actions end>
        <Button variant="default" onClick={onCancel}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t.setUp}
        </Button>
      </Actions>
    </Form>
  );
}
