import type { Channel } from '@helioport/contract';
import type { DeviceKind } from '../../devices/devices.ts';
import type { DayRollup, MonthRollup } from '../../telemetry/telemetry.ts';
import type { Precedence } from './precedence.ts';

const HOUR_MS = 3_600_000;
const WHOLE_DAY = 24;

/** How much of a day or a month a binding has measured. */
export interface PeriodCoverage {
  /** yyyymmdd or yyyymm. */
  readonly period: number;
  /** Of a channel: hours of a day, days of a month; undefined where it tells nothing. */
  extent(channel: Channel): number | undefined;
}

/** What a binding has measured of a day. */
interface MeasuredDay extends Pick<DayRollup, 'day' | 'firstAt' | 'lastAt'> {
  readonly energies: { readonly [C in Channel]?: unknown };
}

export const dayCoverage = ({ day, firstAt, lastAt, energies }: MeasuredDay): PeriodCoverage => ({
  period: day,
  extent(channel) {
    if (!energies[channel]) return undefined;
    // Inverters sleep at night, when there is nothing that a meter could tell better.
    return channel === 'production' ? WHOLE_DAY : (lastAt - firstAt) / HOUR_MS;
  },
});

export const monthCoverage = ({ month, energies }: MonthRollup): PeriodCoverage => ({ period: month, extent: (channel) => energies[channel]?.days });

/** An hour of a day, a day of a month: so much less of the period a better kind may tell. */
const SLACK = 1;

/**
 * The kind used for a channel of a plant in one day or month: the best one, unless another has covered clearly more of it. On the day
 * (and in the month) when a meter is added or removed, the inverters' figures for all of it are closer than the meter's for its part.
 */
export function preferredKind(
  precedence: Precedence,
  coveragesOf: (kind: DeviceKind) => readonly PeriodCoverage[] | undefined,
  channel: Channel,
): DeviceKind | undefined {
  let [best, most] = [undefined as DeviceKind | undefined, -Infinity];
  for (const kind of precedence) {
    const known = (coveragesOf(kind) ?? []).flatMap((coverage) => coverage.extent(channel) ?? []);
    // Several may have stood there at one time or one after the other: the doubt is in favour of the better kind.
    if (known.length === 0 || Math.max(...known) <= most + SLACK) continue;
    best = kind;
    most = known.reduce((sum, one) => sum + one, 0);
  }
  return best;
}
