import { Button, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import styles from './factor-field.module.css';
import { texts } from './texts/index.ts';

interface FactorFieldProps {
  /** `data` of the refusal that asks for a second factor. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** Called with the answer of a passkey, which needs no further click. */
  readonly onAnswer: (answer: string) => void;
}

/** Asks for the second factor of somebody who proves once more who is there: a code, or a passkey where the account has one. */
export function FactorField({ request, value, onChange, onAnswer }: FactorFieldProps): ReactNode {
  const t = texts.useTexts().factor;
  const [isUnused, setUnused] = useState(false);
  const { passkey } = request;
  const usePasskey = async (): Promise<void> => {
    setUnused(false);
    try {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      onAnswer(JSON.stringify(await startAuthentication({ optionsJSON: passkey as never })));
    } catch {
      setUnused(true);
    }
  };
  return (
    <div className={styles.factor}>
      <TextInput
        label={t.label}
        description={t.lead}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="one-time-code"
        maxLength={64}
        data-autofocus
        {...(isUnused && { error: t.unused })}
      />
      {passkey !== undefined && (
        <Button variant="default" onClick={() => void usePasskey()}>
          {t.passkey}
        </Button>
      )}
    </div>
  );
}
