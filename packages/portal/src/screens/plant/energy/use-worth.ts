import { useOperation } from '../../../wire/queries.ts';
import { worthOf } from './bars-of.ts';

interface Worth {
  readonly day: number | undefined;
  readonly month: number | undefined;
  readonly year: number | undefined;
  readonly total: number | undefined;
}

/**
 * What the energy of a plant without a price per kWh produced was worth today, in today's month and year, and in all, in the plant's currency: what did
 * not have to be bought, at the present price, and what was received for energy sold. Asked for only if `isWanted`.
 */
export function useWorth(
  id: string,
  today: string,
  buyPrice: number | undefined,
  isWanted: boolean,
): Worth {
  const [month, year] = [today.slice(0, 7), today.slice(0, 4)];
  const { data: days = [] } = useOperation('stationMonth', { id, month }, { enabled: isWanted });
  const { data: months = [] } = useOperation('stationYear', { id, year }, { enabled: isWanted });
  const { data: years = [] } = useOperation('stationAll', { id }, { enabled: isWanted });
  return {
    day: worthOf(
      days.filter(({ dateStr }) => dateStr === today),
      buyPrice,
    ),
    month: worthOf(
      months.filter(({ dateStr }) => dateStr?.startsWith(month)),
      buyPrice,
    ),
    year: worthOf(
      years.filter((row) => row.year === Number(year)),
      buyPrice,
    ),
    total: worthOf(years, buyPrice),
  };
}
