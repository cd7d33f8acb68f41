import type { DeviceBounds } from './reading-bounds.ts';
import type { PlantCalendar } from '../calendar/plant-calendar.ts';
import { GAP_MS } from '../energy/counter.ts';
import { dayBounds } from '../energy/bounds.ts';
import type { DayRules } from '../energy/day-rules.ts';
import type { DayTerms } from '../energy/day-state.ts';
import type { Position } from '../energy/gap-shares.ts';
import type { PlantPrices } from '../energy/plant-prices.ts';

/** A device in a plant for a period: what the fold needs to know about it. */
export interface BoundDevice {
  /** binding.no */
  readonly binding: number;
  readonly seriesId: number;
  readonly fromAt: number;
  /** Excluded; Infinity while it lasts. */
  readonly toAt: number;
  readonly calendar: PlantCalendar;
  readonly bounds: DeviceBounds;
  readonly prices: PlantPrices;
  /** Of the plant. */
  readonly position: Position;
  /** It is the device's first. */
  readonly firstBinding: boolean;
  /** The device's previous and next binding: growth in transit belongs to the later plant. */
  former: BoundDevice | undefined;
  next: BoundDevice | undefined;
}

/** Whether a device continues from a binding that ended at an instant; after an hour in no plant it starts afresh. */
export const isMove = (toAt: number, fromAt: number): boolean => fromAt - toAt < GAP_MS;

/** What the fold of one of its days (yyyymmdd) needs to know. */
export const dayRules = ({ bounds, prices, firstBinding, calendar, position, fromAt }: BoundDevice, day: number): DayRules => {
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

/** What one of its days (yyyymmdd) is opened with. */
export const dayTerms = ({ bounds, position, prices, calendar }: BoundDevice, day: number): DayTerms => {
  const window = calendar.dayWindow(day);
  return { prices: prices.ofDay(window).prices, ...dayBounds(bounds.subject, position, window) };
};
