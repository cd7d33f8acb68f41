import { HOUR_MS } from '@helioport/contract/durations';
import type { ChannelName } from '@helioport/contract';
import type { DeviceKind } from '../../../fleet/devices/devices.ts';
import type { DayRollup, MonthRollup } from '../../telemetry/telemetry.ts';
import type { SourcePrecedence } from './precedence.ts';

const WHOLE_DAY = 24;

/** The part of a day or a month that a binding has covered with measurements. */
export interface PeriodCoverage {
  /** yyyymmdd or yyyymm. */
  readonly period: number;
  /** Hours of the day, or days of the month, for which a channel was measured; undefined if it was not. */
  extent(channel: ChannelName): number | undefined;
}

/** The measurements of a binding on one day. */
interface MeasuredDay extends Pick<DayRollup, 'day' | 'firstAt' | 'lastAt'> {
  readonly energies: { readonly [C in ChannelName]?: unknown };
}

export const dayCoverage = ({ day, firstAt, lastAt, energies }: MeasuredDay): PeriodCoverage => ({
  period: day,
  extent(channel) {
    if (!energies[channel]) return undefined;
    // Inverters sleep at night, but then there is no production either, so they count as having measured it all day.
    return channel === 'production' ? WHOLE_DAY : (lastAt - firstAt) / HOUR_MS;
  },
});

export const monthCoverage = ({ month, energies }: MonthRollup): PeriodCoverage => ({
  period: month,
  extent: (channel) => energies[channel]?.days,
});

/** A preferred kind may cover this much less of the period than another: an hour of a day, or a day of a month. */
const SLACK = 1;

/**
 * The kind of device used for a channel of a plant on one day or in one month: the first in the precedence, unless another kind covered clearly more
 * of the period. When a meter is added or removed, the inverters' figures for the whole period are closer to the truth than the meter's figures for a
 * part of it.
 */
export function preferredKind(
  precedence: SourcePrecedence,
  coveragesOf: (kind: DeviceKind) => readonly PeriodCoverage[] | undefined,
  channel: ChannelName,
): DeviceKind | undefined {
  let [best, most] = [undefined as DeviceKind | undefined, -Infinity];
  for (const kind of precedence) {
    const known = (coveragesOf(kind) ?? []).flatMap((coverage) => coverage.extent(channel) ?? []);
    // Several devices of a kind may have measured at the same time or one after the other; the preferred kind gets the benefit of the doubt.
    if (known.length === 0 || Math.max(...known) <= most + SLACK) continue;
    best = kind;
    most = known.reduce((sum, one) => sum + one, 0);
  }
  return best;
}
