import type { Db } from '../../platform/storage/database.ts';
import { encodeDay } from '../energy/codec/day-codec.ts';
import {
  dayAfterMove,
  dayBeforeAll,
  openDay,
  silentDay,
  type DayState,
  type DaySample,
} from '../energy/day-state.ts';
import { stepDay } from '../energy/energy-day.ts';
import { dayRules, dayTerms, type BoundDevice } from '../bindings/bound-device.ts';
import { createDayWorkspace, type DayWorkspace, type LoadedDays } from './day-workspace.ts';
import { DaysBefore, ReachesBack, type DaysAtHand } from './earlier-days.ts';
import type { DayRow, MonthRow, Series } from '../series/port.ts';
import { calculateAnew, writeAnew, type Anew } from './write-anew.ts';

/** What has been read of a device already. */
export interface Loaded {
  readonly newest: DayRow | undefined;
  readonly days: LoadedDays;
  /** All months; undefined if they are not needed. */
  readonly months: readonly MonthRow[] | undefined;
  /** All samples of some days, as they are from now on. */
  readonly samples: ReadonlyMap<number, readonly DaySample[]>;
}

/**
 * Recalculates roll-ups of a binding from its stored samples: the days that contain `changedAt`, the days `changedDays`, and the following days until
 * one continues from the same state as before. Results in the same rows as a fold from the beginning.
 */
export async function refoldDays(
  db: Db,
  series: Series,
  device: BoundDevice,
  changedAt: readonly number[],
  changedDays: readonly number[] = [],
): Promise<void> {
  const { binding } = device;
  const newest = (await series.newestDays(db, [binding])).get(binding);
  const shelf = createDayWorkspace(db, series, binding);
  const last = await refoldOnShelf(
    db,
    series,
    device,
    shelf,
    new Set([...changedAt.map((at) => device.calendar.dayOf(at)), ...changedDays]),
  );
  if (last === 0) return;
  await writeAnew(db, series, binding, newest, shelf);
  // The device continues from this state in its next plant.
  if (device.next && last >= (newest?.day ?? 0)) await refoldFirstDay(db, series, device.next);
}

/** Like `refoldDays`, for days of which everything has been read; only calculates. The device has been in no other plant. */
export async function calculateDays(
  db: Db,
  series: Series,
  device: BoundDevice,
  { newest, days, months, samples }: Loaded,
): Promise<Anew> {
  const shelf = createDayWorkspace(db, series, device.binding, days);
  await refoldOnShelf(db, series, device, shelf, new Set(samples.keys()), samples);
  return calculateAnew(db, series, device.binding, newest, shelf, months);
}

/** @returns the last day that was folded; 0 = none */
async function refoldOnShelf(
  db: Db,
  series: Series,
  device: BoundDevice,
  shelf: DayWorkspace,
  pending: Set<number>,
  samples?: ReadonlyMap<number, readonly DaySample[]>,
): Promise<number> {
  let last = 0;
  while (pending.size > 0) {
    const day = Math.min(...pending);
    pending.delete(day);
    if (device.calendar.dayWindow(day).startAt < device.frozenBefore) continue;
    const old = await shelf.find(day);
    const next = await shelf.after(day);
    const tailBefore = next && old && tailOf(old);
    // A day stored by an earlier release does not record how far back it reaches.
    const reachesTo = old?.reachesTo || (await shelf.before(day))?.day;
    if (reachesTo) await shelf.withdraw(day, reachesTo);
    const state = await foldDay(db, series, device, day, shelf, old, samples?.get(day));
    if (!old && !state) continue;
    shelf.put(day, state);
    last = day;
    if (next && (!tailBefore || !state || tailBefore.compare(tailOf(state)) !== 0))
      pending.add(next.day);
  }
  return last;
}

async function refoldFirstDay(db: Db, series: Series, device: BoundDevice): Promise<void> {
  const first = await series.neighbourDay(db, device.binding, 0, 'after');
  if (first) await refoldDays(db, series, device, [], [first.day]);
}

/** Folds a day from its samples; undefined if it has none and no receipts from later days. */
async function foldDay(
  db: Db,
  series: Series,
  device: BoundDevice,
  day: number,
  shelf: DayWorkspace,
  old: DayState | undefined,
  known: readonly DaySample[] | undefined,
): Promise<DayState | undefined> {
  const window = device.calendar.dayWindow(day);
  const samples =
    known ??
    (await series.range(
      db,
      device.seriesId,
      Math.max(window.startAt, device.fromAt),
      Math.min(window.endAt, device.toAt),
    ));
  const before = await shelf.before(day);
  if (samples.length === 0)
    return before && hasReceipts(old)
      ? withReceiptsOf(silentDay(before.state, window.startAt, dayTerms(device, day)), old)
      : undefined;
  const former =
    before || !device.former
      ? undefined
      : (await series.newestDays(db, [device.former.binding])).get(device.former.binding);
  for (let fromDay = before?.day ?? day; ;) {
    const state = openState(device, day, samples[0]!, before?.state, former?.state);
    try {
      fold(samples, state, day, handOf(shelf, device, fromDay, samples[0]!));
      return withReceiptsOf(state, old);
    } catch (error) {
      if (!(error instanceof ReachesBack) || error.day >= fromDay) throw error;
      fromDay = error.day;
      // Withdrawn because the next attempt issues these receipts again.
      await shelf.withdraw(day, fromDay);
      // A day without readings continues from the last one before it.
      await shelf.before(fromDay);
    }
  }
}

function openState(
  device: BoundDevice,
  day: number,
  first: DaySample,
  before: DayState | undefined,
  former: DayState | undefined,
): DayState {
  const terms = dayTerms(device, day);
  return former
    ? dayAfterMove(former, first, device.calendar.dayWindow(day).startAt, terms)
    : openDay(before, first, terms);
}

function fold(samples: readonly DaySample[], state: DayState, day: number, hand: DaysAtHand): void {
  const rules = dayRules(hand.device, day);
  const earlier = new DaysBefore(state, hand);
  for (const sample of samples) stepDay(state, sample, rules, earlier);
}

const handOf = (
  shelf: DayWorkspace,
  device: BoundDevice,
  fromDay: number,
  first: DaySample,
): DaysAtHand => ({
  device,
  fromDay,
  find: (other) => shelf.peekDay(other),
  make(other) {
    const { startAt } = device.calendar.dayWindow(other);
    const before = shelf.peekLast(other);
    const terms = dayTerms(device, other);
    // A reading at exactly 00:00 tells of the day before, even if it is the device's first.
    const state = before ? silentDay(before, startAt, terms) : dayBeforeAll(first, terms);
    shelf.put(other, state);
    return state;
  },
});

const hasReceipts = (state: DayState | undefined): state is DayState =>
  state?.channels.some((channel) => channel?.receipts) ?? false;

/** Keeps the receipts that later days gave to a day; they are withdrawn only when those days are recalculated. */
function withReceiptsOf(state: DayState, old: DayState | undefined): DayState {
  for (const [number, channel] of old?.channels.entries() ?? []) {
    if (!channel?.receipts) continue;
    (state.channels[number] ??= {
      total: undefined,
      today: undefined,
      power: undefined,
      receipts: undefined,
    }).receipts = channel.receipts;
  }
  return state;
}

/** The state that the next day continues from, as bytes to compare. */
function tailOf(state: DayState): Buffer {
  const next = openDay(state, state.last, { prices: [], atMost: [], plantAtMost: undefined });
  const last = Buffer.alloc(8);
  last.writeDoubleLE(state.last.at);
  return Buffer.concat([last, encodeDay({ ...next, firstAt: state.last.at, last: state.last })]);
}
