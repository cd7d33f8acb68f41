import { NativeSelect } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useOperation } from '../../../wire/queries.ts';
import type { DeviceKind } from '../device.ts';
import { texts } from '../texts/index.ts';

export type Other = WireData<'device/ranking'>['page']['records'][number];

export const otherName = ({ name, sn = '' }: Other): string => name || sn;

/** Those of one answer; more would not be found in a list. */
const OFFERED = 100;

interface OthersSelectProps {
  readonly plantId: string;
  readonly kind: DeviceKind;
  readonly id: string;
  readonly value: Other | undefined;
  readonly onChange: (other: Other | undefined) => void;
}

/** With which device of the same kind in its plant a device is compared; nothing where it is the only one. */
export function OthersSelect({ plantId, kind, id, value, onChange }: OthersSelectProps): ReactNode {
  const t = texts.useTexts();
  const { data } = useOperation('device/ranking', { plantId, kind, sort: 'name', pageNo: 1, pageSize: OFFERED });
  const others = data?.page.records.filter((one) => one.id !== id) ?? [];
  if (others.length === 0) return null;
  return (
    <NativeSelect
      label={t.compareWith}
      value={value?.id ?? ''}
      data={[{ value: '', label: t.compareNothing }, ...others.map((one) => ({ value: one.id!, label: otherName(one) }))]}
      onChange={({ currentTarget }) => onChange(others.find((one) => one.id === currentTarget.value))}
    />
  );
}
