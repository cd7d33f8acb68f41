import type { PlantOrder, PlantState } from '@helioport/contract';
import { presence } from '../presence.ts';

/** An order of plants. */
export interface RankingOrder {
  readonly sort: PlantOrder;
  readonly direction: 'up' | 'down';
}

/** The column that an order goes by. */
export interface SortColumn {
  readonly name:
    | 'nameKey'
    | 'capacityKwp'
    | 'powerW'
    | 'dayKwh'
    | 'yesterdayFullHours'
    | 'monthKwh'
    | 'totalKwh';
  /** Until when its value holds; undefined = until it is changed. */
  readonly endsAt?: 'dayEndsAt' | 'monthEndsAt';
  /** Values beyond all that occur. */
  readonly lowest: string | number;
  readonly highest: string | number;
}

const numbers = { lowest: -Number.MAX_VALUE, highest: Number.MAX_VALUE };
const texts = { lowest: '', highest: '\u{10FFFF}' };

/** Plants in the same state go by whether they have alarms that nobody has taken on, and then by their names. */
export const sortColumns: Readonly<Record<PlantOrder, SortColumn>> = {
  name: { name: 'nameKey', ...texts },
  state: { name: 'nameKey', ...texts },
  power: { name: 'powerW', ...numbers },
  day: { name: 'dayKwh', endsAt: 'dayEndsAt', ...numbers },
  // Yesterday is another day when today has ended.
  yesterday: { name: 'yesterdayFullHours', endsAt: 'dayEndsAt', ...numbers },
  month: { name: 'monthKwh', endsAt: 'monthEndsAt', ...numbers },
  total: { name: 'totalKwh', ...numbers },
  capacity: { name: 'capacityKwp', ...numbers },
};

/** States, that which most needs looking at first. */
export const statesByNeed: readonly number[] = [
  presence.alarm,
  presence.offline,
  presence.building,
  presence.online,
];

export const plantStateNumbers: Readonly<Record<PlantState, number>> = presence;

/** A stored state as people see it. */
export const plantStateName = (state: number): PlantState =>
  state === presence.online
    ? 'online'
    : state === presence.alarm
      ? 'alarm'
      : state === presence.building
        ? 'building'
        : 'offline';
