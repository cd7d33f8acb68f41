import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { CallFailure } from '../wire/failure.ts';
import { logIn, logInToDemo, type Session } from '../wire/session.ts';
import { useSession } from './session-context.ts';
import styles from './sign-in-form.module.css';
import { texts } from './texts/index.ts';

type Fault = 'wrong' | 'throttled' | 'away';

const faultOf = (error: unknown): Fault => (error instanceof CallFailure ? (error.status === 429 ? 'throttled' : 'wrong') : 'away');

/** Signs in. `email`: only this account can sign in here. */
export function SignInForm({ email: fixedEmail }: { readonly email?: string }): ReactNode {
  const t = texts.useTexts();
  const { session, accept } = useSession();
  const [email, setEmail] = useState(fixedEmail ?? '');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);

  const begin = async (begun: Promise<Session>): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      accept(await begun);
    } catch (error) {
      setFault(faultOf(error));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void begin(logIn(email, password));
  };
  const hasDemo = fixedEmail === undefined && session?.demo === true;

  return (
    <form onSubmit={submit} className={styles.form}>
      {fault && (
        <Alert color="red" role="alert" id="sign-in-fault">
          {t[fault]}
        </Alert>
      )}
      {hasDemo && (
        <div className={styles.demo}>
          <Button size="md" color="yellow" autoContrast loading={isBusy} onClick={() => void begin(logInToDemo())} fullWidth>
            {t.demo}
          </Button>
          <p>{t.demoLead}</p>
        </div>
      )}
      <TextInput
        type="email"
        label={t.email}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        readOnly={fixedEmail !== undefined}
        autoComplete="username"
        required
        maxLength={254}
        size="md"
        withAsterisk={false}
        aria-describedby={fault && 'sign-in-fault'}
      />
      <PasswordInput
        label={t.password}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="current-password"
        required
        maxLength={1024}
        size="md"
        withAsterisk={false}
        data-autofocus={fixedEmail !== undefined || undefined}
        visibilityToggleButtonProps={{ 'aria-label': t.showPassword }}
        aria-describedby={fault && 'sign-in-fault'}
      />
      <Button type="submit" size="md" loading={isBusy} fullWidth>
        {t.submit}
      </Button>
    </form>
  );
}
