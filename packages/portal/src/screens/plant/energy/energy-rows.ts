import type { WireData } from '@helioport/contract';
import { textOfDay } from '../../../i18n/plant-time.ts';
import { useOperation } from '../../../wire/queries.ts';
import { daysOf, type Length } from './period.ts';

export type EnergyTableRow = WireData<'plant/energy'>[number];

interface Asked {
  readonly plantId: string;
  readonly length: Length;
  /** A day of the period. */
  readonly day: string;
}

/** The energies that the bars show, and those of the whole period in which they are; undefined as long as there is no answer. */
export function useEnergyRows({ plantId, length, day }: Asked): {
  readonly rows: readonly EnergyTableRow[] | undefined;
  readonly wholes: readonly EnergyTableRow[];
  readonly error: unknown;
  readonly again: () => void;
} {
  const week = daysOf('week', day);
  const month = (length === 'week' ? week[0]! : day).slice(0, 7);
  const year = day.slice(0, 4);
  const days = useOperation(
    'plant/energy',
    { plantId, each: 'day', month },
    { enabled: length === 'week' || length === 'days', keepPrevious: true },
  );
  // A week may end in another month than it began in.
  const laterDays = useOperation(
    'plant/energy',
    { plantId, each: 'day', month: week[6]!.slice(0, 7) },
    { enabled: length === 'week', keepPrevious: true },
  );
  const months = useOperation(
    'plant/energy',
    { plantId, each: 'month', year },
    { enabled: length === 'days' || length === 'months', keepPrevious: true },
  );
  const years = useOperation(
    'plant/energy',
    { plantId, each: 'year' },
    { enabled: length === 'months' || length === 'years' },
  );
  const asked = {
    week: [days, laterDays],
    days: [days, months],
    months: [months, years],
    years: [years],
  }[length];
  const ofWeek = week.flatMap(
    (one) =>
      (one.startsWith(month) ? days : laterDays).data?.find((row) => textOfDay(row.day) === one) ??
      [],
  );
  const wholes = {
    week: ofWeek,
    days: months.data?.filter((row) => textOfDay(row.day).startsWith(month)),
    months: years.data?.filter((row) => textOfDay(row.day).startsWith(year)),
    years: years.data,
  }[length];
  const rows = { week: ofWeek, days: days.data, months: months.data, years: years.data }[length];
  return {
    rows: asked.every(({ data }) => data) ? rows : undefined,
    wholes: wholes ?? [],
    error: asked.find(({ error }) => error)?.error,
    again: () => void Promise.all(asked.map(({ refetch }) => refetch())),
  };
}
