import type { QuantityName } from '@helioport/contract';
import {
  addDays,
  END_OF_DAYS,
  type PlantCalendar,
} from '../../../platform/calendar/plant-calendar.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Db } from '../../../platform/storage/database.ts';
import type { Series } from '../../series/port.ts';
import type { BoundDevice } from '../../bindings/bound-device.ts';
import type { Ingest } from '../ingest.ts';
import type { HistoryAccount, HistoryDoubts } from './account.ts';
import type { DeviceThere } from './devices-there.ts';
import type { EnergiesByPeriod } from './energies-there.ts';
import type { Kept } from './kept.ts';

/** A device that is there and here, with what has been imported of it. */
export interface MatchedDevice {
  readonly there: DeviceThere;
  /** The device in each of its plants here, ascending; at least one. */
  readonly bindings: readonly BoundDevice[];
  readonly kept: Kept;
  /** Days with readings that no import has stored. They stay as they are. */
  readonly own: ReadonlySet<number>;
  /** Its energies in each year, as the account tells them. */
  readonly years: EnergiesByPeriod;
}

/** What imports need besides the device. */
export interface HistoryDeps {
  readonly account: HistoryAccount;
  readonly db: Db;
  readonly series: Series;
  readonly ingest: Ingest;
  readonly clock: Clock;
  readonly doubts: HistoryDoubts;
}

export const calendarOfDevice = ({ bindings }: MatchedDevice): PlantCalendar =>
  bindings.at(-1)!.calendar;

/** The last day that is over. Of it and of today, something may still arrive there, so that it is asked for again by the next import. */
export const lastDayOf = (device: MatchedDevice, now: number): number =>
  addDays(calendarOfDevice(device).dayOf(now), -1);

/** The device in the plant in which it spent a whole day; undefined if there is none. */
export function boundOn({ bindings }: MatchedDevice, day: number): BoundDevice | undefined {
  return bindings.findLast(({ calendar, fromAt, toAt }) => {
    const { startAt, endAt } = calendar.dayWindow(day);
    return startAt < endAt && startAt >= fromAt && endAt <= toAt;
  });
}

/** How far from its ends a day’s counters are read. A reading at midnight would belong to the day before. */
const WITHIN_MS = 1_000;

/** The instants at which an import reads the counters of a day. */
export function countedAt({ calendar }: BoundDevice, day: number): readonly [number, number] {
  const { startAt, endAt } = calendar.dayWindow(day);
  return [startAt + WITHIN_MS, endAt - WITHIN_MS];
}

/** The days with readings of which no import knows. */
export async function findOwnDays(
  db: Db,
  series: Series,
  bindings: readonly BoundDevice[],
  kept: Kept,
): Promise<Set<number>> {
  const days = await series.days(
    db,
    bindings.map(({ binding }) => binding),
    0,
    END_OF_DAYS,
  );
  return new Set(
    days
      .filter(({ day, state }) => state.samples > 0 && !kept.has('claimed', day))
      .map(({ day }) => day),
  );
}

export type StoredValues = { readonly [Name in QuantityName]?: number };

/** What is stored of the end of a day. */
export async function storedAtEnd(
  { db, series }: HistoryDeps,
  device: MatchedDevice,
  day: number,
): Promise<StoredValues> {
  const bound = boundOn(device, day);
  if (!bound) return {};
  const at = countedAt(bound, day)[1];
  const [sample] = await series.range(db, bound.seriesId, at, at + 1);
  if (!sample) return {};
  return Object.fromEntries(
    sample.fields.names.flatMap((name, i) => {
      const value = sample.values[i]!;
      return Number.isNaN(value) ? [] : [[name, value]];
    }),
  );
}

/** A reading of an import. */
export interface HistoryReading {
  readonly at: number;
  readonly values: StoredValues;
}

/** Stores readings; what is refused or dropped of them is a doubt. */
export async function storeHistory(
  { ingest, doubts }: HistoryDeps,
  { there: { sn } }: MatchedDevice,
  readings: readonly HistoryReading[],
): Promise<void> {
  if (readings.length === 0) return;
  const { refused, dropped = [] } = await ingest(
    'operator',
    readings.map(({ at, values }) => ({ sn, at, values })),
  );
  for (const { reason } of refused) doubts.add(reason);
  for (const { quantity, reason } of dropped) doubts.add(`${quantity}: ${reason}`);
}
