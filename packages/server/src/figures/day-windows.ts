import type { Stretch } from '../plants/bindings.ts';
import { stretchesOfDevices } from '../plants/bindings.ts';
import type { VisibleDevice } from '../plants/device-access.ts';
import { zonesOf, type ZoneSpan } from '../plants/zones.ts';
import { dayOf, dayWindow, offsetAt } from '../calendar/plant-calendar.ts';
import type { BoundDay, StoredReading } from '../telemetry/telemetry.ts';
import type { FigureSources } from './sources.ts';
import { zoneRecord } from '../calendar/zone-record.ts';

const MINUTE_MS = 60_000;

/** The part of a local day for which a device stood in a plant. */
export interface DayPart {
  readonly stretch: Stretch;
  readonly fromAt: number;
  /** Excluded. */
  readonly toAt: number;
}

/** The parts of a day's window that stretches fill; empty ones are left out. */
export const partsOfDay = (stretches: readonly Stretch[], { startAt, endAt }: { readonly startAt: number; readonly endAt: number }): DayPart[] =>
  stretches
    .map((stretch) => ({ stretch, fromAt: Math.max(startAt, stretch.fromAt), toAt: Math.min(endAt, stretch.toAt ?? Infinity) }))
    .filter(({ fromAt, toAt }) => fromAt < toAt);

/** As telemetry wants it. */
export const boundDay = ({ stretch, fromAt, toAt }: DayPart): BoundDay => ({ binding: stretch.no, series: stretch.series, fromAt, toAt });

/** A local day of the plant where a device stands, as far as the device stood there then. */
export interface DeviceDay {
  readonly zones: readonly ZoneSpan[];
  readonly day: number;
  readonly parts: readonly DayPart[];
}

/** `chosen` is yyyymmdd; undefined = today. */
export async function deviceDay({ db, clock }: FigureSources, device: VisibleDevice, chosen: number | undefined): Promise<DeviceDay> {
  const [everywhere, zonesByPlant] = await Promise.all([stretchesOfDevices(db, [device.id]), zonesOf(db, [device])]);
  const zones = zonesByPlant.get(device.plantId)!;
  const day = chosen ?? dayOf(zones, clock.now());
  const here = everywhere.filter(({ plantId }) => plantId === device.plantId);
  return { zones, day, parts: partsOfDay(here, dayWindow(zones, day)) };
}

/** A reading with what the plant's clock showed. */
export interface ClockedReading extends StoredReading {
  readonly offsetMinutes: number;
  readonly daylightMinutes: number;
}

/** The readings of a device on a day, at most 2,880 of each stretch. */
export async function dayReadings(deps: FigureSources, device: VisibleDevice, chosen: number | undefined): Promise<ClockedReading[]> {
  const { db, clock, telemetry } = deps;
  const { zones, parts } = await deviceDay(deps, device, chosen);
  const readings = await telemetry.chartReadings(db, device.series, parts);
  return readings.map((reading) => {
    const offsetMinutes = offsetAt(zones, reading.at) / MINUTE_MS;
    const zone = zones.findLast(({ fromAt }) => fromAt <= reading.at) ?? zones[0]!;
    return { ...reading, offsetMinutes, daylightMinutes: offsetMinutes - zoneRecord(zone.timeZone, clock.now()).standardOffsetMinutes };
  });
}
