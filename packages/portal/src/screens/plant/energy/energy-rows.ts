import type { WireData } from '@helioport/contract';
import { useOperation } from '../../../wire/queries.ts';

/** What the bars stand for: the days of a month, the months of a year, or years. */
export type Length = 'days' | 'months' | 'years';

export type EnergyRow = WireData<'stationMonth'>[number] | WireData<'stationAll'>[number];

interface Asked {
  readonly plantId: string;
  readonly length: Length;
  /** `2026-11`; for months, only its year counts. */
  readonly month: string;
}

/** The energies that the bars show; undefined as long as there is no answer. */
export function useEnergyRows({ plantId: id, length, month }: Asked): {
  readonly rows: readonly EnergyRow[] | undefined;
  readonly error: unknown;
  readonly again: () => void;
} {
  const days = useOperation('stationMonth', { id, month }, { enabled: length === 'days', keepPrevious: true });
  const months = useOperation('stationYear', { id, year: month.slice(0, 4) }, { enabled: length === 'months', keepPrevious: true });
  const years = useOperation('stationAll', { id }, { enabled: length === 'years' });
  const { data, error, refetch } = { days, months, years }[length];
  return { rows: data, error, again: () => void refetch() };
}
