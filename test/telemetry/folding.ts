import { readingBoundsOf } from '../../packages/server/src/measurements/bindings/reading-bounds.ts';
import { calendarOfZone } from '../../packages/server/src/platform/calendar/plant-calendar.ts';
import type { QuantityName } from '../../packages/contract/src/index.ts';
import type { BoundsSubject } from '../../packages/server/src/measurements/energy/bounds.ts';
import type { DaySample } from '../../packages/server/src/measurements/energy/day-state.ts';
import {
  createFieldList,
  inStoredOrder,
} from '../../packages/server/src/measurements/energy/field-list.ts';
import type { GapPosition } from '../../packages/server/src/measurements/energy/gap-shares.ts';
import {
  NO_PRICES,
  type PlantPrices,
} from '../../packages/server/src/measurements/energy/plant-prices.ts';
import { appendDays } from '../../packages/server/src/measurements/ingest/append-days.ts';
import type { BoundDevice } from '../../packages/server/src/measurements/bindings/bound-device.ts';
import type { DayRow } from '../../packages/server/src/measurements/series/port.ts';

/** What a fold is given of a device and its plant. */
export interface Folded extends Partial<BoundsSubject>, Partial<GapPosition> {
  readonly timeZone?: string;
  readonly prices?: PlantPrices;
}

/** An inverter in a plant as the fold sees it. */
export function foldedDevice(given: Folded = {}): BoundDevice {
  const {
    kind = 'inverter',
    ratedPowerW = null,
    capacityKwp = 10,
    latitude = null,
    longitude = null,
    timeZone = 'UTC',
    prices = NO_PRICES,
  } = given;
  return {
    binding: 1,
    seriesId: 1,
    ownerId: 'owner',
    fromAt: 0,
    toAt: Number.POSITIVE_INFINITY,
    calendar: calendarOfZone(timeZone),
    bounds: readingBoundsOf({ kind, ratedPowerW, capacityKwp }),
    prices,
    position: { latitude, longitude },
    firstBinding: true,
    frozenBefore: 0,
    eventSubject: undefined,
    former: undefined,
    next: undefined,
  };
}

/** A sample outside of any database. */
export function sampleOf(at: number, values: Readonly<Record<string, number>>): DaySample {
  const fields = createFieldList(1, inStoredOrder(Object.keys(values) as QuantityName[]));
  return { at, fields, values: Float64Array.from(fields.names, (name) => values[name]!) };
}

/** The days of readings in the order of their times. */
export const foldReadings = (
  readings: readonly (readonly [at: number, values: Readonly<Record<string, number>>])[],
  device: BoundDevice,
): DayRow[] =>
  appendDays(
    device,
    undefined,
    readings.map(([at, values]) => sampleOf(at, values)),
  ).days;
