import { dayFrom } from '../../i18n/plant-time.ts';
import { EARLIER_DAYS, type EarlierDay } from '../../parts/charts/earlier-days.ts';
import { LENGTHS, type Length } from './energy/period.ts';
import { PAIRS, type Pair } from './energy/pairs.ts';

/** What the address of a plant says of its charts; without it, they show today and this month. */
export interface PlantSearch {
  /** The day whose curves are shown. */
  readonly day?: string | undefined;
  /** What they are compared with: an earlier day by its distance, or any day. */
  readonly compare?: string | undefined;
  /** What the bars of energy stand for. */
  readonly period?: Length | undefined;
  /** A day of the period whose bars are shown. */
  readonly at?: string | undefined;
  /** The period that they are compared with: the year before, or that of a day. */
  readonly against?: string | undefined;
  /** The energies that the bars show. */
  readonly show?: Pair | undefined;
}

const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined =>
  all.find((one) => one === value);

/** Reads an address; what makes no sense there is left out. */
export const plantSearch = (said: Readonly<Record<string, unknown>>): PlantSearch => {
  const read: PlantSearch = {
    day: dayFrom(said['day']),
    compare:
      oneOf(Object.keys(EARLIER_DAYS) as EarlierDay[], said['compare']) ?? dayFrom(said['compare']),
    period: oneOf(LENGTHS, said['period']),
    at: dayFrom(said['at']),
    against: oneOf(['yearBefore'], said['against']) ?? dayFrom(said['against']),
    show: oneOf(Object.keys(PAIRS) as Pair[], said['show']),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
};
