import { useMemo } from 'react';
import { useOperation } from '../../../wire/queries.ts';
import type { DeviceKind } from '../device.ts';
import {
  ammeterQuantities,
  collectorQuantities,
  epmQuantities,
  fromArrays,
  fromRows,
  inverterQuantities,
  weatherQuantities,
  type DayReadings,
  type Quantity,
} from './curves.ts';

const quantitiesOf: Readonly<Record<DeviceKind, readonly Quantity[]>> = {
  inverter: inverterQuantities,
  collector: collectorQuantities,
  epm: epmQuantities,
  ammeter: ammeterQuantities,
  weather: weatherQuantities,
};

interface Answer {
  readonly quantities: readonly Quantity[];
  /** undefined until they have arrived. */
  readonly readings: DayReadings | undefined;
  readonly error: Error | null;
  refetch(): void;
}

/** What a device measured on a day `2026-11-06` of its plant; nothing without an id. */
export function useDayReadings(kind: DeviceKind, id: string | undefined, day: string): Answer {
  const quantities = quantitiesOf[kind];
  const request = { id: id ?? '', time: day };
  const isOf = (...kinds: readonly DeviceKind[]): boolean =>
    id !== undefined && kinds.includes(kind);
  const inverter = useOperation('inverterDay', request, { enabled: isOf('inverter') });
  const collector = useOperation('collector/day', request, { enabled: isOf('collector') });
  const epm = useOperation('epm/day', request, { enabled: isOf('epm') });
  // The interface has no operation of their own for meters and weather stations.
  const other = useOperation('device/day', request, { enabled: isOf('ammeter', 'weather') });
  const rows = inverter.data ?? collector.data;
  const readings = useMemo(() => {
    if (rows) return fromRows(rows, quantities);
    return epm.data ? fromArrays(epm.data, quantities) : (other.data as DayReadings | undefined);
  }, [rows, epm.data, other.data, quantities]);
  const asked = { inverter, collector, epm, ammeter: other, weather: other }[kind];
  return { quantities, readings, error: asked.error, refetch: () => void asked.refetch() };
}
