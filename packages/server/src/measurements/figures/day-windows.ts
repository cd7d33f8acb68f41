import { MINUTE_MS } from '@helioport/contract/durations';
import type { Binding } from '../../fleet/plants/bindings.ts';
import { bindingsOfDevices } from '../../fleet/plants/bindings.ts';
import type { VisibleDevice } from '../../fleet/plants/device-access.ts';
import { zonesOf } from '../../fleet/plants/zones.ts';
import {
  timeZoneAt,
  dayOf,
  dayWindow,
  offsetAt,
  type Zones,
} from '../../platform/calendar/plant-calendar.ts';
import type { BoundDay, StoredReading } from '../telemetry/telemetry.ts';
import type { FigureSources } from './sources.ts';
import { zoneRecord } from '../../platform/calendar/zone-record.ts';

/** The part of a local day that a device spent in a plant. */
export interface DayPart {
  readonly binding: Binding;
  readonly fromAt: number;
  /** End, excluded. */
  readonly toAt: number;
}

/** The parts of a day's window that bindings cover; empty parts are left out. */
export const partsOfDay = (
  bindings: readonly Binding[],
  { startAt, endAt }: { readonly startAt: number; readonly endAt: number },
): DayPart[] =>
  bindings
    .map((binding) => ({
      binding,
      fromAt: Math.max(startAt, binding.fromAt),
      toAt: Math.min(endAt, binding.toAt ?? Infinity),
    }))
    .filter(({ fromAt, toAt }) => fromAt < toAt);

/** A part of a day in the form of a query to telemetry. */
export const boundDay = ({ binding, fromAt, toAt }: DayPart): BoundDay => ({
  bindingNo: binding.no,
  seriesId: binding.seriesId,
  fromAt,
  toAt,
});

/** A local day of a device's current plant, limited to the times when the device was there. */
export interface DeviceDay {
  readonly zones: Zones;
  readonly day: number;
  readonly parts: readonly DayPart[];
}

/** The day `chosen` (yyyymmdd; undefined = today) of a device's current plant. */
export async function deviceDayWindow(
  { db, clock }: FigureSources,
  device: VisibleDevice,
  chosen: number | undefined,
): Promise<DeviceDay> {
  const [everywhere, zonesByPlant] = await Promise.all([
    bindingsOfDevices(db, [device.id]),
    zonesOf(db, [device]),
  ]);
  const zones = zonesByPlant.get(device.plantId)!;
  const day = chosen ?? dayOf(zones, clock.now());
  const here = everywhere.filter(({ plantId }) => plantId === device.plantId);
  return { zones, day, parts: partsOfDay(here, dayWindow(zones, day)) };
}

/** A reading with the plant's UTC offset at that time. */
export interface ClockedReading extends StoredReading {
  readonly offsetMinutes: number;
  readonly daylightMinutes: number;
}

/** A device's readings on a day, at most 2,880 per binding. */
export async function dayReadings(
  deps: FigureSources,
  device: VisibleDevice,
  chosen: number | undefined,
): Promise<ClockedReading[]> {
  const { db, clock, telemetry } = deps;
  const { zones, parts } = await deviceDayWindow(deps, device, chosen);
  // A device that has replaced another one has readings of both.
  const bySeries = [...Map.groupBy(parts, ({ binding }) => binding.seriesId)];
  const readings = (
    await Promise.all(bySeries.map(([series, spans]) => telemetry.chartReadings(db, series, spans)))
  )
    .flat()
    .toSorted((a, b) => a.at - b.at);
  return readings.map((reading) => {
    const offsetMinutes = offsetAt(zones, reading.at) / MINUTE_MS;
    return {
      ...reading,
      offsetMinutes,
      daylightMinutes:
        offsetMinutes -
        zoneRecord(timeZoneAt(zones, reading.at), clock.now()).standardOffsetMinutes,
    };
  });
}
