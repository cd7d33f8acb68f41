import { NativeSelect } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { EARLIER_DAYS, type EarlierDay } from '../../../parts/charts/earlier-days.ts';
import { useOperation } from '../../../wire/queries.ts';
import type { ShownDeviceKind } from '../device.ts';
import { texts } from '../texts/index.ts';

export type Other = WireData<'device/ranking'>['page']['records'][number];

/** What the readings of a day are compared with: those of an earlier day, or another device's of the same day. */
export type Compared = EarlierDay | Other;

/** Those of one answer; more would not be found in a list. */
const OFFERED = 100;

interface CompareSelectProps {
  readonly plantId: string;
  readonly kind: ShownDeviceKind;
  readonly id: string;
  readonly value: Compared | undefined;
  /** Whether what is shown can be compared; else it is said why not, and what was chosen is kept. */
  readonly isPossible: boolean;
  readonly onChange: (compared: Compared | undefined) => void;
}

/** With what the readings of a device are compared. */
export function CompareSelect({
  plantId,
  kind,
  id,
  value,
  isPossible,
  onChange,
}: CompareSelectProps): ReactNode {
  const t = texts.useTexts();
  const { data } = useOperation('device/ranking', {
    plantId,
    kind,
    sort: 'name',
    pageNo: 1,
    pageSize: OFFERED,
  });
  const others = data?.page.records.filter((one) => one.id !== id) ?? [];
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
      value={typeof value === 'object' ? value.id : (value ?? '')}
      data={[
        { value: '', label: t.compareNothing },
        ...days,
        ...(devices.length > 0 ? [{ group: t.otherDevices, items: devices }] : []),
      ]}
      onChange={({ currentTarget }) =>
        onChange(
          days.find((day) => day.value === currentTarget.value)?.value ??
            others.find((one) => one.id === currentTarget.value),
        )
      }
    />
  );
}
