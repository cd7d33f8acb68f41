import {
  END_OF_DAYS,
  addDays,
  daysOfMonth,
  monthOf,
} from '../../../platform/calendar/plant-calendar.ts';
import type { DayRow, Series } from '../../series/port.ts';
import type { Db } from '../../../platform/storage/database.ts';
import type { Attempt } from '../attempt.ts';
import type { BoundDevice } from '../../bindings/bound-device.ts';
import { refoldDays } from '../refold.ts';

// A month has 8,928 samples if one is taken every five minutes.
const SAMPLES_AT_ONCE = 10_000;

/**
 * Recalculates the roll-ups of a binding from its samples. Begins with the local day of an instant, and ends with the month of the first sample
 * found, or earlier if there are very many samples. The sums of later days are updated.
 * @returns where to continue; undefined at the end
 */
export async function recalculateMonth(
  db: Db,
  { series, revise }: Pick<Attempt, 'series' | 'revise'>,
  device: BoundDevice,
  since: number,
): Promise<number | undefined> {
  const { calendar, binding } = device;
  const fromDay = calendar.dayOf(Math.max(since, device.fromAt, device.frozenBefore));
  const fromAt = Math.max(calendar.dayWindow(fromDay).startAt, device.fromAt);
  revise(binding, fromAt);
  const firstAt = await series.firstSampleAt(db, device.seriesId, fromAt, device.toAt);
  if (firstAt === undefined) {
    await dropDays(db, series, device, await series.days(db, [binding], fromDay, END_OF_DAYS));
    return undefined;
  }
  const lastOfMonth = daysOfMonth(monthOf(calendar.dayOf(firstAt))).toDay;
  const samples = await series.range(
    db,
    device.seriesId,
    firstAt,
    Math.min(calendar.dayWindow(lastOfMonth).endAt, device.toAt),
    SAMPLES_AT_ONCE,
  );
  // The first sample of each day counts as changed, because part of the growth up to this sample may belong to the day before.
  const instants = new Map(samples.toReversed().map(({ at }) => [calendar.dayOf(at), at]));
  const days = [...instants.keys()].toReversed();
  const isCut = samples.length === SAMPLES_AT_ONCE;
  // If the samples end within a day, that day is left to the next run. If it is the only day, it is folded as a whole instead.
  if (isCut && days.length > 1) instants.delete(days.pop()!);
  const toDay = isCut ? days.at(-1)! : lastOfMonth;
  const stored = await series.days(db, [binding], fromDay, toDay);
  await dropDays(
    db,
    series,
    device,
    stored.filter(({ day, state }) => state.samples > 0 && !instants.has(day)),
  );
  await refoldDays(db, series, device, [...instants.values()]);
  return calendar.dayWindow(addDays(toDay, 1)).startAt;
}

/** Refolds days that no longer contain any sample because a past time zone has changed. The newest day that remains becomes the open one. */
async function dropDays(
  db: Db,
  series: Series,
  device: BoundDevice,
  days: readonly DayRow[],
): Promise<void> {
  if (days.length === 0) return;
  await refoldDays(
    db,
    series,
    device,
    [],
    days.map(({ day }) => day),
  );
  const newest = (await series.newestDays(db, [device.binding])).get(device.binding);
  if (newest) await refoldDays(db, series, device, [newest.state.last.at]);
}
