import type { PlantDayRow, PlantRecord } from '@helioport/contract';
import type { DeviceKind } from '../../../fleet/devices/devices.ts';
import { acPowerPrecedence } from './precedence.ts';

/** The highest AC power of a period, and when it was reached. */
export type Peak = Pick<PlantRecord, 'peakPowerW' | 'peakPowerAt'>;

/**
 * The peak of the only device that delivered power, even if others were at 0 all the time. Empty if several delivered: they do not
 * peak at the same time, and no roll-up holds their combined peak.
 */
export function onlyPeak(
  peaks: readonly { readonly kind: DeviceKind | undefined; readonly peak: Peak }[],
): Peak {
  for (const kind of acPowerPrecedence) {
    const [best, ...others] = peaks
      .filter((each) => each.kind === kind)
      .toSorted((a, b) => b.peak.peakPowerW! - a.peak.peakPowerW!);
    if (best) return others.some(({ peak }) => peak.peakPowerW! > 0) ? {} : best.peak;
  }
  return {};
}

/** The highest of a day's points; empty if none has a power. Negative power, the devices' own consumption, is not a peak. */
export function highestOf(rows: readonly PlantDayRow[]): Peak {
  let [peakPowerW, peakPowerAt] = [-1, 0];
  for (const { at, values } of rows) {
    if (values.acPowerW === undefined || values.acPowerW < 0 || values.acPowerW <= peakPowerW)
      continue;
    peakPowerW = values.acPowerW;
    peakPowerAt = at;
  }
  return peakPowerW < 0 ? {} : { peakPowerW, peakPowerAt };
}
