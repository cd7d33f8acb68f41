import type { BoundDevice } from '../../bindings/bound-device.ts';
import { drop, type Dropped, type DroppedValues } from '../readings/dropped.ts';
import type { BeyondBounds } from '../../bindings/reading-bounds.ts';
import { nothingLeft, type RefusedReading, type ValidReading } from '../readings/reading.ts';
import type { ReportableDevice } from '../../bindings/reportable-devices.ts';
import type { Bundle } from './join-reports.ts';

/** How readings came. */
export interface ReportArrival {
  readonly now: number;
  /** Whether they were kept during an outage: then they say nothing of who is online. */
  readonly isBacklog?: boolean | undefined;
}

/** Readings of one report, and the devices that its sender may report for. */
export interface AssignedDelivery extends ReportArrival {
  readonly sender: 'collector' | 'operator';
  readonly readings: readonly ValidReading[];
  readonly reporters: ReadonlyMap<string, ReportableDevice>;
}

/** The readings of a delivery by devices, and what no device may have. */
export interface Assigned {
  readonly bundles: readonly Bundle[];
  readonly refused: readonly RefusedReading[];
  readonly dropped: DroppedValues;
}

/** Divides the readings of a delivery by devices. */
export function assign({ sender, readings, reporters }: AssignedDelivery): Assigned {
  const refused: RefusedReading[] = [];
  const dropped: { count: number; first: Dropped[] } = { count: 0, first: [] };
  const bundles = new Map<BoundDevice, Bundle>();
  let lastSn = '';
  let reporter: ReportableDevice | undefined;
  let bundle: Bundle | undefined;
  for (const reading of readings) {
    const { index, sn, at } = reading;
    // Usually, a device's readings are adjacent and belong to one plant.
    if (sn !== lastSn) {
      reporter = reporters.get((lastSn = sn));
      bundle = undefined;
    }
    // Other people's serial numbers and unknown ones get the same answer, so that nobody can find out which exist.
    if (!reporter) {
      refused.push({
        index,
        sn,
        reason:
          sender === 'operator'
            ? 'no device with this serial number is bound to a plant'
            : 'no device with this serial number is bound to this collector',
        ...(sender === 'collector' && { waiting: reading }),
      });
      continue;
    }
    const device: BoundDevice | undefined =
      bundle && isIn(bundle.device, at)
        ? bundle.device
        : reporter.bindings.findLast((bound) => isIn(bound, at));
    if (!device) {
      refused.push({ index, sn, reason: 'the device was in no plant at that time' });
      continue;
    }
    if (at < device.frozenBefore) {
      refused.push({ index, sn, reason: 'readings of that time are thinned or deleted' });
      continue;
    }
    const beyond = device.bounds.beyond(reading);
    const kept = beyond ? without(reading, beyond) : reading;
    if (!kept) {
      const [{ field, reason }] = beyond as [BeyondBounds];
      const name = reading.fields.names[field]!;
      refused.push({ index, sn, reason: nothingLeft(name, reason) });
      continue;
    }
    for (const { field, reason } of beyond ?? [])
      drop(dropped, { index, sn, quantity: reading.fields.names[field]!, reason });
    if (bundle?.device !== device) {
      bundle = bundles.get(device);
      if (!bundle)
        bundles.set(
          device,
          (bundle = { device, reporter: reporter.device, readings: [], cameAscending: true }),
        );
    }
    const before = bundle.readings.at(-1);
    if (before && at <= before.at) bundle.cameAscending = false;
    bundle.readings.push(kept);
  }
  for (const one of bundles.values())
    if (!one.cameAscending) one.readings = one.readings.toSorted((a, b) => a.at - b.at);
  return { bundles: [...bundles.values()], refused, dropped };
}

/** A reading without some of its values; undefined if none is left. The reading itself stays as it came, since it may be stored once more. */
function without(reading: ValidReading, beyond: readonly BeyondBounds[]): ValidReading | undefined {
  const values = reading.values.slice();
  for (const { field } of beyond) values[field] = Number.NaN;
  return values.every(Number.isNaN) ? undefined : { ...reading, values };
}

const isIn = ({ fromAt, toAt }: BoundDevice, at: number): boolean => at >= fromAt && at < toAt;
