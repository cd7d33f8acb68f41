import type { Db } from '../storage/database.ts';
import { channels, type Channel } from '../energy/channels.ts';
import { MWH_PER_KWH } from '../energy/counter.ts';
import { openDay, type DayState, type Sample } from '../energy/day-state.ts';
import { energyOf, moneyOf, stepDay, totalAfter } from '../energy/energy-day.ts';
import { daysOfMonth, monthOf } from '../calendar/plant-calendar.ts';
import { readingOf, thinned } from './readings.ts';
import { dayRules, findBoundDevices, type BoundDevice } from '../ingest/reporters.ts';
import { units } from './rollups.ts';
import type { DayRow, Series } from '../series/port.ts';
import { totalsBefore } from '../series/sums.ts';
import type { BoundDay, CourseEnergy, CourseRow } from './telemetry.ts';

/** The readings of stretches of a day with the energies as they grew, by the fold that made the roll-ups. */
export async function dayCourses(db: Db, series: Series, day: number, stretches: readonly BoundDay[], withTotals: boolean): Promise<CourseRow[][]> {
  if (stretches.length === 0) return [];
  const bindings = stretches.map(({ binding }) => binding);
  const [fromAt, toAt] = [Math.min(...stretches.map((one) => one.fromAt)), Math.max(...stretches.map((one) => one.toAt))];
  const month = monthOf(day);
  const [samples, devices, carried, days, months] = await Promise.all([
    series.ranges(db, [...new Set(stretches.map((one) => one.series))], fromAt, toAt),
    findBoundDevices(db, bindings),
    series.newestDays(db, bindings, day),
    series.days(db, bindings, withTotals ? daysOfMonth(month).fromDay : day, day),
    withTotals ? series.months(db, bindings, 0, month - 1) : [],
  ]);
  const daysByBinding = Map.groupBy(days, ({ binding }) => binding);
  const monthsByBinding = Map.groupBy(months, ({ binding }) => binding);
  return stretches.map((stretch) => {
    const { binding } = stretch;
    const device = devices.get(binding);
    const own = (samples.get(stretch.series) ?? []).filter(({ at }) => at >= stretch.fromAt && at < stretch.toAt);
    if (!device || own.length === 0) return [];
    const ownDays = daysByBinding.get(binding) ?? [];
    const totals = withTotals ? totalsBefore(binding, day, monthsByBinding.get(binding) ?? [], ownDays) : undefined;
    return courseOf(own, { day, stretch, device, totals, carried: carried.get(binding), stored: ownDays.find((row) => row.day === day) });
  });
}

/** What a stretch's course is folded from beside its samples. */
interface Circumstances {
  readonly day: number;
  readonly stretch: BoundDay;
  readonly device: BoundDevice;
  /** Before the day, by channel number; undefined when not asked for. */
  readonly totals: readonly number[] | undefined;
  /** The day before with readings. */
  readonly carried: DayRow | undefined;
  readonly stored: DayRow | undefined;
}

function courseOf(samples: readonly Sample[], { day: date, stretch, device, totals, carried, stored }: Circumstances): CourseRow[] {
  const rules = dayRules(device, device.calendar.dayWindow(date));
  const shown = new Set(thinned(samples, stretch.fromAt, stretch.toAt));
  const state = openDay(carried?.state, samples[0]!, rules.prices.prices);
  const rows: CourseRow[] = [];
  for (const sample of samples) {
    stepDay(state, sample, rules, undefined);
    if (!shown.has(sample)) continue;
    // The next day's first sample may have given this one what it yielded before midnight: the day's energy has that, the total does not.
    const day = sample === samples.at(-1) && stored?.state.last.at === sample.at ? stored.state : state;
    rows.push({ ...readingOf(sample), energies: energiesAsOf(day, state, totals) });
  }
  return rows;
}

/** The day's energies by one state, the totals by another. */
function energiesAsOf(day: DayState, state: DayState, totals: readonly number[] | undefined): CourseRow['energies'] {
  const energies: { [C in Channel]?: CourseEnergy } = {};
  for (const [number, channel] of day.channels.entries()) {
    const energy = channel && energyOf(channel);
    if (!energy) continue;
    energies[channels[number]!] = {
      dayKwh: energy.mwh / MWH_PER_KWH,
      dayAmount: units(moneyOf(day.prices[number], energy)),
      totalKwh: totals && totalKwhAfter(totals[number]!, state, number),
    };
  }
  return energies;
}

function totalKwhAfter(before: number, state: DayState, number: number): number {
  const channel = state.channels[number];
  const energy = channel && energyOf(channel);
  return (energy ? totalAfter(before, channel, energy) : before) / MWH_PER_KWH;
}
