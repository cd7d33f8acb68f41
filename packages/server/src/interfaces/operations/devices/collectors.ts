import type { CollectorDayRow, CollectorFacts, CollectorRecord } from '@helioport/contract';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { reachOf } from '../../../fleet/plants/access.ts';
import { getDevice, type VisibleDevice } from '../../../fleet/plants/device-access.ts';
import { countBehind } from '../../../fleet/plants/managed-devices.ts';
import { dayReadings } from '../../../measurements/figures/day-windows.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { devicePage } from './device-lists.ts';
import {
  deviceMeasurements,
  latestValues,
  plantSummaryOf,
} from '../../../measurements/figures/device/device-record.ts';
import { lastReportOfBinding } from '../../../measurements/figures/measured-bindings.ts';
import { listingOf } from '../pages.ts';
import { isAbnormal, presenceOf } from '../../../measurements/figures/states.ts';

/** Queries of collectors. */
export function createCollectorOperations(
  deps: OperationDependencies,
): HandlersOf<'collectorList' | 'collectorDetail' | 'collector/day'> {
  const { db } = deps;
  return {
    async collectorList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'collectorList', input);
      return listingOf(counts, input, await collectorRecords(deps, caller, devices));
    },

    async collectorDetail(caller, named) {
      const [record] = await collectorRecords(deps, caller, [
        await getDevice(db, caller, 'collector', named, 'read'),
      ]);
      return record!;
    },

    async 'collector/day'(caller, { day, ...named }) {
      const collector = await getDevice(db, caller, 'collector', named, 'read');
      const readings = await dayReadings(deps, collector, day);
      return readings.flatMap(
        ({ at, offsetMinutes, daylightMinutes, values: { signalDbm } }): CollectorDayRow[] =>
          signalDbm === undefined
            ? []
            : [
                {
                  at,
                  offsetMinutes,
                  daylightMinutes,
                  signalDbm,
                  collectorId: collector.id,
                  collectorSn: collector.sn,
                },
              ],
      );
    },
  };
}

/** The records of collectors, in the given order. The number of statements does not depend on the number of collectors. */
export async function collectorRecords(
  deps: OperationDependencies,
  caller: Caller,
  devices: readonly VisibleDevice[],
): Promise<CollectorRecord[]> {
  if (devices.length === 0) return [];
  const ids = devices.map(({ id }) => id);
  const [measured, reporters] = await Promise.all([
    deviceMeasurements(deps, devices),
    countBehind(deps.db, reachOf(caller, 'read'), ids),
  ]);
  return measured.map(({ device, bindings, now }): CollectorRecord => {
    const {
      id,
      sn,
      name,
      model,
      createdAt,
      state,
      offlineAbnormal,
      reportedAt,
      clockOffsetSeconds,
    } = device;
    const facts = JSON.parse(device.facts) as CollectorFacts;
    return {
      id,
      sn,
      name,
      model,
      createdAt,
      facts,
      plant: plantSummaryOf(device, now),
      state: presenceOf(state),
      abnormallyOffline: isAbnormal(state, offlineAbnormal),
      // The last report counts, not the last reading: the collector's reports carry
      // the readings of its devices, and its own readings contain only its signal.
      lastReportAt: reportedAt ?? lastReportOfBinding(bindings),
      signalDbm: latestValues(bindings).signalDbm,
      clockOffsetSeconds,
      deviceCount: reporters.get(id) ?? 0,
    };
  });
}
