import { Alert, Button, PasswordInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Form } from '../../components/layout.tsx';
import { Dialog } from '../../focus/dialog.tsx';
import { texts as ofParts } from '../../parts/texts/index.ts';
import { FactorForm } from '../../session/factor-form.tsx';
import { factorRequestOf, type FactorRequest } from '../../session/factor-request.ts';
import { useSession } from '../../session/session-context.ts';
import { CallFailure } from '../../wire/failure.ts';
import { texts } from './texts/index.ts';

/** What shows who somebody is, as operations take it. */
export interface GivenProof {
  readonly password: string;
  readonly secondFactor?: string;
}

interface IdentityDialogProps {
  /** What is done with the proof; what it throws is shown here. */
  readonly onProven: (proof: GivenProof) => Promise<void>;
  readonly onClose: () => void;
}

type Fault = 'wrongPassword' | 'throttled' | 'failed' | 'away' | 'weak';

function faultOf(error: unknown): Fault {
  if (!(error instanceof CallFailure)) return 'away';
  if (error.status === 429) return 'throttled';
  if (error.is('invalidValue') && error.data['field'] === 'password') return 'weak';
  return error.is('wrongLogin') ? 'wrongPassword' : 'failed';
}

/** Asks for the password and, if the account has one, a second factor, before something is done that a stolen session must not do. */
export function IdentityDialog({ onProven, onClose }: IdentityDialogProps): ReactNode {
  const t = texts.useTexts();
  const { newPassword, demoPassword } = ofParts.useTexts();
  const { session } = useSession();
  const [password, setPassword] = useState('');
  const [factors, setFactors] = useState<FactorRequest>();
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);

  const prove = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFault(undefined);
    try {
      await onProven({ password });
    } catch (error) {
      const request = factorRequestOf(error);
      setFactors(request);
      if (!request) setFault(faultOf(error));
      setBusy(false);
    }
  };
  const proveFurther = async (secondFactor: string): Promise<void> => {
    try {
      await onProven({ password, secondFactor });
    } catch (error) {
      if (error instanceof CallFailure && (error.is('wrongFactor') || error.status === 429))
        throw error;
      setFactors(undefined);
      setBusy(false);
      setFault(faultOf(error));
    }
  };

  return (
    <Dialog opened onClose={onClose} title={t.confirmTitle} withCloseButton={false}>
      {factors ? (
        <Form component="div">
          <FactorForm request={factors} onGiven={proveFurther} />
          <Button variant="subtle" onClick={onClose}>
            {t.cancel}
          </Button>
        </Form>
      ) : (
        <Form onSubmit={(event) => void prove(event)}>
          {fault && (
            <Alert color="red" role="alert">
              {t[fault]}
            </Alert>
          )}
          <PasswordInput
            label={t.currentPassword}
            description={session?.demo && demoPassword}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            required
            maxLength={1024}
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': newPassword.show }}
            data-autofocus
          />
          <Actions end>
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t.proceed}
            </Button>
          </Actions>
        </Form>
      )}
    </Dialog>
  );
}
