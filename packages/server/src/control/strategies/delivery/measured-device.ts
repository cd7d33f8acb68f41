import type { Values } from '@helioport/contract';
import { gridPowerPrecedence } from '../../../measurements/figures/plant/precedence.ts';
import {
  bindingsOfDevices,
  bindingsOfPlants,
  type Binding,
} from '../../../fleet/plants/bindings.ts';
import type { Db, DeviceTable } from '../../../platform/storage/database.ts';
import type {
  BoundDay,
  StoredReading,
  Telemetry,
} from '../../../measurements/telemetry/telemetry.ts';
import type { AskedDevice } from './asked-history.ts';
import type { DeviceMeasured } from './delivery-rows.ts';
import type { PowerPoint } from './mean-power.ts';

export interface DeliverySources {
  readonly db: Db;
  readonly telemetry: Pick<Telemetry, 'eachReading'>;
}

/** Read at once: readings are large, and little of them is needed. */
const CHUNK_MS = 7 * 86_400_000;
/** Their measurements of the plant's connection come before those of the inverter itself. */
const METERS: readonly DeviceTable['kind'][] = gridPowerPrecedence.filter(
  (kind) => kind !== 'inverter',
);

/** Readings further apart than so many of their intervals leave a gap, but never those within ten minutes, nor within an hour and more. */
const BRIDGED_INTERVALS = 2.5;
const [BRIDGE_AT_LEAST_MS, BRIDGE_AT_MOST_MS] = [10 * 60_000, 60 * 60_000];

/** What a device has measured between two instants while it was in a plant, and what was measured at the plant's connection. */
export async function readMeasured(
  { db, telemetry }: DeliverySources,
  {
    deviceId,
    plantId,
    zones,
    sn,
    expectedSeconds,
  }: AskedDevice & { readonly sn: string; readonly expectedSeconds: number },
  fromAt: number,
  toAt: number,
): Promise<DeviceMeasured> {
  const own = (await bindingsOfDevices(db, [deviceId])).filter(
    (binding) => binding.plantId === plantId,
  );
  const meters = (await bindingsOfPlants(db, [plantId]))
    .filter(({ kind }) => METERS.includes(kind))
    .toSorted(byKind);
  const battery: PowerPoint[] = [];
  const ownConnection: PowerPoint[] = [];
  const socs: { at: number; percent: number }[] = [];
  const metered = new Map<string, PowerPoint[]>();
  // A reading after the end may be joined to the last one before it.
  await eachReading(
    { db, telemetry },
    [...own, ...meters],
    fromAt,
    toAt + BRIDGE_AT_MOST_MS,
    (binding, { at, values }) => {
      const { gridPowerW, batteryPowerW, batterySocPercent } = values;
      if (binding.deviceId !== deviceId) {
        if (gridPowerW !== undefined) pushTo(metered, binding.deviceId, { at, powerW: gridPowerW });
        return;
      }
      if (batteryPowerW !== undefined) battery.push({ at, powerW: -batteryPowerW });
      if (gridPowerW !== undefined) ownConnection.push({ at, powerW: gridPowerW });
      if (batterySocPercent !== undefined) socs.push({ at, percent: batterySocPercent });
    },
  );
  const meter = meters
    .map((binding) => metered.get(binding.deviceId))
    .find((points) => points !== undefined);
  const bridgeMs = Math.min(
    BRIDGE_AT_MOST_MS,
    Math.max(BRIDGE_AT_LEAST_MS, BRIDGED_INTERVALS * expectedSeconds * 1000),
  );
  return { sn, zones, battery, connection: meter ?? ownConnection, socs, bridgeMs };
}

const byKind = (a: Binding, b: Binding): number =>
  METERS.indexOf(a.kind) - METERS.indexOf(b.kind) || a.no - b.no;

function pushTo(lists: Map<string, PowerPoint[]>, key: string, point: PowerPoint): void {
  const list = lists.get(key);
  if (list) list.push(point);
  else lists.set(key, [point]);
}

/** Visits the readings of bindings in the order of time, for each binding. */
async function eachReading(
  { db, telemetry }: DeliverySources,
  bindings: readonly Binding[],
  fromAt: number,
  toAt: number,
  visit: (
    binding: Binding,
    reading: { readonly at: StoredReading['at']; readonly values: Values },
  ) => void,
): Promise<void> {
  for (let chunkAt = fromAt; chunkAt < toAt; chunkAt += CHUNK_MS) {
    const chunkEnd = Math.min(toAt, chunkAt + CHUNK_MS);
    const present = bindings.flatMap((binding) => {
      const part: BoundDay = {
        bindingNo: binding.no,
        seriesId: binding.seriesId,
        fromAt: Math.max(chunkAt, binding.fromAt),
        toAt: Math.min(chunkEnd, binding.toAt ?? Infinity),
      };
      return part.fromAt < part.toAt ? [{ binding, part }] : [];
    });
    await telemetry.eachReading(
      db,
      present.map(({ part }) => part),
      (i, reading) => visit(present[i]!.binding, reading),
    );
  }
}
