import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { EARLIER_DAYS, type EarlierDay } from '../../../parts/charts/earlier-days.ts';
import { texts } from '../texts/index.ts';
import type { Other } from './use-others.ts';

interface CompareSelectProps {
  readonly others: readonly Other[];
  /** An earlier day, or the id of another device. */
  readonly value: string | undefined;
  /** Whether what is shown can be compared; else it is said why not, and what was chosen is kept. */
  readonly isPossible: boolean;
  readonly onChange: (value: string | undefined) => void;
}

/** With what the readings of a day are compared: those of an earlier day, or another device's of the same day. */
export function CompareSelect({
  others,
  value,
  isPossible,
  onChange,
}: CompareSelectProps): ReactNode {
  const t = texts.useTexts();
  const days = (Object.keys(EARLIER_DAYS) as EarlierDay[]).map((day) => ({
    value: day,
    label: t.earlierDays[day],
  }));
  const devices = others.map((one) => ({ value: one.id!, label: one.name || one.sn || '' }));
  return (
    <NativeSelect
      label={t.compareWith}
      disabled={!isPossible}
      {...(!isPossible && {
        description: t.tooManyCurves,
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
      })}
      value={value ?? ''}
      data={[
        { value: '', label: t.compareNothing },
        ...days,
        ...(devices.length > 0 ? [{ group: t.otherDevices, items: devices }] : []),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
