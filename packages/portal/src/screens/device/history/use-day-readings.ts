import { useMemo } from 'react';
import { useOperation } from '../../../wire/queries.ts';
import type { Device } from '../device.ts';
import { readingsOf, type DayReadings } from './curves.ts';

interface Answer {
  /** undefined until they have arrived. */
  readonly readings: DayReadings | undefined;
  readonly error: Error | null;
  refetch(): void;
}

/** What a device of the kind of another, or that itself, measured on a day `2026-11-06` of its plant; nothing without an id. */
export function useDayReadings(device: Device, id: string | undefined, day: string): Answer {
  const { data, error, refetch } = useOperation(
    'device/day',
    { id: id ?? '', day },
    { enabled: id !== undefined },
  );
  const readings = useMemo(
    () =>
      data && readingsOf(data, id === device.id && device.kind !== 'collector' ? device.facts : {}),
    [data, id, device],
  );
  return { readings, error, refetch: () => void refetch() };
}
