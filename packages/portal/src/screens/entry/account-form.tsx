import { Alert, Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Form } from '../../components/layout.tsx';
import { useLanguage } from '../../i18n/active-language.tsx';
import { useSession } from '../../session/session-context.ts';
import { isAbout } from '../../wire/failure.ts';
import { signUp } from '../../wire/session.ts';
import { NewPasswordField } from '../../parts/new-password-field.tsx';
import { texts } from './texts/index.ts';

interface AccountFormProps {
  readonly token: string;
  /** Called for a link that was used or replaced, or is too old. */
  readonly onUseless: () => void;
}

/** Takes name and password of somebody who has followed the link, and signs in. */
export function AccountForm({ token, onUseless }: AccountFormProps): ReactNode {
  const t = texts.useTexts();
  const { language } = useLanguage();
  const navigate = useNavigate();
  const { accept } = useSession();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<'weak' | 'taken' | 'away'>();
  const [isBusy, setBusy] = useState(false);

  const begin = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      accept(await signUp({ token, name, password, timeZone, language }));
      await navigate({ to: '/', replace: true });
    } catch (error) {
      if (isAbout(error, 'token')) onUseless();
      else
        setFault(isAbout(error, 'password') ? 'weak' : isAbout(error, 'email') ? 'taken' : 'away');
    }
    setBusy(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void begin();
  };

  return (
    <Form onSubmit={submit}>
      {fault && (
        <Alert color="red" role="alert" id="sign-up-fault">
          {t[fault]}
        </Alert>
      )}
      <TextInput
        label={t.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="name"
        required
        maxLength={100}
        size="md"
        withAsterisk={false}
      />
      <NewPasswordField
        label={t.password}
        value={password}
        onChange={setPassword}
        size="md"
        faultId={fault && 'sign-up-fault'}
      />
      <Button type="submit" size="md" loading={isBusy} fullWidth>
        {t.signUp}
      </Button>
    </Form>
  );
}
