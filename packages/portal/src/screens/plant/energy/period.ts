import { addDays, addMonths, dayAsDate } from '../../../i18n/plant-time.ts';

/** What the bars stand for: the days of a week or of a month, the months of a year, or years. */
export const LENGTHS = ['week', 'days', 'months', 'years'] as const;
export type Length = (typeof LENGTHS)[number];

/** All years are one period, without a beginning. */
type Limited = Exclude<Length, 'years'>;

/** The Monday of a day's week. */
const mondayOf = (day: string): string => addDays(day, -((dayAsDate(day).getUTCDay() + 6) % 7));

/** The first day of the period around a day. */
export const startOf = (length: Limited, day: string): string =>
  ({ week: mondayOf(day), days: `${day.slice(0, 7)}-01`, months: `${day.slice(0, 4)}-01-01` })[
    length
  ];

/** The first day of the period before that around a day (-1) or after it (1). */
export function neighbourOf(length: Limited, day: string, step: -1 | 1): string {
  const start = startOf(length, day);
  if (length === 'week') return addDays(start, 7 * step);
  return `${addMonths(start.slice(0, 7), length === 'days' ? step : 12 * step)}-01`;
}

/** The days of the week or month around a day. */
export function daysOf(length: 'week' | 'days', day: string): string[] {
  const start = startOf(length, day);
  const end = neighbourOf(length, day, 1);
  return Array.from({ length: 31 }, (_, i) => addDays(start, i)).filter((one) => one < end);
}
