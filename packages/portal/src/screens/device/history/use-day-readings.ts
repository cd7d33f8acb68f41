import { useMemo } from 'react';
import { useOperation } from '../../../wire/queries.ts';
import { collectorQuantities, epmQuantities, fromArrays, fromRows, inverterQuantities, type DayReadings, type Quantity } from './curves.ts';

export type KindWithHistory = 'inverter' | 'collector' | 'epm';

const quantitiesOf: Readonly<Record<KindWithHistory, readonly Quantity[]>> = {
  inverter: inverterQuantities,
  collector: collectorQuantities,
  epm: epmQuantities,
};

interface Answer {
  readonly quantities: readonly Quantity[];
  /** undefined until they have arrived. */
  readonly readings: DayReadings | undefined;
  readonly error: Error | null;
  refetch(): void;
}

/** What a device measured on a day `2026-11-06` of its plant. */
export function useDayReadings(kind: KindWithHistory, id: string, day: string): Answer {
  const quantities = quantitiesOf[kind];
  const request = { id, time: day };
  const inverter = useOperation('inverterDay', request, { enabled: kind === 'inverter' });
  const collector = useOperation('collector/day', request, { enabled: kind === 'collector' });
  const epm = useOperation('epm/day', request, { enabled: kind === 'epm' });
  const rows = inverter.data ?? collector.data;
  const readings = useMemo(
    () => (rows ? fromRows(rows as readonly Readonly<Record<string, unknown>>[], quantities) : epm.data && fromArrays(epm.data, quantities)),
    [rows, epm.data, quantities],
  );
  const asked = { inverter, collector, epm }[kind];
  return { quantities, readings, error: asked.error, refetch: () => void asked.refetch() };
}
