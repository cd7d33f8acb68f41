import { HOUR_MS } from '@helioport/contract/durations';
import { dayWindow } from '../../../platform/calendar/plant-calendar.ts';
import { boundDay, partsOfDay } from '../day-windows.ts';
import type { FigureSources } from '../sources.ts';
import type { DeviceMeasurements } from './device-record.ts';

// Direct irradiance above which the sun counts as shining: WMO, Guide to Instruments and Methods of Observation, 8.1.
const SUNSHINE_FROM_WM2 = 120;

/** Today's hours of sunshine at weather stations, in the given order; undefined for those that do not measure direct irradiance. */
export async function sunshineHours(
  { db, telemetry }: FigureSources,
  stations: readonly DeviceMeasurements[],
): Promise<(number | undefined)[]> {
  const parts = stations.flatMap(({ device, bindings, zones, today }) => {
    const measuring = bindings.filter(
      ({ latest, energies }) => latest?.day === today && energies.directIrradiation,
    );
    return partsOfDay(
      measuring.map(({ binding }) => binding),
      dayWindow(zones, today),
    ).map((part) => ({ id: device.id, part }));
  });
  const hours = new Map<string, ReturnType<typeof createHours>>();
  for (const { id } of parts) hours.set(id, createHours());
  await telemetry.eachReading(
    db,
    parts.map(({ part }) => boundDay(part)),
    (part, { at, values }) => hours.get(parts[part]!.id)!.add(at, values.directIrradianceWm2),
  );
  return stations.map(({ device }) => hours.get(device.id)?.end());
}

/** Hours of sunshine: each reading counts until the next one, for an hour at most. */
function createHours() {
  let sunnyMs = 0;
  let last: { readonly at: number; readonly isSunny: boolean } | undefined;
  return {
    add(at: number, irradianceWm2: number | undefined): void {
      if (irradianceWm2 === undefined) return;
      if (last?.isSunny) sunnyMs += Math.min(at - last.at, HOUR_MS);
      last = { at, isSunny: irradianceWm2 > SUNSHINE_FROM_WM2 };
    },
    end: (): number | undefined => (last ? sunnyMs / HOUR_MS : undefined),
  };
}
