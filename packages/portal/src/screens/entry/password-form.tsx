import { Alert, Button, Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Form, Soft } from '../../components/layout.tsx';
import { toast } from '../../parts/toast.tsx';
import { FactorForm } from '../../session/factor-form.tsx';
import { factorRequestOf, type FactorRequest } from '../../session/factor-request.ts';
import { useSession } from '../../session/session-context.ts';
import { CallFailure, isAbout } from '../../wire/failure.ts';
import { readSession, resetPassword } from '../../wire/session.ts';
import { NewPasswordField } from '../../parts/new-password-field.tsx';
import { texts } from './texts/index.ts';

interface PasswordFormProps {
  readonly token: string;
  /** Called for a link that was used or replaced, or is too old. */
  readonly onUseless: () => void;
}

/** Takes the new password of somebody who has followed the link, and a second factor where the account has one. */
export function PasswordForm({ token, onUseless }: PasswordFormProps): ReactNode {
  const t = texts.useTexts();
  const navigate = useNavigate();
  const { accept } = useSession();
  const [newPassword, setNewPassword] = useState('');
  const [endsAll, setEndsAll] = useState(false);
  const [fault, setFault] = useState<'weak' | 'throttled' | 'away'>();
  const [isBusy, setBusy] = useState(false);
  const [factors, setFactors] = useState<FactorRequest>();

  const reset = async (secondFactor?: string): Promise<void> => {
    const given = { token, newPassword, endAllAccess: endsAll ? 1 : 0 };
    await resetPassword(secondFactor === undefined ? given : { ...given, secondFactor });
    toast.show(t.done);
    accept(await readSession());
    await navigate({ to: '/', replace: true });
  };
  const begin = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      await reset();
    } catch (error) {
      const request = factorRequestOf(error);
      setFactors(request);
      if (isAbout(error, 'token')) onUseless();
      else if (!request)
        setFault(
          isAbout(error, 'password')
            ? 'weak'
            : error instanceof CallFailure && error.status === 429
              ? 'throttled'
              : 'away',
        );
    }
    setBusy(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void begin();
  };

  if (factors)
    return (
      <Form component="div">
        <Soft>{t.secondStep}</Soft>
        <FactorForm request={factors} onGiven={reset} />
      </Form>
    );
  return (
    <Form onSubmit={submit}>
      {fault && (
        <Alert color="red" role="alert" id="reset-fault">
          {t[fault]}
        </Alert>
      )}
      <NewPasswordField
        label={t.newPassword}
        value={newPassword}
        onChange={setNewPassword}
        size="md"
        faultId={fault && 'reset-fault'}
      />
      <Checkbox
        label={t.endAll}
        checked={endsAll}
        onChange={(event) => setEndsAll(event.currentTarget.checked)}
      />
      <Button type="submit" size="md" loading={isBusy} fullWidth>
        {t.choose}
      </Button>
    </Form>
  );
}
