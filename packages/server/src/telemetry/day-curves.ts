import type { Db } from '../storage/database.ts';
import { channels, type Channel } from '../energy/channels.ts';
import { MWH_PER_KWH } from '../energy/counter.ts';
import { openDay, type DayState, type Sample } from '../energy/day-state.ts';
import { energyOf, moneyOf, stepDay, totalAfter } from '../energy/energy-day.ts';
import { daysOfMonth, monthOf } from '../calendar/plant-calendar.ts';
import { readingOf, downsample } from './downsampling.ts';
import { dayRules, findBoundDevices, type BoundDevice } from '../ingest/reporters.ts';
import { units } from './rollups.ts';
import type { DayRow, Series } from '../series/port.ts';
import { totalsBefore } from '../series/sums.ts';
import type { BoundDay, CurveEnergy, CurvePoint } from './telemetry.ts';

/** The readings of bindings on a local day with the energies as they grew, by the fold that made the roll-ups. */
export async function dayCurves(db: Db, series: Series, day: number, parts: readonly BoundDay[], withTotals: boolean): Promise<CurvePoint[][]> {
  if (parts.length === 0) return [];
  const bindings = parts.map(({ bindingNo }) => bindingNo);
  const [fromAt, toAt] = [Math.min(...parts.map((one) => one.fromAt)), Math.max(...parts.map((one) => one.toAt))];
  const month = monthOf(day);
  const [samples, devices, carried, days, months] = await Promise.all([
    series.ranges(db, [...new Set(parts.map(({ seriesId }) => seriesId))], fromAt, toAt),
    findBoundDevices(db, bindings),
    series.newestDays(db, bindings, day),
    series.days(db, bindings, withTotals ? daysOfMonth(month).fromDay : day, day),
    withTotals ? series.months(db, bindings, 0, month - 1) : [],
  ]);
  const daysByBinding = Map.groupBy(days, ({ binding }) => binding);
  const monthsByBinding = Map.groupBy(months, ({ binding }) => binding);
  return parts.map((part) => {
    const { bindingNo } = part;
    const device = devices.get(bindingNo);
    const own = (samples.get(part.seriesId) ?? []).filter(({ at }) => at >= part.fromAt && at < part.toAt);
    if (!device || own.length === 0) return [];
    const ownDays = daysByBinding.get(bindingNo) ?? [];
    const totals = withTotals ? totalsBefore(bindingNo, day, monthsByBinding.get(bindingNo) ?? [], ownDays) : undefined;
    return curveOf(own, { day, part, device, totals, carried: carried.get(bindingNo), stored: ownDays.find((row) => row.day === day) });
  });
}

/** What a binding's curve is folded from beside its samples. */
interface Circumstances {
  readonly day: number;
  readonly part: BoundDay;
  readonly device: BoundDevice;
  /** Before the day, by channel number; undefined when not asked for. */
  readonly totals: readonly number[] | undefined;
  /** The day before with readings. */
  readonly carried: DayRow | undefined;
  readonly stored: DayRow | undefined;
}

function curveOf(samples: readonly Sample[], { day: date, part, device, totals, carried, stored }: Circumstances): CurvePoint[] {
  const rules = dayRules(device, device.calendar.dayWindow(date));
  const shown = new Set(downsample(samples, part.fromAt, part.toAt));
  const state = openDay(carried?.state, samples[0]!, rules.prices.prices);
  const rows: CurvePoint[] = [];
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
function energiesAsOf(day: DayState, state: DayState, totals: readonly number[] | undefined): CurvePoint['energies'] {
  const energies: { [C in Channel]?: CurveEnergy } = {};
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
