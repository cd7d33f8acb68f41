import type { WireData } from '@helioport/contract';
import { ActionIcon, Alert, Button, Fieldset, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Fields, Form, Soft } from '../../components/layout.tsx';
import { DateTimeField } from '../../parts/forms/date-time-field.tsx';
import { CrossIcon } from '../../parts/icons.tsx';
import { KeepUnsaved } from '../../parts/forms/keep-unsaved.tsx';
import { toast } from '../../parts/toast.tsx';
import { call } from '../../wire/call.ts';
import { useChange } from '../../wire/queries.ts';
import styles from './strategies.module.css';
import { texts } from './texts/index.ts';
import { useWords } from './words.ts';

type StoredLimits = WireData<'strategy/limits'>;
type Hours = NonNullable<StoredLimits['quietHours']>[number];

/** The limits as they are typed. */
interface Typed {
  readonly reserve: string;
  readonly cycles: string;
  readonly hours: readonly Hours[];
}

const typedOf = ({ reserveSocPercent, cyclesPerDay, quietHours = [] }: StoredLimits): Typed => ({
  reserve: reserveSocPercent === undefined ? '' : String(reserveSocPercent),
  cycles: cyclesPerDay === undefined ? '' : String(cyclesPerDay),
  hours: quietHours,
});

const isFit = (text: string): boolean => text === '' || (Number(text) >= 0 && Number(text) <= 100);
const areFit = ({ start, end }: Hours): boolean => start !== '' && end !== '' && start !== end;
const NIGHT: Hours = { start: '22:00', end: '06:00' };
const HOURS_AT_MOST = 20;
// Fields for times end at 23:59.
const inField = (time: string): string => (time === '24:00' ? '00:00' : time);

/** Lets the owner change the limits. What others save meanwhile is not overwritten unseen. */
export function LimitsForm({
  plantId,
  limits,
}: {
  readonly plantId: string;
  readonly limits: StoredLimits;
}): ReactNode {
  const t = texts.useTexts();
  const words = useWords();
  const client = useQueryClient();
  const change = useChange('strategy/setLimits');
  const [isSaving, setSaving] = useState(false);
  const [fault, setFault] = useState<string>();
  const [base, setBase] = useState(limits);
  const [typed, setTyped] = useState<Typed>(() => typedOf(limits));
  const isTouched = JSON.stringify(typed) !== JSON.stringify(typedOf(base));
  const isElsewhere = JSON.stringify(limits) !== JSON.stringify(base);
  // Without changes of one's own, the form follows the server.
  if (isElsewhere && !isTouched) take(limits);
  function take(next: StoredLimits): void {
    setBase(next);
    setTyped(typedOf(next));
  }

  const { reserve, cycles, hours } = typed;
  const setHours = (place: number, part: Partial<Hours>): void =>
    setTyped({ ...typed, hours: hours.map((one, i) => (i === place ? { ...one, ...part } : one)) });
  const isComplete = isFit(reserve) && isFit(cycles) && hours.every(areFit);
  const save = async (): Promise<void> => {
    const request = { plantId };
    const latest = await client.fetchQuery({
      queryKey: ['strategy/limits', request],
      queryFn: () => call('strategy/limits', request),
      staleTime: 0,
    });
    // What the person has not seen is shown first.
    if (JSON.stringify(latest) !== JSON.stringify(limits)) return;
    await change.mutateAsync(
      {
        plantId,
        ...(reserve !== '' && { reserveSocPercent: reserve }),
        ...(cycles !== '' && { cyclesPerDay: cycles }),
        quietHours: hours,
      },
      {
        onSuccess: (saved) => {
          take(saved);
          toast.show(t.saved);
        },
      },
    );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setFault(undefined);
    setSaving(true);
    save()
      .catch((error: Error) => setFault(error.message))
      .finally(() => setSaving(false));
  };
  return (
    <Form onSubmit={submit} noValidate>
      <KeepUnsaved when={isTouched && !isSaving} />
      <Fields>
        <TextInput
          type="number"
          min={0}
          max={100}
          label={t.reserve}
          description={t.reserveHint}
          placeholder={t.none}
          rightSection="%"
          value={reserve}
          error={!isFit(reserve) && t.wrongReserve}
          onChange={({ currentTarget }) => setTyped({ ...typed, reserve: currentTarget.value })}
        />
        <TextInput
          type="number"
          min={0}
          max={100}
          step={0.1}
          label={t.cycles}
          placeholder={t.none}
          value={cycles}
          error={!isFit(cycles) && t.wrongCycles}
          onChange={({ currentTarget }) => setTyped({ ...typed, cycles: currentTarget.value })}
        />
      </Fields>
      <Fieldset legend={t.quietHours} className={styles.quiet}>
        <Soft>{t.quietLead}</Soft>
        {hours.map((one, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- hours have no other name
          <div key={i} className={styles.hours}>
            <DateTimeField
              type="time"
              label={t.from}
              value={one.start}
              onChange={({ currentTarget }) => setHours(i, { start: currentTarget.value })}
            />
            <DateTimeField
              type="time"
              label={t.to}
              value={inField(one.end)}
              error={!areFit(one) && t.wrongHours}
              onChange={({ currentTarget }) => setHours(i, { end: currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label={t.removeHours(words.hours(one))}
              onClick={() => setTyped({ ...typed, hours: hours.filter((_, place) => place !== i) })}
            >
              <CrossIcon />
            </ActionIcon>
          </div>
        ))}
        {hours.length < HOURS_AT_MOST && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => setTyped({ ...typed, hours: [...hours, NIGHT] })}
          >
            {t.addHours}
          </Button>
        )}
      </Fieldset>
      {isElsewhere && (
        <Alert color="yellow" role="alert">
          {t.elsewhere}{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => take(limits)}>
            {t.takeThose}
          </Button>
        </Alert>
      )}
      {fault !== undefined && (
        <Alert color="red" role="alert">
          <bdi lang="en">{fault}</bdi>
        </Alert>
      )}
      <Button type="submit" disabled={!isTouched || !isComplete} loading={isSaving}>
        {t.save}
      </Button>
    </Form>
  );
}
