import type { ChannelName, Energies, PeriodAmounts, PeriodEnergies } from '@helioport/contract';
import type { Binding } from '../../fleet/plants/bindings.ts';
import type { AmountsToDate, Latest } from '../telemetry/telemetry.ts';

/** A device's binding in a plant, with the newest measurements during it. */
export interface MeasuredBinding {
  readonly binding: Binding;
  /** Undefined before the first reading. */
  readonly latest: Latest | undefined;
  /** Energies of the binding up to now. */
  readonly energies: ReturnType<Latest['energiesToDate']>;
}

/** Joins bindings with their measurements; `todayOf` returns a plant's local day. */
export const measured = (
  bindings: readonly Binding[],
  latest: ReadonlyMap<number, Latest>,
  todayOf: (plantId: string) => number,
): MeasuredBinding[] =>
  bindings.map((binding) => {
    const newest = latest.get(binding.no);
    return {
      binding,
      latest: newest,
      energies: newest ? newest.energiesToDate(todayOf(binding.plantId)) : {},
    };
  });

/** Adds up the channels of bindings; channels that none of them has are omitted. */
export function sumEnergies(bindings: readonly MeasuredBinding[]): Energies {
  const sums: { [C in ChannelName]?: Energies[C] } = {};
  for (const channel of new Set(
    bindings.flatMap(({ energies }) => Object.keys(energies) as ChannelName[]),
  ))
    sums[channel] = sumEnergy(channel, bindings);
  return sums;
}

/** Adds up one channel of bindings; undefined if none of them has it. */
export function sumEnergy(
  channel: ChannelName,
  bindings: readonly MeasuredBinding[],
): PeriodEnergies | undefined {
  let sum: PeriodEnergies | undefined;
  for (const { energies } of bindings) {
    const energy = energies[channel];
    if (!energy) continue;
    const { dayKwh, monthKwh, yearKwh, totalKwh, estimated, amounts } = energy;
    sum = {
      todayKwh: plus(sum?.todayKwh, dayKwh),
      monthKwh: plus(sum?.monthKwh, monthKwh),
      yearKwh: plus(sum?.yearKwh, yearKwh),
      totalKwh: (sum?.totalKwh ?? 0) + totalKwh,
      ...((sum?.estimated || estimated) && { estimated: true }),
      ...((sum?.amounts ?? amounts) && {
        amounts: amounts ? sumAmounts(sum?.amounts ?? undefined, amounts) : sum!.amounts,
      }),
    };
  }
  return sum;
}

const sumAmounts = (sum: PeriodAmounts | undefined, amounts: AmountsToDate): PeriodAmounts => ({
  today: plus(sum?.today, amounts.day),
  month: plus(sum?.month, amounts.month),
  year: plus(sum?.year, amounts.year),
  total: (sum?.total ?? 0) + amounts.total,
});

/** Adds two numbers, as far as they are known. */
const plus = (a: number | null | undefined, b: number | undefined): number | undefined =>
  b === undefined ? (a ?? undefined) : (a ?? 0) + b;

/** Time of the bindings' last reading; undefined if there is none. */
export function lastReportOfBinding(bindings: readonly MeasuredBinding[]): number | undefined {
  let last: number | undefined;
  for (const { latest } of bindings)
    if (latest && !(latest.lastAt <= (last ?? -Infinity))) last = latest.lastAt;
  return last;
}

/** The earliest of the known times; undefined if none is known. */
export function earliest(times: readonly (number | undefined)[]): number | undefined {
  let first: number | undefined;
  for (const time of times)
    if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}
