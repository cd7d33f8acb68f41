/** From when readings are thinned: after so many days, to one in so many minutes. */
export interface ReadingThinning {
  readonly days: number;
  readonly minutes: number;
}

/** How long readings are kept; null = for ever, as they were measured. */
export interface ReadingRetention {
  readonly thinning: ReadingThinning | null;
  /** In days. */
  readonly expiry: number | null;
}

/** A whole number of days, written as `400d`. */
export const daysForm = (min: number, max: number) => ({
  expected: `a whole number of days from ${min}d to ${max}d`,
  read(value: string): number | undefined {
    const [, n = ''] = /^(\d{1,6})d$/.exec(value) ?? [];
    return n !== '' && Number(n) >= min && Number(n) <= max ? Number(n) : undefined;
  },
});

/** After how many days readings are deleted. */
export const expiryForm = daysForm(32, 36_500);

/** From when readings are thinned, and to what, written as `90d:15m`. */
export const thinningForm = {
  expected: 'days from 8d on and 5 to 15 minutes, such as 90d:15m',
  read(value: string): ReadingThinning | undefined {
    const [, age = '', minutes = ''] = /^(\d{1,5})d:(\d{1,2})m$/.exec(value) ?? [];
    return Number(age) >= 8 && Number(minutes) >= 5 && Number(minutes) <= 15
      ? { days: Number(age), minutes: Number(minutes) }
      : undefined;
  },
};

/** As both are written; null = for ever. */
export const retentionText = ({ expiry, thinning }: ReadingRetention) => ({
  readingRetention: expiry === null ? null : `${expiry}d`,
  readingThinning: thinning && `${thinning.days}d:${thinning.minutes}m`,
});
