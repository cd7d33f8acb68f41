import type { Channel, Energies, PeriodAmounts, PeriodEnergies } from '@helioport/contract';
import type { Stretch } from '../plants/bindings.ts';
import type { EnergiesToDate, Latest } from '../telemetry/telemetry.ts';

/** A device's stretch in a plant with the newest that was measured in it. */
export interface MeasuredStretch {
  readonly stretch: Stretch;
  /** Undefined before the first reading. */
  readonly latest: Latest | undefined;
  /** Its energies up to now. */
  readonly energies: ReturnType<Latest['energiesToDate']>;
}

/** Puts readings to stretches; `todayOf` gives the local day of a plant. */
export const measured = (stretches: readonly Stretch[], latest: ReadonlyMap<number, Latest>, todayOf: (plantId: string) => number): MeasuredStretch[] =>
  stretches.map((stretch) => {
    const newest = latest.get(stretch.no);
    // A reading may be up to a day ahead of the clock.
    return { stretch, latest: newest, energies: newest ? newest.energiesToDate(todayOf(stretch.plantId)) : {} };
  });

/** Adds up the channels of stretches; one that none of them has is left out. */
export function sumEnergies(stretches: readonly MeasuredStretch[]): Energies {
  const sums: { [C in Channel]?: { todayKwh: number; monthKwh: number; yearKwh: number; totalKwh: number } } = {};
  for (const { energies } of stretches) {
    for (const [channel, energy] of Object.entries(energies) as [Channel, EnergiesToDate][]) {
      const sum = (sums[channel] ??= { todayKwh: 0, monthKwh: 0, yearKwh: 0, totalKwh: 0 });
      sum.todayKwh += energy.dayKwh;
      sum.monthKwh += energy.monthKwh;
      sum.yearKwh += energy.yearKwh;
      sum.totalKwh += energy.totalKwh;
    }
  }
  return sums;
}

/** Income of energies produced; undefined without a price. */
export function incomeOf(energies: PeriodEnergies | null | undefined, pricePerKwh: number | null): PeriodAmounts | undefined {
  if (pricePerKwh === null || !energies) return undefined;
  const amount = (kwh: number | null | undefined): number | undefined => (typeof kwh === 'number' ? kwh * pricePerKwh : undefined);
  return { today: amount(energies.todayKwh), month: amount(energies.monthKwh), year: amount(energies.yearKwh), total: amount(energies.totalKwh) };
}

/** Time of the last reading of some stretches. */
export function lastReportOf(stretches: readonly MeasuredStretch[]): number | undefined {
  let last: number | undefined;
  for (const { latest } of stretches) if (latest && !(latest.lastAt <= (last ?? -Infinity))) last = latest.lastAt;
  return last;
}
