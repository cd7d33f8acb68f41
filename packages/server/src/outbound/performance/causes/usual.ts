import { medianOf, quantileOf } from '../../../measurements/expected/median.ts';
import type { DayRatios, UnitRatios } from './loss-day.ts';

/** From so many days on, something counts as usual. */
const DAYS_AT_LEAST = 5;

/** What a ratio usually is. */
export interface UsualRatio {
  /** Hardly ever less. */
  readonly low: number;
  readonly middle: number;
}

/** What ratios were on the days before. */
export interface Usual {
  ratio(sn: string, name: 'own' | 'toSiblings'): UsualRatio | undefined;
  input(sn: string, input: number): UsualRatio | undefined;
}

const LOW_QUANTILE = 0.1;

function usualOf(ratios: readonly (number | undefined)[]): UsualRatio | undefined {
  const known = ratios.filter((ratio) => ratio !== undefined);
  return known.length < DAYS_AT_LEAST
    ? undefined
    : { low: quantileOf(known, LOW_QUANTILE), middle: medianOf(known) };
}

/** What is usual after some days. */
export const usualAfter = (days: readonly DayRatios[]): Usual => {
  const of = (sn: string, read: (ratios: UnitRatios) => number | undefined) =>
    usualOf(days.map((day) => day[sn] && read(day[sn])));
  return {
    ratio: (sn, name) => of(sn, (ratios) => ratios[name]),
    input: (sn, input) => of(sn, ({ inputs }) => inputs?.[input]),
  };
};
