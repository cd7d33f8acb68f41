import type { Db } from '../storage/database.ts';
import { GAP_MS } from '../energy/counter.ts';
import { encodeDay } from '../energy/codec/day-codec.ts';
import { NO_CARRY, openDay, type Carry, type DayState, type Sample } from '../energy/day-state.ts';
import { stepDay, type DayRules } from '../energy/energy-day.ts';
import { monthOf } from '../calendar/plant-calendar.ts';
import { dayRules, type BoundDevice } from './reporters.ts';
import type { DayRow, Series } from '../series/port.ts';
import { carryFromMonths, rebuildMonths } from '../series/sums.ts';

/**
 * Makes roll-ups of a binding anew from its stored samples: the days that hold `changedAt`, and those after
 * them as long as what they go on from has changed. Ends in the same rows as a fold from the beginning.
 */
export async function refoldDays(db: Db, series: Series, device: BoundDevice, changedAt: readonly number[]): Promise<void> {
  const { binding, calendar } = device;
  const stored = (await series.newestDays(db, [binding])).get(binding);
  const anew = new Map<number, DayState>();
  const found = new Map<number, DayState | undefined>();
  const pending = new Set<number>();
  for (const at of changedAt) {
    const day = calendar.dayOf(at);
    pending.add(day);
    // What crosses midnight also counts for the day before.
    if (at - calendar.dayWindow(day).startAt <= GAP_MS) {
      const before = await series.neighbourDay(db, binding, day, 'before');
      if (before) pending.add(before.day);
    }
  }
  while (pending.size > 0) {
    const day = Math.min(...pending);
    pending.delete(day);
    const previous = await stateBefore(db, series, binding, day, anew);
    const state = await foldDay(db, series, device, day, previous?.state, previous !== undefined && anew.has(previous.day) ? previous.state : undefined);
    if (!state) continue;
    const [old] = await series.days(db, [binding], day, day);
    found.set(day, old?.state);
    anew.set(day, state);
    const next = await series.neighbourDay(db, binding, day, 'after');
    if (!next || pending.has(next.day)) continue;
    if (!old || tailOf(old.state).compare(tailOf(state)) !== 0) pending.add(next.day);
    else await lookAhead(db, series, device, next.day, state);
  }
  await writeAnew(db, series, binding, stored, anew, found);
}

/** The day before, as made anew or as stored. */
async function stateBefore(
  db: Db,
  series: Series,
  binding: number,
  day: number,
  anew: ReadonlyMap<number, DayState>,
): Promise<{ day: number; state: DayState } | undefined> {
  const stored = await series.neighbourDay(db, binding, day, 'before');
  const made = Math.max(...[...anew.keys()].filter((known) => known < day));
  if (made >= (stored?.day ?? 0)) return { day: made, state: anew.get(made)! };
  return stored;
}

async function foldDay(
  db: Db,
  series: Series,
  device: BoundDevice,
  day: number,
  carriedIn: DayState | undefined,
  receiver: DayState | undefined,
): Promise<DayState | undefined> {
  const window = device.calendar.dayWindow(day);
  const samples = await samplesOf(db, series, device, window.startAt, window.endAt);
  return samples.length === 0 ? undefined : fold(samples, dayRules(device, window), carriedIn, receiver);
}

const samplesOf = (db: Db, series: Series, device: BoundDevice, fromAt: number, toAt: number): Promise<Sample[]> =>
  series.range(db, device.seriesId, Math.max(fromAt, device.fromAt), Math.min(toAt, device.toAt, Number.MAX_SAFE_INTEGER));

function fold(samples: readonly Sample[], rules: DayRules, carriedIn: DayState | undefined, receiver: DayState | undefined): DayState {
  const state = openDay(carriedIn, samples[0]!, rules.prices.prices);
  for (const sample of samples) stepDay(state, sample, rules, receiver);
  return state;
}

/** Gives a day what the first samples of the next one, which stays as it is, yielded before midnight. */
async function lookAhead(db: Db, series: Series, device: BoundDevice, nextDay: number, state: DayState): Promise<void> {
  const window = device.calendar.dayWindow(nextDay);
  const { startAt } = window;
  if (startAt - state.last.at > GAP_MS) return;
  const samples = await samplesOf(db, series, device, startAt, startAt + GAP_MS);
  if (samples.length > 0) fold(samples, dayRules(device, window), state, state);
}

/** What the next day goes on from, comparable. */
function tailOf(state: DayState): Buffer {
  const next = openDay(state, state.last, []);
  const last = Buffer.alloc(8);
  last.writeDoubleLE(state.last.at);
  return Buffer.concat([last, encodeDay({ ...next, firstAt: state.last.at, last: state.last })]);
}

async function writeAnew(
  db: Db,
  series: Series,
  binding: number,
  newest: DayRow | undefined,
  anew: ReadonlyMap<number, DayState>,
  found: ReadonlyMap<number, DayState | undefined>,
): Promise<void> {
  if (anew.size === 0) return;
  const openDayNo = Math.max(newest?.day ?? 0, ...anew.keys());
  const days = new Map(anew);
  if (newest && !days.has(newest.day)) days.set(newest.day, newest.state);
  const closed = [...anew.keys()].filter((day) => day < openDayNo);
  // The day that was open until now is closed by a later one.
  if (newest && newest.day < openDayNo) closed.push(newest.day);
  const months = await rebuildMonths(db, series, binding, new Set(closed.map(monthOf)), days, openDayNo);
  await series.put(db, { months });
  const state = days.get(openDayNo)!;
  for (const [day, other] of days) if (day !== openDayNo) other.carry = undefined;
  state.carry = await carryInto(db, series, binding, openDayNo, days);
  const changed = [...days].filter(([day, made]) => {
    const old = found.get(day);
    return !old || encodeDay(old).compare(encodeDay(made)) !== 0 || old.last.at !== made.last.at;
  });
  await series.put(db, { days: changed.map(([day, made]) => ({ binding, day, state: made })) });
}

/** How things stood before the open day; `days` stand for stored ones. */
async function carryInto(db: Db, series: Series, binding: number, openDayNo: number, days: ReadonlyMap<number, DayState>): Promise<Carry> {
  const stored = await series.neighbourDay(db, binding, openDayNo, 'before');
  const made = Math.max(0, ...[...days.keys()].filter((day) => day < openDayNo));
  const last = made >= (stored?.day ?? 0) ? { day: made, state: days.get(made) } : stored;
  if (!last?.state) return NO_CARRY;
  return carryFromMonths(await series.months(db, [binding], 0, monthOf(last.day)), { day: last.day, state: last.state });
}
