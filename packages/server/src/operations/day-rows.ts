import type { Channel, DeviceFacts, Energies, InverterDayRow, Values } from '@helioport/contract';
import { stretchesOfDevices } from '../plants/bindings.ts';
import type { VisibleDevice } from '../plants/device-access.ts';
import { zonesOf } from '../plants/zones.ts';
import { dayOf, dayWindow, offsetAt } from '../telemetry/plant-day.ts';
import type { CourseRow } from '../telemetry/telemetry.ts';
import type { OperationDependencies } from './dependencies.ts';
import { observedFacts } from './inverter-record.ts';

const MINUTE_MS = 60_000;

/** The readings of an inverter on a local day of the plant where it stands (yyyymmdd; undefined = today), as far as it stood there then. */
export async function inverterDayRows(
  { db, clock, telemetry }: OperationDependencies,
  device: VisibleDevice,
  chosen: number | undefined,
): Promise<InverterDayRow[]> {
  const [everywhere, zonesByPlant] = await Promise.all([stretchesOfDevices(db, [device.id]), zonesOf(db, [device])]);
  const zones = zonesByPlant.get(device.plantId)!;
  const day = chosen ?? dayOf(zones, clock.now());
  const { startAt, endAt } = dayWindow(zones, day);
  const courses: CourseRow[][] = [];
  for (const { no, plantId, ...stretch } of everywhere) {
    const [fromAt, toAt] = [Math.max(startAt, stretch.fromAt), Math.min(endAt, stretch.toAt ?? Infinity)];
    if (plantId === device.plantId && fromAt < toAt) courses.push(await telemetry.dayCourse(db, { binding: no, series: device.series, day, fromAt, toAt }));
  }
  const facts = { ...observedFacts(Object.assign({}, ...courses.flat().map(({ values }) => values)) as Values), ...(JSON.parse(device.facts) as DeviceFacts) };
  return courses.flatMap((course, i) => {
    const before = courses.slice(0, i).flatMap((earlier) => earlier.at(-1) ?? []);
    return course.map(({ at, values, energies }) => ({
      at,
      values,
      facts,
      energies: energiesUpTo(energies, before),
      offsetMinutes: offsetAt(zones, at) / MINUTE_MS,
      state: 'online' as const,
    }));
  });
}

/** A reading's energies, with the day's from before the device left and came back on the same day. */
function energiesUpTo(energies: CourseRow['energies'], before: readonly CourseRow[]): Energies {
  const upTo: { [C in Channel]?: Energies[C] } = {};
  for (const [channel, energy] of Object.entries(energies) as [Channel, { dayKwh: number; totalKwh: number }][]) {
    const earlierKwh = before.reduce((sum, row) => sum + (row.energies[channel]?.dayKwh ?? 0), 0);
    upTo[channel] = { todayKwh: earlierKwh + energy.dayKwh, totalKwh: energy.totalKwh };
  }
  return upTo;
}
