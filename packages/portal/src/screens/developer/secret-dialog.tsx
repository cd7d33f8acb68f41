import { Alert, Button, NativeSelect, PasswordInput } from '@mantine/core';
import type { ErrorCode } from '@helioport/contract/error-codes';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Form, Soft } from '../../components/layout.tsx';
import { Dialog } from '../../focus/dialog.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { FactorField } from '../../parts/factor-field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAccount } from '../../session/session-context.ts';
import { CallFailure } from '../../wire/failure.ts';
import { useChange } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

interface SecretDialogProps {
  readonly clientId: string;
  /** Whether there are secrets that go on for a while. */
  readonly replaces: boolean;
  readonly onClose: () => void;
}

const OVERLAPS = [30, 7, 1, 0] as const;

/** Makes a secret once it is clear who is there, and shows it once. */
export function SecretDialog({
  clientId,
  replaces: isLivingNow,
  onClose,
}: SecretDialogProps): ReactNode {
  const all = texts.useTexts();
  const t = all.credentials;
  const formats = useFormats();
  const { timeZone } = useAccount();
  // The secret that is made here is no earlier one.
  const [replaces] = useState(isLivingNow);
  const rotate = useChange('developer/rotateSecret');
  const [days, setDays] = useState<number>(OVERLAPS[0]);
  const [password, setPassword] = useState('');
  const [factor, setFactor] = useState('');
  const { error, data: made } = rotate;
  const isAbout = (...names: readonly ErrorCode[]): boolean =>
    error instanceof CallFailure && error.is(...names);
  const wantsFactor = isAbout('secondFactorRequired', 'wrongFactor');
  const send = (secondFactor: string): void =>
    rotate.mutate(
      { clientId, password, overlapDays: days, ...(secondFactor !== '' && { secondFactor }) },
      { onSuccess: () => setPassword(''), onError: () => setFactor('') },
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(factor);
  };
  const faultText = (fault: Error): string => {
    if (isAbout('wrongLogin')) return t.wrongPassword;
    if (isAbout('wrongFactor')) return t.wrongFactor;
    return fault instanceof CallFailure && fault.status === 429
      ? t.throttled
      : `${all.form.failed} ${fault.message}`;
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={replaces ? t.replace : t.make}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': all.close }}
    >
      {made ? (
        <Form component="div">
          <Notice kind="warn" title={t.once}>
            <p>{t.onceLead}</p>
          </Notice>
          <CopyField label="client_id" value={made.clientId ?? ''} />
          <CopyField label="client_secret" value={made.clientSecret ?? ''} />
          {replaces && (
            <Soft>{t.earlierEnd(formats.dateTime(made.earlierSecretsEndAt, timeZone))}</Soft>
          )}
          <Actions end>
            <Button onClick={onClose}>{all.close}</Button>
          </Actions>
        </Form>
      ) : (
        <Form onSubmit={submit}>
          {replaces && (
            <NativeSelect
              label={t.overlap}
              value={String(days)}
              onChange={(event) => setDays(Number(event.currentTarget.value))}
              data={OVERLAPS.map((value) => ({ value: String(value), label: t.days(value) }))}
            />
          )}
          <PasswordInput
            label={t.password}
            description={t.passwordLead}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            required
            withAsterisk={false}
            maxLength={1024}
            data-autofocus
            visibilityToggleButtonProps={{ 'aria-label': t.showPassword }}
          />
          {wantsFactor && (
            <FactorField
              request={(error as CallFailure).data}
              value={factor}
              onChange={setFactor}
              onAnswer={send}
            />
          )}
          {error && !isAbout('secondFactorRequired') && (
            <Alert color="red" role="alert">
              {faultText(error)}
            </Alert>
          )}
          <Actions end>
            <Button variant="default" onClick={onClose}>
              {all.cancel}
            </Button>
            <Button type="submit" loading={rotate.isPending}>
              {replaces ? t.replace : t.make}
            </Button>
          </Actions>
        </Form>
      )}
    </Dialog>
  );
}
