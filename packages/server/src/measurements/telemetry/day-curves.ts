import type { Db } from '../../platform/storage/database.ts';
import { energyChannels, type EnergyChannel } from '../energy/channels.ts';
import { MWH_PER_KWH } from '../energy/counter.ts';
import { dayEnergyOf, moneyOf } from '../energy/day-energy.ts';
import { dayAfterMove, openDay, type DayState, type DaySample } from '../energy/day-state.ts';
import { stepDay } from '../energy/energy-day.ts';
import { totalsAfterDay, type Totals } from '../energy/month-state.ts';
import { daysOfMonth, monthOf } from '../../platform/calendar/plant-calendar.ts';
import { eachSample } from './each-reading.ts';
import { CHART_ROWS, createThinning, readingOf } from './thinning.ts';
import { dayRules, dayTerms, type BoundDevice } from '../bindings/bound-device.ts';
import { findBoundDevices } from '../bindings/reportable-devices.ts';
import { units } from './rollups.ts';
import type { DayRow } from '../series/port.ts';
import type { SettledReads } from '../series/port.ts';
import { totalsBefore } from '../series/sums.ts';
import type { BoundDay, CurveEnergy, CurvePoint } from './telemetry.ts';

/** The readings of bindings on a local day, each with the day's energies up to it, calculated by the same fold as the roll-ups. */
export async function dayCurves(
  db: Db,
  series: SettledReads,
  day: number,
  parts: readonly BoundDay[],
  withTotals: boolean,
): Promise<CurvePoint[][]> {
  if (parts.length === 0) return [];
  const bindings = parts.map(({ bindingNo }) => bindingNo);
  const month = monthOf(day);
  const devices = await findBoundDevices(db, bindings);
  // A device may continue from its last day in another plant, or in an earlier binding to this one.
  const withFormer = [
    ...new Set(
      bindings.flatMap((no) => [
        no,
        ...(devices.get(no)?.former ? [devices.get(no)!.former!.binding] : []),
      ]),
    ),
  ];
  const [carried, days, months] = await Promise.all([
    series.newestDays(db, withFormer, day),
    series.days(db, withFormer, withTotals ? daysOfMonth(month).fromDay : day, day),
    withTotals ? series.months(db, bindings, 0, month - 1) : [],
  ]);
  const daysByBinding = Map.groupBy(days, ({ binding }) => binding);
  const monthsByBinding = Map.groupBy(months, ({ binding }) => binding);
  const curves = parts.map((part) => {
    const { bindingNo } = part;
    const device = devices.get(bindingNo);
    const ownDays = daysByBinding.get(bindingNo) ?? [];
    const stored = ownDays.find((row) => row.day === day);
    const curve =
      device &&
      createCurve({
        day,
        part,
        device,
        totals: withTotals
          ? totalsBefore(bindingNo, day, monthsByBinding.get(bindingNo) ?? [], ownDays)
          : undefined,
        carried: carried.get(bindingNo),
        cameFrom:
          device.former &&
          (daysByBinding.get(device.former.binding)?.find((row) => row.day === day) ??
            carried.get(device.former.binding)),
        stored,
      });
    return { ...part, curve, isDense: (stored?.state.samples ?? 0) > CHART_ROWS };
  });
  await eachSample(
    db,
    series,
    curves.filter(({ curve }) => curve),
    ({ isDense }) => isDense,
    ({ curve }, sample) => curve!.add(sample),
  );
  return curves.map(({ curve }) => curve?.end() ?? []);
}

/** The facts on which a binding's curve depends, besides its samples. */
interface Circumstances {
  readonly day: number;
  readonly part: BoundDay;
  readonly device: BoundDevice;
  /** Totals before the day, by channel number; undefined if not requested. */
  readonly totals: readonly Totals[] | undefined;
  /** The previous day in this plant, and the latest day in the plant that the device came from. */
  readonly carried: DayRow | undefined;
  readonly cameFrom: DayRow | undefined;
  readonly stored: DayRow | undefined;
}

/** A curve that grows by one sample after the other. */
interface Curve {
  add(sample: DaySample): void;
  end(): CurvePoint[];
}

function createCurve({
  day: date,
  part,
  device,
  totals,
  carried,
  cameFrom,
  stored,
}: Circumstances): Curve {
  const rules = dayRules(device, date);
  const terms = dayTerms(device, date);
  const points = createThinning<GrowingPoint>(part.fromAt, part.toAt);
  let state: DayState | undefined;
  let isWhole = false;
  return {
    add(sample) {
      // Before the state goes on from the sample before, which may be shown.
      points.add(sample.at, () => {
        // The next day's first sample may have given this day the share from before midnight: it is part of the day's energy, but not of the total.
        const day = isWhole && stored?.state.last.at === sample.at ? stored.state : state!;
        return { ...readingOf(sample), energies: energiesAsOf(day, state!, totals) };
      });
      state ??=
        !carried && cameFrom
          ? dayAfterMove(cameFrom.state, sample, rules.startAt, terms)
          : openDay(carried?.state, sample, terms);
      stepDay(state, sample, rules, undefined);
    },
    end() {
      isWhole = true;
      return neverFalling(points.end());
    },
  };
}

/** Energy of a channel if only one level of its counter is known. */
const UNKNOWN = { mwh: Number.NaN, amount: Number.NaN };

interface GrowingPoint extends CurvePoint {
  readonly energies: { [C in EnergyChannel]?: CurveEnergy };
}

/** Energies at a point of a curve: those of the day from one state, the totals from another. */
function energiesAsOf(
  day: DayState,
  state: DayState,
  totals: readonly Totals[] | undefined,
): GrowingPoint['energies'] {
  const energies: { [C in EnergyChannel]?: CurveEnergy } = {};
  for (const [number, channel] of day.channels.entries()) {
    if (!channel) continue;
    const energy = dayEnergyOf(day, number) ?? UNKNOWN;
    energies[energyChannels[number]!] = {
      dayKwh: energy.mwh / MWH_PER_KWH,
      dayAmount: units(moneyOf(day.prices[number], energy)),
      totalKwh: totals && totalKwhAfter(totals[number]!, state, number),
    };
  }
  return energies;
}

function totalKwhAfter(before: Totals, state: DayState, number: number): number {
  const totals = totalsAfterDay(before, state, number);
  return (totals.energy + totals.before) / MWH_PER_KWH;
}

/** Caps each point at the later ones: a later correction must not look like energy that flowed back. */
function neverFalling(rows: GrowingPoint[]): CurvePoint[] {
  const lowest: { [C in EnergyChannel]?: CurveEnergy } = {};
  for (let i = rows.length - 1; i >= 0; i--) {
    const { energies } = rows[i]!;
    for (const [channel, energy] of Object.entries(energies) as [EnergyChannel, CurveEnergy][]) {
      if (Number.isNaN(energy.dayKwh) && !lowest[channel]) delete energies[channel];
      else lowest[channel] = energies[channel] = lower(energy, lowest[channel]);
    }
  }
  return rows;
}

const lower = (energy: CurveEnergy, later: CurveEnergy | undefined): CurveEnergy =>
  later === undefined
    ? energy
    : {
        dayKwh: least(energy.dayKwh, later.dayKwh),
        dayAmount: least(energy.dayAmount, later.dayAmount),
        totalKwh: least(energy.totalKwh, later.totalKwh),
      };

/** The smaller value; a value that is unknown at a point, but known later, counts as 0. */
function least<A extends number | undefined>(a: A, b: number | undefined): A | number {
  if (Number.isNaN(a)) return 0;
  return a === undefined || b === undefined ? a : Math.min(a, b);
}
