import type { DeviceKind } from '../../../fleet/devices/devices.ts';
import {
  daysOfMonth,
  monthOf,
  yearOf,
  type Zones,
} from '../../../platform/calendar/plant-calendar.ts';
import type { DayRollup, EnergiesToDate, Energy, MonthRollup } from '../../telemetry/telemetry.ts';
import { added, type Sum } from '../energy/sums.ts';
import type { MeasuredBinding } from '../measured-bindings.ts';
import type { FigureSources } from '../sources.ts';
import { modulesLimit, type Modules } from './modules.ts';

/** Longer than any local day. */
const TWO_DAYS_MS = 172_800_000;

/** A plant whose devices together may report more than its modules can yield. */
export interface CutSubject {
  readonly modules: Modules;
  readonly zones: Zones;
  /** Kinds of device by binding number. */
  readonly kinds: ReadonlyMap<number, DeviceKind>;
}

/** The part of one device's production on one day that exceeds what the plant's modules can yield. */
export interface Cut {
  readonly bindingNo: number;
  /** yyyymmdd */
  readonly day: number;
  readonly kwh: number;
  readonly amount: number | undefined;
}

/** Whether the devices of one kind may together have reported too much on some day; if not, no month has to be examined. */
export function mayBeCut(bindings: readonly MeasuredBinding[]): boolean {
  const shares = bindings.map(({ binding, energies }) => ({
    binding,
    share: energies.production?.highestShare ?? 0,
  }));
  const sumOf = (some: typeof shares): number => some.reduce((sum, { share }) => sum + share, 0);
  if (sumOf(shares) <= 1) return false;
  // The possible sum is highest when a device has just been added. On the day when one replaces another, both may have energy.
  return shares.some(
    ({ binding: { fromAt } }) =>
      sumOf(
        shares.filter(
          ({ binding }) =>
            binding.fromAt < fromAt + TWO_DAYS_MS &&
            (binding.toAt ?? Infinity) > fromAt - TWO_DAYS_MS,
        ),
      ) > 1,
  );
}

/** The cuts in the given months. Takes one statement if a month may contain days that are cut, otherwise none. */
export async function findCuts(
  { db, telemetry }: FigureSources,
  plants: readonly CutSubject[],
  months: readonly MonthRollup[],
): Promise<Cut[]> {
  const plantOf = new Map(
    plants.flatMap((plant) => [...plant.kinds.keys()].map((no) => [no, plant] as const)),
  );
  const suspects = groupsOf(months, plantOf, ({ month }) => month).filter(
    (group) =>
      group.reduce((sum, { energies }) => sum + (energies.production?.highestShare ?? 0), 0) > 1,
  );
  if (suspects.length === 0) return [];
  const wanted = suspects.flat();
  const spans = wanted.map(({ month }) => daysOfMonth(month));
  const days = await telemetry.daysOf(
    db,
    [...new Set(wanted.map(({ bindingNo }) => bindingNo))],
    Math.min(...spans.map(({ fromDay }) => fromDay)),
    Math.max(...spans.map(({ toDay }) => toDay)),
  );
  return groupsOf(days, plantOf, ({ day }) => day).flatMap((group) =>
    cutsOf(group, plantOf.get(group[0]!.bindingNo)!),
  );
}

/** Roll-ups with production, grouped by plant, kind of device and period. */
function groupsOf<Rollup extends DayRollup | MonthRollup>(
  rollups: readonly Rollup[],
  plantOf: ReadonlyMap<number, CutSubject>,
  periodOf: (rollup: Rollup) => number,
): Rollup[][] {
  const groups = new Map<CutSubject, Map<string, Rollup[]>>();
  for (const rollup of rollups) {
    const plant = plantOf.get(rollup.bindingNo);
    if (!plant || !rollup.energies.production) continue;
    const key = `${plant.kinds.get(rollup.bindingNo)} ${periodOf(rollup)}`;
    const ofPlant = groups.get(plant) ?? new Map<string, Rollup[]>();
    groups.set(plant, ofPlant.set(key, [...(ofPlant.get(key) ?? []), rollup]));
  }
  return [...groups.values()].flatMap((ofPlant) => [...ofPlant.values()]);
}

/** Divides among the devices of one kind the excess that they reported on a day. */
function cutsOf(group: readonly DayRollup[], { modules, zones }: CutSubject): Cut[] {
  const { day } = group[0]!;
  const produced = group.map(({ bindingNo, energies }) => ({ bindingNo, ...energies.production! }));
  const sum = produced.reduce(
    (sums: Sum | undefined, { energyKwh, amount, estimated }) =>
      added(sums, { kwh: energyKwh, amount, estimated }),
    undefined,
  )!;
  const { kwh } = modulesLimit(modules, zones, day)(sum);
  if (kwh === sum.kwh) return [];
  const part = 1 - kwh / sum.kwh;
  return produced.map(({ bindingNo, energyKwh, amount }) => ({
    bindingNo,
    day,
    kwh: energyKwh * part,
    amount: amount && amount * part,
  }));
}

/** The months of bindings, as telemetry.monthsOf, without the cuts of the given plants. */
export async function monthsOfPlants(
  sources: FigureSources,
  plants: readonly CutSubject[],
  bindingNos: readonly number[],
  fromMonth: number,
  toMonth: number,
): Promise<MonthRollup[]> {
  const months = await sources.telemetry.monthsOf(sources.db, bindingNos, fromMonth, toMonth);
  return withoutCuts(months, await findCuts(sources, plants, months));
}

/** Subtracts cuts from months. */
export function withoutCuts(months: readonly MonthRollup[], cuts: readonly Cut[]): MonthRollup[] {
  if (cuts.length === 0) return [...months];
  const byMonth = Map.groupBy(cuts, ({ bindingNo, day }) => `${bindingNo} ${monthOf(day)}`);
  return months.map((rollup) => {
    const own = byMonth.get(`${rollup.bindingNo} ${rollup.month}`);
    const { production } = rollup.energies;
    if (!own || !production) return rollup;
    return {
      ...rollup,
      energies: { ...rollup.energies, production: { ...production, ...lessened(production, own) } },
    };
  });
}

function lessened({ energyKwh, amount }: Energy, cuts: readonly Cut[]): Energy {
  const { kwh, amount: money = 0 } = sumOfCuts(cuts);
  return {
    energyKwh: energyKwh - kwh,
    amount: amount === undefined ? undefined : amount - money,
    estimated: true,
  };
}

const sumOfCuts = (cuts: readonly Cut[]): { kwh: number; amount: number | undefined } =>
  cuts.reduce((sum, { kwh, amount }) => added(sum, { kwh, amount, estimated: true }), {
    kwh: 0,
    amount: undefined,
    estimated: true,
  } as Sum);

/** Subtracts cuts from a device's energies up to now. */
export function toDateWithoutCuts(
  measured: MeasuredBinding,
  cuts: readonly Cut[],
  today: number,
): MeasuredBinding {
  const { production } = measured.energies;
  // These energies do not include days ahead of the clock, so cuts on such days do not count either.
  const own = cuts.filter(
    ({ bindingNo, day }) => bindingNo === measured.binding.no && day <= today,
  );
  if (!production || own.length === 0) return measured;
  const all = sumOfCuts(own);
  const ofYear = sumOfCuts(own.filter(({ day }) => yearOf(day) === yearOf(today)));
  const ofMonth = sumOfCuts(own.filter(({ day }) => monthOf(day) === monthOf(today)));
  const ofToday = sumOfCuts(own.filter(({ day }) => day === today));
  const { dayKwh, monthKwh, yearKwh, totalKwh, amounts, estimated } = production;
  const cut: EnergiesToDate = {
    ...production,
    dayKwh: less(dayKwh, ofToday.kwh),
    monthKwh: less(monthKwh, ofMonth.kwh),
    yearKwh: less(yearKwh, ofYear.kwh),
    totalKwh: totalKwh - all.kwh,
    estimated: estimated || ofToday.kwh > 0,
    amounts: amounts && {
      ...amounts,
      day: less(amounts.day, ofToday.amount),
      month: less(amounts.month, ofMonth.amount),
      year: less(amounts.year, ofYear.amount),
      total: amounts.total - (all.amount ?? 0),
    },
  };
  return { ...measured, energies: { ...measured.energies, production: cut } };
}

const less = (whole: number | undefined, part = 0): number | undefined =>
  whole === undefined ? undefined : whole - part;
