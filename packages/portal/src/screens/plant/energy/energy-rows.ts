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

/** The energies that the bars show, and those of the whole month, year or years in which they are; undefined as long as there is no answer. */
export function useEnergyRows({ plantId: id, length, month }: Asked): {
  readonly rows: readonly EnergyRow[] | undefined;
  readonly wholes: readonly EnergyRow[];
  readonly error: unknown;
  readonly again: () => void;
} {
  const days = useOperation('stationMonth', { id, month }, { enabled: length === 'days', keepPrevious: true });
  const year = month.slice(0, 4);
  const months = useOperation('stationYear', { id, year }, { enabled: length !== 'years', keepPrevious: true });
  const years = useOperation('stationAll', { id }, { enabled: length !== 'days' });
  const asked = { days: [days, months], months: [months, years], years: [years] }[length];
  const wholes = {
    days: months.data?.filter(({ dateStr }) => dateStr?.startsWith(month)),
    months: years.data?.filter((row) => row.year === Number(year)),
    years: years.data,
  }[length];
  return {
    rows: wholes && { days, months, years }[length].data,
    wholes: wholes ?? [],
    error: asked.find(({ error }) => error)?.error,
    again: () => void Promise.all(asked.map(({ refetch }) => refetch())),
  };
}
