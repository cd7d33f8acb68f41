import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { DateTimeField } from '../../../parts/forms/date-time-field.tsx';
import { dayFrom } from '../../../i18n/plant-time.ts';
import { texts } from '../texts/index.ts';

const CHOICES = ['nothing', 'yearBefore', 'anotherPeriod'] as const;
type Choice = (typeof CHOICES)[number];

interface AgainstSelectProps {
  /** The year before, or a day of the other period. */
  readonly value: string | undefined;
  /** A day of the period that is offered first. */
  readonly day: string;
  readonly last: string;
  readonly onChange: (value: string | undefined) => void;
}

/** With which period the bars of energy are compared. */
export function AgainstSelect({ value, day, last, onChange }: AgainstSelectProps): ReactNode {
  const t = texts.useTexts().bars.compared;
  const choice: Choice =
    value === undefined ? 'nothing' : value === 'yearBefore' ? value : 'anotherPeriod';
  const choose = (next: string): void =>
    onChange(next === 'nothing' ? undefined : next === 'anotherPeriod' ? day : next);
  return (
    <>
      <NativeSelect
        aria-label={t.label}
        value={choice}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={CHOICES.map((one) => ({ value: one, label: `${t.label}: ${t[one]}` }))}
      />
      {choice === 'anotherPeriod' && (
        <DateTimeField
          type="date"
          aria-label={t.day}
          value={value ?? ''}
          max={last}
          onChange={({ currentTarget }) => {
            const next = dayFrom(currentTarget.value);
            if (next !== undefined && next <= last) onChange(next);
          }}
        />
      )}
    </>
  );
}
