import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Form, Section, Soft } from '../components/layout.tsx';
import { CallFailure } from '../wire/failure.ts';
import { askForPasskey, hasPasskeys } from '../wire/passkeys.ts';
import {
  continueLogIn,
  logIn,
  logInToDemo,
  logInWithPasskey,
  passkeyOptions,
  type Session,
} from '../wire/session.ts';
import { EntryCard } from './entry-card.tsx';
import { FactorForm } from './factor-form.tsx';
import { factorRequestOf, type FactorRequest } from './factor-request.ts';
import { useSession } from './session-context.ts';
import { texts } from './texts/index.ts';

type Fault = 'wrong' | 'wrongPasskey' | 'throttled' | 'away';

function faultOf(error: unknown): Fault {
  if (!(error instanceof CallFailure)) return 'away';
  return error.status === 429 ? 'throttled' : error.is('wrongFactor') ? 'wrongPasskey' : 'wrong';
}

type Entry = 'demo' | 'form' | 'passkey';

/** Signs in. `email`: only this account can sign in here. */
export function SignInForm({ email: fixedEmail }: { readonly email?: string }): ReactNode {
  const t = texts.useTexts();
  const { session, accept } = useSession();
  const isEntry = fixedEmail === undefined;
  const [email, setEmail] = useState(fixedEmail ?? '');
  const [password, setPassword] = useState('');
  // The button whose work is under way.
  const [busy, setBusy] = useState<Entry>();
  const isBusy = busy !== undefined;
  const [factors, setFactors] = useState<FactorRequest>();
  const [fault, setFault] = useState<Fault>();

  const begin = async (entry: Entry, begun: Promise<Session>): Promise<void> => {
    setBusy(entry);
    setFault(undefined);
    try {
      accept(await begun);
      setBusy(undefined);
    } catch (error) {
      const request = factorRequestOf(error);
      setFactors(request);
      if (!request) setFault(faultOf(error));
      setBusy(undefined);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void begin('form', logIn(email, password));
  };
  const signInWithPasskey = async (): Promise<Session> => {
    const response = await askForPasskey(await passkeyOptions());
    return response === undefined ? session! : logInWithPasskey(response);
  };
  const hasDemo = isEntry && session?.demo === true;

  if (factors) {
    const lead = factors.methods.includes('totp') ? t.secondStepApp : t.secondStepPasskey;
    const step = (
      <Form component="div">
        {!isEntry && <Soft>{lead}</Soft>}
        <FactorForm
          request={factors}
          onGiven={async (secondFactor) =>
            accept(await continueLogIn(factors.ticket ?? '', secondFactor))
          }
        />
        <Button variant="subtle" onClick={() => setFactors(undefined)}>
          {t.startAgain}
        </Button>
      </Form>
    );
    return isEntry ? (
      <EntryCard title={t.secondTitle} lead={lead}>
        {step}
      </EntryCard>
    ) : (
      step
    );
  }
  const fields = (
    <Form onSubmit={submit}>
      {fault && (
        <Alert color="red" role="alert" id="sign-in-fault">
          {t[fault]}
        </Alert>
      )}
      {hasDemo && (
        <Section component="div">
          <Button
            size="md"
            color="yellow"
            autoContrast
            loading={busy === 'demo'}
            disabled={isBusy}
            onClick={() => void begin('demo', logInToDemo())}
            fullWidth
          >
            {t.demo}
          </Button>
          <p>{t.demoLead}</p>
        </Section>
      )}
      <TextInput
        type="email"
        name="email"
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
        name="password"
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
      <Button type="submit" size="md" loading={busy === 'form'} disabled={isBusy} fullWidth>
        {t.submit}
      </Button>
      {isEntry && session?.mail && <Link to="/reset">{t.forgotten}</Link>}
      {isEntry && session?.signUp && <Link to="/sign-up">{t.noAccount}</Link>}
      {isEntry && session && !(session.mail && session.signUp) && (
        <Soft>
          {session.mail ? t.askForAccount : session.signUp ? t.askForPassword : t.askForBoth}
        </Soft>
      )}
      {isEntry && hasPasskeys() && (
        <Button
          variant="default"
          size="md"
          disabled={isBusy}
          onClick={() => void begin('passkey', signInWithPasskey())}
          fullWidth
        >
          {t.passkey}
        </Button>
      )}
    </Form>
  );
  return isEntry ? (
    <EntryCard title={t.title} lead={t.lead}>
      {fields}
    </EntryCard>
  ) : (
    fields
  );
}
