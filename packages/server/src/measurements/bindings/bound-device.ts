import type { DeviceBounds } from './reading-bounds.ts';
import type { PlantCalendar } from '../../platform/calendar/plant-calendar.ts';
import { GAP_MS } from '../energy/counter.ts';
import { dayBounds } from '../energy/bounds.ts';
import type { DayRules } from '../energy/day-rules.ts';
import type { DayTerms } from '../energy/day-state.ts';
import type { GapPosition } from '../energy/gap-shares.ts';
import type { PlantPrices } from '../energy/plant-prices.ts';

/** A device of whose samples become events. */
export interface EventSubject {
  readonly deviceId: string;
  readonly sn: string;
  readonly plantId: string;
  readonly ownerId: string;
}

/** A device in a plant for a period, with the facts that the fold needs. */
export interface BoundDevice {
  /** Number of the binding (`binding.no`). */
  readonly binding: number;
  readonly seriesId: number;
  /** Owner of the plant. */
  readonly ownerId: string;
  readonly fromAt: number;
  /** End of the binding, excluded; Infinity while it lasts. */
  readonly toAt: number;
  /** Readings before are thinned or gone: what was calculated from them stays as it is, and nothing is added to them. 0 = none are. */
  readonly frozenBefore: number;
  readonly calendar: PlantCalendar;
  readonly bounds: DeviceBounds;
  readonly prices: PlantPrices;
  /** Position of the plant. */
  readonly position: GapPosition;
  /** Whether this is the device's first binding. */
  readonly firstBinding: boolean;
  /** Of whom its samples are recorded as events; undefined if nobody could want them. */
  readonly eventSubject: EventSubject | undefined;
  /** The device's bindings before and after this one. If its counters grow between two plants, the growth belongs to the later one. */
  former: BoundDevice | undefined;
  next: BoundDevice | undefined;
}

/** Whether a device continues from the binding that ended at `toAt`; after an hour outside any plant it starts afresh. */
export const isMove = (toAt: number, fromAt: number): boolean => fromAt - toAt < GAP_MS;

/** The facts that the fold needs about one day (yyyymmdd) of a device. */
export const dayRules = (
  { bounds, prices, firstBinding, calendar, position, fromAt }: BoundDevice,
  day: number,
): DayRules => {
  const window = calendar.dayWindow(day);
  return {
    day,
    startAt: window.startAt,
    sinceAt: fromAt,
    steps: undefined,
    limits: bounds.limits,
    firstBinding,
    prices: prices.ofDay(window),
    plantPrices: prices,
    calendar,
    position,
    pricedDays: [],
  };
};

/** The facts with which a day (yyyymmdd) of a device is opened. */
export const dayTerms = (
  { bounds, position, prices, calendar }: BoundDevice,
  day: number,
): DayTerms => {
  const window = calendar.dayWindow(day);
  return { prices: prices.ofDay(window).prices, ...dayBounds(bounds.subject, position, window) };
};
