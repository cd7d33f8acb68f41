import type { Performance } from '@helioport/contract';

type Missing = NonNullable<Performance['missing']>;

/** What reports say, in one language. Names and numbers come formatted. */
export interface ReportTexts {
  share(kwh: string, share: string, verdict: string): string;
  onlyProduced(kwh: string): string;
  readonly nothing: string;
  readonly verdicts: Readonly<Record<NonNullable<Performance['verdict']>, string>>;
  readonly missing: Readonly<Record<Missing, string>>;
  /** What the sun allowed is known for some days, but not for the month. */
  fewDays(days: string): string;
  /** `share` of what was produced on the same days of the year before. */
  yearBefore(share: string, kwh: string): string;
  readonly produced: string;
  readonly expected: string;
  readonly shareName: string;
  readonly yearBeforeName: string;
  readonly worth: string;
  readonly lost: string;
  readonly lostWorth: string;
  readonly ratio: string;
  readonly availability: string;
  readonly days: string;
  readonly losses: string;
  readonly cause: string;
  readonly device: string;
  readonly certainty: string;
  readonly energy: string;
  readonly value: string;
  readonly noLosses: string;
  readonly openAlarms: string;
  readonly alarm: string;
  readonly noAlarms: string;
  readonly visits: string;
  readonly since: string;
  readonly energyPerYear: string;
  readonly valuePerYear: string;
  readonly noVisits: string;
  uncertainty(percent: string, days: string): string;
  readonly unexplained: string;
  pending(days: string): string;
  readonly today: string;
  /** Before what a weather service asks to be said. */
  readonly service: string;
  /** Printed where characters are missing: in names, or since the reader's language cannot be printed. */
  readonly lacking: string;
  page(page: string, pages: string): string;
}
