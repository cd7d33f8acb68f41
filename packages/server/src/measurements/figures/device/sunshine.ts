import { HOUR_MS } from '@helioport/contract/durations';
import type { StoredReading } from '../../telemetry/telemetry.ts';
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
  const readings = await telemetry.readingsOf(
    db,
    parts.map(({ part }) => boundDay(part)),
  );
  const byStation = new Map<string, StoredReading[]>();
  for (const [i, { id }] of parts.entries())
    byStation.set(id, [...(byStation.get(id) ?? []), ...readings[i]!]);
  return stations.map(({ device }) => hoursOf(byStation.get(device.id) ?? []));
}

/** Hours of sunshine: each reading counts until the next one, for an hour at most. */
function hoursOf(all: readonly StoredReading[]): number | undefined {
  const readings = all.filter(({ values }) => values.directIrradianceWm2 !== undefined);
  if (readings.length === 0) return undefined;
  let sunnyMs = 0;
  for (const [i, { at, values }] of readings.entries()) {
    const next = readings[i + 1];
    if (next && values.directIrradianceWm2! > SUNSHINE_FROM_WM2)
      sunnyMs += Math.min(next.at - at, HOUR_MS);
  }
  return sunnyMs / HOUR_MS;
}
