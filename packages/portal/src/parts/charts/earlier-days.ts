import type { ChartData } from './series.ts';

/** How many days earlier a day can be compared with. A year has 364 days here, so that it is the same day of the week. */
export const EARLIER_DAYS = { yesterday: 1, lastWeek: 7, lastYear: 364 } as const;

export type EarlierDay = keyof typeof EARLIER_DAYS;

export const isEarlierDay = (text: string): text is EarlierDay => Object.hasOwn(EARLIER_DAYS, text);

/** Curves moved in time by `shiftMs`, so that those of one day lie over those of another. */
export const movedBy = ({ times, values }: ChartData, shiftMs: number): ChartData => ({
  times: times.map((at) => at + shiftMs),
  values,
});
