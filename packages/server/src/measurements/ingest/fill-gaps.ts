import { energyChannels } from '../energy/channels.ts';
import { dayEnergyOf } from '../energy/day-energy.ts';
import type { DayState, DaySample } from '../energy/day-state.ts';
import { insertSamples } from '../energy/insert-samples.ts';
import type { DayRow, SampleSpan, Series } from '../series/port.ts';
import type { Db } from '../../platform/storage/database.ts';
import { dayRules } from '../bindings/bound-device.ts';
import { createDayWorkspace } from './day-workspace.ts';
import { loadDays, type LateReadings } from './load-amended.ts';
import { mergeReadings, type Merged } from './readings/merge-sample.ts';
import type { FieldSettling } from './readings/settle-fields.ts';
import { calculateAnew, type Anew } from './write-anew.ts';

/** Late readings between known samples of one day, and what follows. */
export interface FilledGaps {
  readonly merged: Merged;
  readonly anew: Anew | undefined;
}

/** A day into which late readings fall. */
interface Gap {
  readonly late: LateReadings;
  readonly newest: DayRow;
  readonly day: number;
}

/** A day to which late readings were added. */
interface Filled {
  readonly gap: Gap;
  readonly merged: Merged;
  readonly before: DayState;
  readonly after: DayState;
}

// Readings that follow each other more closely than so many samples of the day are read around as one.
const SAMPLES_APART = 8;
// To read around a span takes as long as to read and fold so many samples of the day.
const SAMPLES_PER_SPAN = 12;

/**
 * What late readings between known samples of a dense day change, from the samples around them alone. Left out are those for which that is not enough,
 * or takes longer than reading the whole day.
 */
export async function fillGaps(
  db: Db,
  series: Series,
  all: readonly LateReadings[],
  { dayReadings, fields }: { dayReadings: number; fields: FieldSettling },
): Promise<Map<LateReadings, FilledGaps>> {
  const filled = new Map<LateReadings, FilledGaps>();
  if (!series.around) return filled;
  const gaps = all.flatMap((late) => gapOf(late) ?? []);
  const spans = new Map<Gap, { readonly state: DayState; readonly spans: readonly SampleSpan[] }>();
  for (const [gap, state] of await statesOf(db, series, gaps)) {
    const around =
      state.isSteady &&
      isWithin(gap.late.readings, state) &&
      state.samples + gap.late.readings.length <= dayReadings
        ? spansOf(gap.late, state)
        : [];
    if (around.length > 0 && isCheaper(around, state)) spans.set(gap, { state, spans: around });
  }
  if (spans.size === 0) return filled;
  const known = await series.around(
    db,
    [...spans.values()].flatMap((one) => one.spans),
  );
  const changed: Filled[] = [];
  for (const [gap, { state: before }] of spans) {
    const { late, day } = gap;
    const samples = known.get(late.device.seriesId) ?? [];
    const ats = new Map(samples.map((sample) => [sample.at, sample]));
    const merged = mergeReadings(
      (at) => ats.get(at),
      late.readings,
      fields.of(late.device.ownerId),
    );
    if (merged.changed.length === 0) filled.set(late, { merged, anew: undefined });
    else {
      const after = insertSamples(before, samples, merged.changed, dayRules(late.device, day));
      if (after) changed.push({ gap, merged, before, after });
    }
  }
  for (const [day, some] of Map.groupBy(changed, ({ gap }) => gap.day)) {
    const anew = await anewOf(db, series, day, some);
    for (const one of some) filled.set(one.gap.late, { merged: one.merged, anew: anew.get(one)! });
  }
  return filled;
}

function gapOf(late: LateReadings): Gap | undefined {
  const { device, readings, newest } = late;
  if (!newest || device.former || device.next) return undefined;
  const day = device.calendar.dayOf(readings[0]!.at);
  return day <= newest.day && day === device.calendar.dayOf(readings.at(-1)!.at)
    ? { late, newest, day }
    : undefined;
}

/** The states of the days, where there are any. */
async function statesOf(db: Db, series: Series, gaps: readonly Gap[]): Promise<Map<Gap, DayState>> {
  const states = new Map<Gap, DayState>();
  for (const [day, some] of Map.groupBy(gaps, (gap) => gap.day)) {
    const closed = some
      .filter(({ newest }) => newest.day > day)
      .map(({ late }) => late.device.binding);
    const rows = closed.length === 0 ? [] : await series.days(db, closed, day, day);
    const stored = new Map(rows.map(({ binding, state }) => [binding, state]));
    for (const gap of some) {
      const state = gap.newest.day === day ? gap.newest.state : stored.get(gap.late.device.binding);
      if (state) states.set(gap, state);
    }
  }
  return states;
}

const isWithin = (readings: readonly DaySample[], { firstAt, last }: DayState): boolean =>
  readings[0]!.at > firstAt && readings.at(-1)!.at < last.at;

/** Whether to read around spans takes at most half as long as to read and fold the day. */
function isCheaper(spans: readonly SampleSpan[], state: DayState): boolean {
  const withinMs = spans.reduce((sum, { fromAt, toAt }) => sum + toAt - fromAt, 0);
  return spans.length * SAMPLES_PER_SPAN + withinMs / meanIntervalMs(state) <= state.samples / 2;
}

const meanIntervalMs = ({ firstAt, last, samples }: DayState): number =>
  (last.at - firstAt) / samples;

function spansOf({ device: { seriesId }, readings }: LateReadings, state: DayState): SampleSpan[] {
  const apartMs = SAMPLES_APART * meanIntervalMs(state);
  const spans: { seriesId: number; fromAt: number; toAt: number }[] = [];
  for (const { at } of readings) {
    const span = spans.at(-1);
    if (span && at - span.toAt <= apartMs) span.toAt = at;
    else spans.push({ seriesId, fromAt: at, toAt: at });
  }
  return spans;
}

/** The rows that follow: those of the day alone, except where a closed day's energy has changed, and with it sums. The next day goes on as before. */
async function anewOf(
  db: Db,
  series: Series,
  day: number,
  all: readonly Filled[],
): Promise<Map<Filled, Anew>> {
  const summed = all.filter(
    ({ gap, before, after }) => gap.newest.day > day && !hasSameEnergies(before, after),
  );
  const loaded =
    summed.length === 0
      ? undefined
      : await loadDays(
          db,
          series,
          day,
          summed.map(({ gap }) => gap),
        );
  const rows = new Map<Filled, Anew>();
  for (const one of all) {
    const { gap, after } = one;
    const { binding } = gap.late.device;
    if (!loaded || !summed.includes(one)) {
      rows.set(one, {
        gone: { days: [], months: [] },
        days: [{ binding, day, state: after }],
        months: [],
      });
      continue;
    }
    const { days, months } = loaded(gap);
    const shelf = createDayWorkspace(db, series, binding, days);
    await shelf.find(day);
    shelf.put(day, after);
    rows.set(one, await calculateAnew(db, series, binding, gap.newest, shelf, months));
  }
  return rows;
}

const hasSameEnergies = (a: DayState, b: DayState): boolean =>
  energyChannels.every((_, number) => {
    const [one, other] = [dayEnergyOf(a, number), dayEnergyOf(b, number)];
    return (
      one?.mwh === other?.mwh &&
      one?.estimated === other?.estimated &&
      one?.amount === other?.amount
    );
  });
