import type { Channel, Energies, PeriodAmounts } from '@helioport/contract';
import type { Binding } from '../plants/bindings.ts';
import type { AmountsToDate, EnergiesToDate, Latest } from '../telemetry/telemetry.ts';

/** A device's binding in a plant with the newest that was measured in it. */
export interface MeasuredBinding {
  readonly binding: Binding;
  /** Undefined before the first reading. */
  readonly latest: Latest | undefined;
  /** Its energies up to now. */
  readonly energies: ReturnType<Latest['energiesToDate']>;
}

/** Puts readings to bindings; `todayOf` gives the local day of a plant. */
export const measured = (bindings: readonly Binding[], latest: ReadonlyMap<number, Latest>, todayOf: (plantId: string) => number): MeasuredBinding[] =>
  bindings.map((binding) => {
    const newest = latest.get(binding.no);
    return { binding, latest: newest, energies: newest ? newest.energiesToDate(todayOf(binding.plantId)) : {} };
  });

/** Adds up the channels of bindings; one that none of them has is left out. */
export function sumEnergies(bindings: readonly MeasuredBinding[]): Energies {
  const sums: { [C in Channel]?: { todayKwh: number; monthKwh: number; yearKwh: number; totalKwh: number; amounts?: PeriodAmounts } } = {};
  for (const { energies } of bindings) {
    for (const [channel, energy] of Object.entries(energies) as [Channel, EnergiesToDate][]) {
      const sum = (sums[channel] ??= { todayKwh: 0, monthKwh: 0, yearKwh: 0, totalKwh: 0 });
      sum.todayKwh += energy.dayKwh;
      sum.monthKwh += energy.monthKwh;
      sum.yearKwh += energy.yearKwh;
      sum.totalKwh += energy.totalKwh;
      if (energy.amounts) sum.amounts = sumAmounts(sum.amounts, energy.amounts);
    }
  }
  return sums;
}

const sumAmounts = (sum: PeriodAmounts | undefined, { day, month, year, total }: AmountsToDate): PeriodAmounts => ({
  today: (sum?.today ?? 0) + day,
  month: (sum?.month ?? 0) + month,
  year: (sum?.year ?? 0) + year,
  total: (sum?.total ?? 0) + total,
});

/** Time of the last reading of some bindings. */
export function lastReportOf(bindings: readonly MeasuredBinding[]): number | undefined {
  let last: number | undefined;
  for (const { latest } of bindings) if (latest && !(latest.lastAt <= (last ?? -Infinity))) last = latest.lastAt;
  return last;
}

/** The first of some times; undefined when none is known. */
export function earliest(times: readonly (number | undefined)[]): number | undefined {
  let first: number | undefined;
  for (const time of times) if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}
