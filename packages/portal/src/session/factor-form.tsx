import { Alert, Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Form } from '../components/layout.tsx';
import { CallFailure } from '../wire/failure.ts';
import { askForPasskey, hasPasskeys } from '../wire/passkeys.ts';
import type { FactorRequest } from './factor-request.ts';
import { texts } from './texts/index.ts';

interface FactorFormProps {
  readonly request: FactorRequest;
  /** Sends what the person gave; what it throws is shown here. */
  readonly onGiven: (secondFactor: string) => Promise<void>;
}

type Fault = 'wrongCode' | 'throttledCode' | 'expired' | 'away';

function faultOf(error: unknown): Fault {
  if (!(error instanceof CallFailure)) return 'away';
  return error.status === 429
    ? 'throttledCode'
    : error.is('loginExpired')
      ? 'expired'
      : 'wrongCode';
}

/** Asks for a second factor: a passkey, a code of the app, or a recovery code. */
export function FactorForm({ request, onGiven }: FactorFormProps): ReactNode {
  const t = texts.useTexts();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const { methods, passkey } = request;
  const hasApp = methods.includes('totp');

  const give = async (given: () => Promise<string | undefined>): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      const secondFactor = await given();
      if (secondFactor !== undefined) await onGiven(secondFactor);
    } catch (error) {
      setFault(faultOf(error));
    }
    setBusy(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void give(async () => code);
  };

  return (
    <Form onSubmit={submit}>
      {fault && (
        <Alert color="red" role="alert" id="factor-fault">
          {t[fault]}
        </Alert>
      )}
      {passkey && hasPasskeys() && (
        <Button
          size="md"
          variant={hasApp ? 'default' : 'filled'}
          disabled={isBusy}
          onClick={() => void give(() => askForPasskey(passkey))}
          fullWidth
        >
          {t.usePasskey}
        </Button>
      )}
      {methods.some((method) => method !== 'passkey') && (
        <>
          <TextInput
            label={hasApp ? t.code : t.recoveryCode}
            description={hasApp ? t.codeHint : t.recoveryHint}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            inputMode={methods.includes('recoveryCode') ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={40}
            size="md"
            withAsterisk={false}
            data-autofocus
            aria-describedby={fault && 'factor-fault'}
          />
          <Button type="submit" size="md" loading={isBusy} fullWidth>
            {t.confirm}
          </Button>
        </>
      )}
    </Form>
  );
}
