import { MINUTE_MS } from '@helioport/contract/durations';
import type {
  ChannelName,
  DeviceFacts,
  Energies,
  InverterDayRow,
  Values,
} from '@helioport/contract';
import type { VisibleDevice } from '../../../fleet/plants/device-access.ts';
import { offsetAt } from '../../../platform/calendar/plant-calendar.ts';
import type { CurveEnergy, CurvePoint } from '../../telemetry/telemetry.ts';
import { boundDay, deviceDayWindow } from '../day-windows.ts';
import type { FigureSources } from '../sources.ts';
import { observedFacts } from './observed-facts.ts';

/** An inverter's readings on a local day of its current plant (yyyymmdd; undefined = today), for the times when it was there. */
export async function inverterDayRows(
  deps: FigureSources,
  device: VisibleDevice,
  chosen: number | undefined,
): Promise<InverterDayRow[]> {
  const { db, telemetry } = deps;
  const { zones, day, parts } = await deviceDayWindow(deps, device, chosen);
  const curves = await telemetry.dayCurves(db, day, parts.map(boundDay), true);
  const facts = {
    ...observedFacts(Object.assign({}, ...curves.flat().map(({ values }) => values)) as Values),
    ...(JSON.parse(device.facts) as DeviceFacts),
  };
  return curves.flatMap((curve, i) => {
    const before = curves.slice(0, i).flatMap((earlier) => earlier.at(-1) ?? []);
    return curve.map(({ at, values, energies }) => ({
      at,
      values,
      facts,
      energies: energiesUpTo(energies, before),
      offsetMinutes: offsetAt(zones, at) / MINUTE_MS,
      state: 'online' as const,
    }));
  });
}

/** A reading's energies. If the device left and came back on that day, they include what it had yielded before. */
function energiesUpTo(energies: CurvePoint['energies'], before: readonly CurvePoint[]): Energies {
  const upTo: { [C in ChannelName]?: Energies[C] } = {};
  for (const [channel, energy] of Object.entries(energies) as [ChannelName, CurveEnergy][]) {
    const earlierKwh = before.reduce((sum, row) => sum + (row.energies[channel]?.dayKwh ?? 0), 0);
    upTo[channel] = { todayKwh: earlierKwh + energy.dayKwh, totalKwh: energy.totalKwh };
  }
  return upTo;
}
