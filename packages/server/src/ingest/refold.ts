import type { Db } from '../storage/database.ts';
import { encodeDay } from '../energy/codec/day-codec.ts';
import { dayAfterMove, openDay, silentDay, type DayState, type Sample } from '../energy/day-state.ts';
import { stepDay } from '../energy/energy-day.ts';
import { dayRules, dayTerms, type BoundDevice } from './bound-device.ts';
import { createDayShelf, type DayShelf } from './day-shelf.ts';
import { DaysBefore, ReachesBack, type DaysAtHand } from './earlier-days.ts';
import type { Series } from '../series/port.ts';
import { writeAnew } from './write-anew.ts';

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
  const { binding, calendar } = device;
  const newest = (await series.newestDays(db, [binding])).get(binding);
  const shelf = createDayShelf(db, series, binding);
  const pending = new Set([...changedAt.map((at) => calendar.dayOf(at)), ...changedDays]);
  let last = 0;
  while (pending.size > 0) {
    const day = Math.min(...pending);
    pending.delete(day);
    const old = await shelf.find(day);
    const tailBefore = old && tailOf(old);
    // A day stored by an earlier release does not record how far back it reaches.
    const reachesTo = old?.reachesTo || (await shelf.before(day))?.day;
    if (reachesTo) await shelf.withdraw(day, reachesTo);
    const state = await foldDay(db, series, device, day, shelf, old);
    if (!old && !state) continue;
    shelf.put(day, state);
    last = day;
    const next = await shelf.after(day);
    if (next && (!tailBefore || !state || tailBefore.compare(tailOf(state)) !== 0)) pending.add(next.day);
  }
  if (last === 0) return;
  await writeAnew(db, series, binding, newest, shelf);
  // The device continues from this state in its next plant.
  if (device.next && last >= (newest?.day ?? 0)) await refoldFirstDay(db, series, device.next);
}

async function refoldFirstDay(db: Db, series: Series, device: BoundDevice): Promise<void> {
  const first = await series.neighbourDay(db, device.binding, 0, 'after');
  if (first) await refoldDays(db, series, device, [], [first.day]);
}

/** Folds a day from its samples; undefined if it has none and no receipts from later days. */
async function foldDay(db: Db, series: Series, device: BoundDevice, day: number, shelf: DayShelf, old: DayState | undefined): Promise<DayState | undefined> {
  const window = device.calendar.dayWindow(day);
  const samples = await series.range(db, device.seriesId, Math.max(window.startAt, device.fromAt), Math.min(window.endAt, device.toAt));
  const before = await shelf.before(day);
  if (samples.length === 0) return before && hasReceipts(old) ? withReceiptsOf(silentDay(before.state, window.startAt, dayTerms(device, day)), old) : undefined;
  const former = before || !device.former ? undefined : (await series.newestDays(db, [device.former.binding])).get(device.former.binding);
  for (let fromDay = before?.day ?? day; ;) {
    const state = openState(device, day, samples[0]!, before?.state, former?.state);
    try {
      fold(samples, state, day, handOf(shelf, device, day, fromDay));
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

function openState(device: BoundDevice, day: number, first: Sample, before: DayState | undefined, former: DayState | undefined): DayState {
  const terms = dayTerms(device, day);
  return former ? dayAfterMove(former, first, device.calendar.dayWindow(day).startAt, terms) : openDay(before, first, terms);
}

function fold(samples: readonly Sample[], state: DayState, day: number, hand: DaysAtHand): void {
  const rules = dayRules(hand.device, day);
  const earlier = new DaysBefore(state, hand);
  for (const sample of samples) stepDay(state, sample, rules, earlier);
}

const handOf = (shelf: DayShelf, device: BoundDevice, day: number, fromDay: number): DaysAtHand => ({
  device,
  fromDay,
  find: (other) => shelf.atHand(other),
  make(other) {
    const { startAt } = device.calendar.dayWindow(other);
    const state = silentDay(shelf.lastAtHand(other)!, startAt, dayTerms(device, other));
    shelf.put(other, state);
    return state;
  },
  since: (other) => shelf.betweenAtHand(other, day),
});

const hasReceipts = (state: DayState | undefined): state is DayState => state?.channels.some((channel) => channel?.receipts) ?? false;

/** Keeps the receipts that later days gave to a day; they are withdrawn only when those days are recalculated. */
function withReceiptsOf(state: DayState, old: DayState | undefined): DayState {
  for (const [number, channel] of old?.channels.entries() ?? []) {
    if (!channel?.receipts) continue;
    (state.channels[number] ??= { total: undefined, today: undefined, power: undefined, receipts: undefined }).receipts = channel.receipts;
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
