import type { Db } from '../storage/database.ts';
import { channels, type Channel } from './channels.ts';
import { MWH_PER_KWH } from './counter.ts';
import { openDay, type DayState } from './day-state.ts';
import { energyOf, stepDay, type DayRules } from './energy-day.ts';
import { totalsAfter } from './month-state.ts';
import { readingOf, thinned } from './readings.ts';
import { findBoundDevice } from './reporters.ts';
import type { Series } from './series.ts';
import { findTotalsBefore } from './sums.ts';
import type { BoundDay, CourseRow } from './telemetry.ts';

/** The readings of a binding's day with the energies as they grew, by the fold that made the roll-up. */
export async function dayCourse(db: Db, series: Series, { binding, series: number, day: date, fromAt, toAt }: BoundDay): Promise<CourseRow[]> {
  const samples = await series.range(db, number, fromAt, toAt);
  const device = await findBoundDevice(db, binding);
  const first = samples[0];
  if (!first || !device) return [];
  const carried = await series.neighbourDay(db, binding, date, 'before');
  const [stored] = await series.days(db, [binding], date, date);
  const totals = await findTotalsBefore(db, series, binding, date);
  const rules: DayRules = { startAt: device.calendar.dayWindow(date).startAt, limits: device.limits, firstBinding: device.firstBinding };
  const shown = new Set(thinned(samples, fromAt, toAt));
  const state = openDay(carried?.state, first);
  const rows: CourseRow[] = [];
  for (const sample of samples) {
    stepDay(state, sample, rules, undefined);
    if (!shown.has(sample)) continue;
    // The next day's first sample may have given this one what it yielded before midnight: the day's energy has that, the total does not.
    const day = sample === samples.at(-1) && stored?.state.last.at === sample.at ? stored.state : state;
    rows.push({ ...readingOf(sample), energies: energiesAsOf(day, totalsAfter(totals, state)) });
  }
  return rows;
}

function energiesAsOf(state: DayState, totals: readonly number[]): CourseRow['energies'] {
  const energies: { [C in Channel]?: { dayKwh: number; totalKwh: number } } = {};
  for (const [number, channel] of state.channels.entries()) {
    const energy = channel && energyOf(channel);
    if (energy) energies[channels[number]!] = { dayKwh: energy.mwh / MWH_PER_KWH, totalKwh: totals[number]! / MWH_PER_KWH };
  }
  return energies;
}
