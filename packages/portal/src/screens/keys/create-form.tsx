import {
  Alert,
  Button,
  NativeSelect,
  PasswordInput,
  Radio,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Form, Section } from '../../components/layout.tsx';
import { DateTimeField } from '../../parts/forms/date-time-field.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { addDays, localDay, startOfDay } from '../../i18n/plant-time.ts';
import { FactorField } from '../../parts/factor-field.tsx';
import { PlantChoice } from '../../parts/plants/plant-choice.tsx';
import { texts as ofParts } from '../../parts/texts/index.ts';
import { useAccount, useSession } from '../../session/session-context.ts';
import { CallFailure } from '../../wire/failure.ts';
import { useChange } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { lifetimeLike, LIFETIMES, type Lifetime } from './lifetimes.ts';
import type { Key } from './key-state.ts';
import styles from './keys.module.css';
import type { KeyPair } from './new-secret.tsx';
import { texts } from './texts/index.ts';

interface CreateFormProps {
  /** The key pair that the new one is to replace; undefined = it is another one. */
  readonly replaced: Key | undefined;
  readonly onCreated: (pair: KeyPair) => void;
  readonly onClose: () => void;
}

const isOfNetworks = (error: Error | null): boolean =>
  error instanceof CallFailure && error.data['field'] === 'cidrs';

const isOfPassword = (error: Error | null): boolean =>
  error instanceof CallFailure && error.is('wrongLogin');

/** The last minute of a local day: a key pair that is good up to a day lasts through it, whatever the clocks do until then. */
const endOfDay = (day: string, zone: string): number => startOfDay(addDays(day, 1), zone) - 60_000;

/** Its owner says what a new key pair may do and for how long, and proves who is there. */
export function CreateForm({ replaced, onCreated, onClose }: CreateFormProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const create = useChange('key/create');
  const [label, setLabel] = useState(replaced?.label ?? '');
  const [canControl, setCanControl] = useState(replaced?.canControl ?? false);
  const [plantIds, setPlantIds] = useState<readonly string[] | null>(replaced?.plantIds ?? null);
  const [networks, setNetworks] = useState(replaced?.cidrs?.join('\n') ?? '');
  const { timeZone } = useAccount();
  const { session } = useSession();
  const { demoPassword } = ofParts.useTexts();
  const today = localDay(serverNow(), timeZone);
  const tomorrow = addDays(today, 1);
  const likeReplaced = replaced && lifetimeLike(replaced, today, timeZone);
  // Nothing that gives access should last for ever unasked.
  const [lifetime, setLifetime] = useState<Lifetime>(likeReplaced?.lifetime ?? '365');
  const [lastDay, setLastDay] = useState(likeReplaced?.lastDay ?? '');
  const [password, setPassword] = useState('');
  const [factor, setFactor] = useState('');
  const isIncomplete = plantIds?.length === 0;
  const networksField = useRef<HTMLTextAreaElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  const { error } = create;
  // Asked for after the password, and only if the account has one.
  const wantsFactor =
    error instanceof CallFailure && error.is('secondFactorRequired', 'wrongFactor');
  const send = (secondFactor: string): void => {
    const allowed = networks.split(/[\s,]+/).filter(Boolean);
    create.mutate(
      {
        label,
        canControl: canControl ? 1 : 0,
        password,
        ...(secondFactor !== '' && { secondFactor }),
        ...(plantIds && { plantIds }),
        ...(allowed.length > 0 && { networks: allowed }),
        ...(lifetime !== 'never' && {
          expiresAt: endOfDay(
            lifetime === 'until' ? lastDay : addDays(today, Number(lifetime)),
            timeZone,
          ),
        }),
      },
      {
        onSuccess: (pair) => onCreated(pair as KeyPair),
        onError: (fault) => {
          setFactor('');
          if (isOfPassword(fault)) {
            setPassword('');
            passwordField.current?.focus();
          }
          if (isOfNetworks(fault)) networksField.current?.focus();
        },
      },
    );
  };
  const lifetimeText = (value: Lifetime): string => {
    const text =
      value in t.form.lifetimes
        ? t.form.lifetimes[value as keyof typeof t.form.lifetimes]
        : t.form.days(Number(value));
    return value === 'until' || value === 'never'
      ? text
      : t.form.untilDay(text, formats.day(addDays(today, Number(value))));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(factor);
  };
  return (
    <Form onSubmit={submit}>
      {replaced && <p>{t.replaceLead(replaced.label || replaced.keyId!)}</p>}
      <TextInput
        label={t.form.label}
        description={t.form.labelLead}
        value={label}
        maxLength={100}
        data-autofocus
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <Radio.Group
        label={t.form.may}
        value={canControl ? 'control' : 'read'}
        onChange={(next) => setCanControl(next === 'control')}
      >
        <Section component="div">
          <Radio value="read" label={t.permission.read} description={t.form.readLead} />
          <Radio value="control" label={t.permission.control} description={t.form.controlLead} />
        </Section>
      </Radio.Group>
      <PlantChoice label={t.form.plants} value={plantIds} onChange={setPlantIds} />
      <Textarea
        ref={networksField}
        label={t.form.networks}
        error={isOfNetworks(error) && t.faults.networks}
        description={t.form.networksLead}
        placeholder="203.0.113.0/24"
        autosize={false}
        rows={2}
        value={networks}
        onChange={(event) => setNetworks(event.currentTarget.value)}
      />
      <NativeSelect
        label={t.form.expiry}
        value={lifetime}
        onChange={(event) => setLifetime(event.currentTarget.value as Lifetime)}
        data={LIFETIMES.map((value) => ({
          value,
          label: lifetimeText(value),
        }))}
      />
      {lifetime === 'until' && (
        <DateTimeField
          type="date"
          label={t.form.lastDay}
          value={lastDay}
          min={tomorrow}
          max={addDays(tomorrow, 36_500)}
          onChange={(event) => setLastDay(event.currentTarget.value)}
          required
          withAsterisk={false}
        />
      )}
      <PasswordInput
        ref={passwordField}
        label={t.form.password}
        error={isOfPassword(error) && t.faults.wrongPassword}
        description={session?.demo ? `${t.form.passwordLead} ${demoPassword}` : t.form.passwordLead}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="current-password"
        required
        withAsterisk={false}
        maxLength={1024}
        visibilityToggleButtonProps={{ 'aria-label': t.form.showPassword }}
      />
      {wantsFactor && (
        <FactorField request={error.data} value={factor} onChange={setFactor} onAnswer={send} />
      )}
      {error &&
        !isOfNetworks(error) &&
        !isOfPassword(error) &&
        !(error instanceof CallFailure && error.is('secondFactorRequired')) && (
          <Alert color="red" role="alert">
            {faultText(error, t.faults)}
          </Alert>
        )}
      <Actions end className={styles.foot}>
        <Button variant="default" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={create.isPending} disabled={isIncomplete}>
          {replaced ? t.activateReplacement : t.activate}
        </Button>
      </Actions>
    </Form>
  );
}

type FaultTexts = ReturnType<typeof texts.useTexts>['faults'];

function faultText(error: Error, t: FaultTexts): string {
  if (!(error instanceof CallFailure)) return t.away;
  if (error.is('wrongFactor')) return t.wrongFactor;
  if (error.status === 429) return t.throttled;
  return error.message;
}
