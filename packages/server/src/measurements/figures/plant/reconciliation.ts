import { DAY_MS } from '@helioport/contract/durations';
import type { ChannelName, PeriodEnergies } from '@helioport/contract';
import type { DeviceKind } from '../../../fleet/devices/devices.ts';
import { monthOf, yearOf } from '../../../platform/calendar/plant-calendar.ts';
import type { MonthRollup } from '../../telemetry/telemetry.ts';
import { bestSums, ofMonths } from '../energy/energy-rows.ts';
import { sumEnergy, type MeasuredBinding } from '../measured-bindings.ts';
import type { Starts } from '../starts.ts';
import type { SourcePrecedence } from './precedence.ts';
import { dayCoverage, preferredKind } from './preferred-kind.ts';

/** The devices of one kind that measured a channel of a plant, and when. */
export interface KindCoverage {
  readonly kind: DeviceKind;
  readonly bindings: readonly MeasuredBinding[];
  /** Times of the first and last reading of any of these devices. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** The highest number of days that any of these devices measured. */
  readonly days: number;
}

/** The kinds of device that measured a channel, most preferred first. */
export function coverageByKind(
  channel: ChannelName,
  precedence: SourcePrecedence,
  groups: ReadonlyMap<DeviceKind, { readonly all: readonly MeasuredBinding[] }>,
  starts: Starts,
): KindCoverage[] {
  const coverages: KindCoverage[] = [];
  for (const kind of precedence) {
    const bindings = groups.get(kind)?.all.filter(({ energies }) => energies[channel]);
    if (!bindings || bindings.length === 0) continue;
    let [firstAt, lastAt, days] = [Infinity, -Infinity, 0];
    for (const { binding, latest, energies } of bindings) {
      firstAt = Math.min(firstAt, starts.get(binding.no)?.reportedAt ?? Infinity);
      lastAt = Math.max(lastAt, latest!.lastAt);
      days = Math.max(days, energies[channel]!.days);
    }
    coverages.push({ kind, bindings, firstAt, lastAt, days });
  }
  return coverages;
}

/**
 * Whether the kind has to be chosen month by month. This is so if the preferred kind lacks more than one day of the time in which any kind reported:
 * another kind may then have covered clearly more of some month.
 */
export function isUneven([best, ...others]: readonly KindCoverage[]): boolean {
  if (best === undefined || others.length === 0) return false;
  const firstAt = Math.min(best.firstAt, ...others.map((other) => other.firstAt));
  const lastAt = Math.max(best.lastAt, ...others.map((other) => other.lastAt));
  // A span of time touches this number of local days or one more.
  return best.days < Math.floor((lastAt - firstAt) / DAY_MS) + 1;
}

const sumOf = (channel: ChannelName, bindings: readonly MeasuredBinding[]): PeriodEnergies =>
  sumEnergy(channel, bindings) ?? {};

/** Energies of a channel that more than one kind measured. `months`: all existing months, needed only if coverage is uneven. */
export function reconcileKinds(
  channel: ChannelName,
  coverages: readonly KindCoverage[],
  today: number,
  months: readonly MonthRollup[],
): PeriodEnergies {
  const best = coverages[0]!;
  const ofBest = sumOf(channel, best.bindings);
  const now = new Map(
    coverages.map(({ kind, bindings }) => [
      kind,
      bindings.filter(({ latest }) => latest!.day === today),
    ]),
  );
  const kinds = coverages.map(({ kind }) => kind);
  const kindNow =
    preferredKind(
      kinds,
      (kind) => now.get(kind)!.map(({ latest }) => dayCoverage(latest!)),
      channel,
    ) ?? best.kind;
  const ofToday = sumOf(channel, now.get(kindNow)!);
  if (!isUneven(coverages)) return kindNow === best.kind ? ofBest : withToday(ofBest, ofToday);
  const kindOf = new Map(
    coverages.flatMap(({ kind, bindings }) =>
      bindings.map(({ binding }) => [binding.no, kind] as const),
    ),
  );
  const periods = ofMonths(months.filter(({ bindingNo }) => kindOf.has(bindingNo)));
  const ever = bestSums(kindOf, periods)[channel];
  const ofYear = bestSums(
    kindOf,
    periods.filter(({ coverage }) => yearOf(coverage.period * 100) === yearOf(today)),
  )[channel];
  const ofMonth = bestSums(
    kindOf,
    periods.filter(({ coverage }) => coverage.period === monthOf(today)),
  )[channel];
  const total = totalOf(channel, coverages);
  return {
    todayKwh: ofToday.todayKwh ?? 0,
    monthKwh: ofMonth?.kwh ?? 0,
    yearKwh: ofYear?.kwh ?? 0,
    // The total is never less than the sum of all months.
    totalKwh: Math.max(total.totalKwh ?? 0, ever?.kwh ?? 0),
    ...(ofToday.estimated && { estimated: true }),
    ...(total.amounts && {
      amounts: {
        today: ofToday.amounts?.today ?? 0,
        month: ofMonth?.amount ?? 0,
        year: ofYear?.amount ?? 0,
        total: Math.max(total.amounts.total ?? 0, ever?.amount ?? 0),
      },
    }),
  };
}

const plus = (
  a: number | null | undefined,
  b: number | null | undefined,
  c: number | null | undefined,
): number => (a ?? 0) + (b ?? 0) - (c ?? 0);

/**
 * Energies up to now, with those of today replaced by those of another kind of device. The total does not fall below its former value. So it is still
 * at least the sum of its years, which are sums of months.
 */
const withToday = (energies: PeriodEnergies, ofToday: PeriodEnergies): PeriodEnergies => ({
  todayKwh: ofToday.todayKwh ?? 0,
  monthKwh: plus(energies.monthKwh, ofToday.todayKwh, energies.todayKwh),
  yearKwh: plus(energies.yearKwh, ofToday.todayKwh, energies.todayKwh),
  totalKwh: Math.max(
    energies.totalKwh ?? 0,
    plus(energies.totalKwh, ofToday.todayKwh, energies.todayKwh),
  ),
  ...(ofToday.estimated && { estimated: true }),
  ...(energies.amounts && {
    amounts: {
      today: ofToday.amounts?.today ?? 0,
      month: plus(energies.amounts.month, ofToday.amounts?.today, energies.amounts.today),
      year: plus(energies.amounts.year, ofToday.amounts?.today, energies.amounts.today),
      total: Math.max(
        energies.amounts.total ?? 0,
        plus(energies.amounts.total, ofToday.amounts?.today, energies.amounts.today),
      ),
    },
  }),
});

/**
 * The total over kinds of device. If they measured at the same time, it is the larger of their totals, since the other record is shorter. If they
 * followed one another, it is the sum.
 */
function totalOf(channel: ChannelName, [best, ...others]: readonly KindCoverage[]): PeriodEnergies {
  let [total, firstAt, lastAt] = [sumOf(channel, best!.bindings), best!.firstAt, best!.lastAt];
  for (const other of others) {
    const own = sumOf(channel, other.bindings);
    if (other.firstAt > lastAt - DAY_MS || other.lastAt < firstAt + DAY_MS) {
      const amounts = total.amounts ?? own.amounts;
      total = {
        totalKwh: (total.totalKwh ?? 0) + (own.totalKwh ?? 0),
        ...(amounts && {
          amounts: { total: (total.amounts?.total ?? 0) + (own.amounts?.total ?? 0) },
        }),
      };
    } else if ((own.totalKwh ?? 0) > (total.totalKwh ?? 0)) total = own;
    [firstAt, lastAt] = [Math.min(firstAt, other.firstAt), Math.max(lastAt, other.lastAt)];
  }
  return total;
}
