import type { ErrorCode } from '@helioport/contract/error-codes';
import { Alert, Button, Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Fields, Form, Soft } from '../../../components/layout.tsx';
import { Dialog } from '../../../focus/dialog.tsx';
import { CopyField } from '../../../parts/copy-field.tsx';
import { FactorField } from '../../../parts/factor-field.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { CallFailure, isAbout } from '../../../wire/failure.ts';
import { useChange } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';

const SCHEMES = { http: 'https://', mqtt: 'mqtts://', rocketmq: 'rocketmqs://' } as const;
type Transport = keyof typeof SCHEMES;

/** Kinds of events by what people call them. */
const GROUPS = {
  readings: ['telemetry.sample'],
  states: ['device.state'],
  alarms: ['alarm.raised', 'alarm.cleared'],
  commands: ['control.result'],
  strategies: ['strategy.state'],
  plants: ['plant.changed', 'device.bound', 'device.unbound', 'performance.loss'],
  authorizations: ['authorization.granted', 'authorization.revoked'],
} as const;
type Group = keyof typeof GROUPS;
const ALL = Object.keys(GROUPS) as Group[];
const SNAPSHOT = ['snapshot.plant', 'snapshot.device', 'snapshot.complete'];

interface AddDialogProps {
  readonly clientId: string;
  readonly onClose: () => void;
}

/** Adds a destination once it is clear who is there, and shows its secret once. It gets a snapshot at once. */
export function AddDialog({ clientId, onClose }: AddDialogProps): ReactNode {
  const all = texts.useTexts();
  const [t, said] = [all.destinations.form, all.credentials];
  const add = useChange('developer/addDestination');
  const [transport, setTransport] = useState<Transport>('http');
  const [chosen, setChosen] = useState<readonly string[]>(ALL);
  const [values, setValues] = useState({ url: '', topic: '', username: '', brokerPassword: '' });
  const [password, setPassword] = useState('');
  const [factor, setFactor] = useState('');
  const { error, data: made } = add;
  const is = (...names: readonly ErrorCode[]): boolean =>
    error instanceof CallFailure && error.is(...names);
  const set = (name: keyof typeof values) => (event: { currentTarget: { value: string } }) =>
    setValues({ ...values, [name]: event.currentTarget.value });
  const send = (secondFactor: string): void => {
    const { url, ...broker } = values;
    const given = Object.entries(broker).filter(
      ([, value]) => transport !== 'http' && value.trim() !== '',
    );
    add.mutate(
      {
        clientId,
        password,
        url: url.trim(),
        ...Object.fromEntries(given),
        ...(chosen.length < ALL.length && {
          kinds: [...chosen.flatMap((one) => [...GROUPS[one as Group]]), ...SNAPSHOT].join(','),
        }),
        ...(secondFactor !== '' && { secondFactor }),
      },
      { onSuccess: () => setPassword(''), onError: () => setFactor('') },
    );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(factor);
  };
  const faultText = (fault: Error): string => {
    if (is('wrongLogin')) return said.wrongPassword;
    if (is('wrongFactor')) return said.wrongFactor;
    return fault instanceof CallFailure && fault.status === 429
      ? said.throttled
      : `${all.form.failed} ${fault.message}`;
  };
  const urlFault = isAbout(error, 'url')
    ? ((error as CallFailure).data['expected'] as string)
    : undefined;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={all.destinations.add}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': all.close }}
    >
      {made ? (
        <Form component="div">
          <Soft>{t.added}</Soft>
          {made.secret !== undefined && (
            <>
              <Notice kind="warn" title={said.once}>
                <p>{t.secretLead}</p>
              </Notice>
              <CopyField label={t.secret} value={made.secret} />
            </>
          )}
          <Actions end>
            <Button onClick={onClose}>{all.close}</Button>
          </Actions>
        </Form>
      ) : (
        <Form onSubmit={submit}>
          <Soft>{t.lead}</Soft>
          <NativeSelect
            label={t.transport}
            value={transport}
            onChange={({ currentTarget: { value } }) => setTransport(value as Transport)}
            data={Object.keys(SCHEMES).map((value) => ({
              value,
              label: t.transports[value as Transport],
            }))}
          />
          <TextInput
            label={t.url}
            placeholder={`${SCHEMES[transport]}…`}
            required
            withAsterisk={false}
            maxLength={2000}
            value={values.url}
            onChange={set('url')}
            error={urlFault}
            data-autofocus
          />
          {transport !== 'http' && (
            <Fields>
              <TextInput
                label={t.topic}
                description={t.topicLeads[transport]}
                maxLength={500}
                value={values.topic}
                onChange={set('topic')}
              />
              <TextInput
                label={t.username}
                maxLength={256}
                autoComplete="off"
                value={values.username}
                onChange={set('username')}
              />
              <PasswordInput
                label={t.brokerPassword}
                maxLength={256}
                autoComplete="new-password"
                value={values.brokerPassword}
                onChange={set('brokerPassword')}
                visibilityToggleButtonProps={{ 'aria-label': said.showPassword }}
              />
            </Fields>
          )}
          <Checkbox.Group label={t.kinds} value={[...chosen]} onChange={setChosen}>
            <Fields mt="xs">
              {ALL.map((group) => (
                <Checkbox key={group} value={group} label={t.groups[group]} />
              ))}
            </Fields>
          </Checkbox.Group>
          <PasswordInput
            label={said.password}
            description={t.passwordLead}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            required
            withAsterisk={false}
            maxLength={1024}
            visibilityToggleButtonProps={{ 'aria-label': said.showPassword }}
          />
          {is('secondFactorRequired', 'wrongFactor') && (
            <FactorField
              request={(error as CallFailure).data}
              value={factor}
              onChange={setFactor}
              onAnswer={send}
            />
          )}
          {error && urlFault === undefined && !is('secondFactorRequired') && (
            <Alert color="red" role="alert">
              {faultText(error)}
            </Alert>
          )}
          <Actions end>
            <Button variant="default" onClick={onClose}>
              {all.cancel}
            </Button>
            <Button type="submit" loading={add.isPending} disabled={chosen.length === 0}>
              {all.destinations.add}
            </Button>
          </Actions>
        </Form>
      )}
    </Dialog>
  );
}
