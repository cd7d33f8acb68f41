import { Alert, Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Form, Soft } from '../../components/layout.tsx';
import { useLanguage } from '../../i18n/active-language.tsx';
import type { Language } from '../../i18n/languages.ts';
import { CallFailure } from '../../wire/failure.ts';
import { texts } from './texts/index.ts';

type Fault = 'invalid' | 'throttled' | 'away';

function faultOf(error: unknown): Fault {
  if (!(error instanceof CallFailure)) return 'away';
  return error.status === 429 ? 'throttled' : 'invalid';
}

interface AskFormProps {
  readonly ask: (email: string, language: Language) => Promise<unknown>;
  /** What is said after that. */
  readonly sent: (email: string) => string;
}

/** Asks for an e-mail with a link. What follows is the same whether the address has an account or not. */
export function AskForm({ ask, sent }: AskFormProps): ReactNode {
  const t = texts.useTexts();
  const { language } = useLanguage();
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);

  const begin = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      await ask(email, language);
      setSent(true);
    } catch (error) {
      setFault(faultOf(error));
    }
    setBusy(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void begin();
  };

  if (isSent)
    return (
      <Form role="status" component="div">
        <p>{sent(email)}</p>
        <Soft>{t.sentHint}</Soft>
        <Button variant="default" onClick={() => setSent(false)}>
          {t.again}
        </Button>
      </Form>
    );
  return (
    <Form onSubmit={submit}>
      {fault && (
        <Alert color="red" role="alert" id="ask-fault">
          {t[fault]}
        </Alert>
      )}
      <TextInput
        type="email"
        label={t.email}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="username"
        required
        maxLength={254}
        size="md"
        withAsterisk={false}
        aria-describedby={fault && 'ask-fault'}
      />
      <Button type="submit" size="md" loading={isBusy} fullWidth>
        {t.send}
      </Button>
      <Link to="/sign-in">{t.back}</Link>
    </Form>
  );
}
