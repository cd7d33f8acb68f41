import type { PlanInterval } from '@helioport/contract';

/** Something that is wrong with a day plan. */
export interface PlanFault {
  /** Position of the interval in the plan, from 0; null if no single one is at fault. */
  readonly interval: number | null;
  /** The field as the caller wrote it, such as `intervals[2].end`. */
  readonly field: string;
  /** To follow the word "expected"; names the interval by its hours. */
  readonly expected: string;
}

/** A fault of one field of an interval, or of the whole plan. `intervals` as far as they could be read. */
export function planFault(
  interval: number | null,
  field: string,
  expected: string,
  intervals?: readonly PlanInterval[],
): PlanFault {
  if (interval === null) return { interval, field, expected };
  const hours = intervals ? inInterval(intervals[interval]!) : '';
  return {
    interval,
    field: `intervals[${interval}]${field === '' ? '' : `.${field}`}`,
    expected: `${expected}${hours}`,
  };
}

/** What a message adds to name an interval. */
export const inInterval = (hours: Pick<PlanInterval, 'days' | 'start' | 'end'>): string =>
  `, in the interval ${hoursText(hours)}`;

/** The hours of an interval for messages. */
export const hoursText = ({
  days,
  start,
  end,
}: Pick<PlanInterval, 'days' | 'start' | 'end'>): string =>
  `${days ? `${days.join(', ')} ` : ''}${start} to ${end}`;
