import type { PlantConnection } from '@helioport/contract';
import { isDaylight, siteOf } from '../../../fleet/devices/daylight.ts';
import { graceMs } from '../../../fleet/devices/states.ts';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import type { Binding } from '../../../fleet/plants/bindings.ts';
import { reports } from '../../../fleet/plants/presence.ts';
import type { Instant } from '../../../platform/storage/database.ts';

/** A device of a plant now, and when it measured last. */
export interface Connected {
  readonly binding: Pick<
    Binding,
    | 'deviceId'
    | 'kind'
    | 'state'
    | 'offlineAbnormal'
    | 'expectedSeconds'
    | 'arrivedAt'
    | 'backlogAt'
    | 'clockOffsetSeconds'
    | 'collectorId'
  >;
  readonly latest: { readonly lastAt: Instant } | undefined;
}

/** What is known of a plant's connection: the only place where it is decided. */
export interface CurrentConnection {
  readonly connection: PlantConnection;
  /** The newest reading of the devices that measure power; undefined = there is none. */
  readonly measuredAt: Instant | undefined;
}

type Place = Pick<VisiblePlant, 'latitude' | 'longitude' | 'timeZone'>;

/** Inverters sleep so long after the sun has become too low to produce, at the latest. */
const DUSK_MS = 2 * 3_600_000;

/** Whether a device's figures are those of this moment: it reports, and what came last was measured just now, by its collector's clock if that is known to be behind. */
export function isConnectionCurrent(
  { binding: { state, expectedSeconds }, latest }: Pick<Connected, 'binding' | 'latest'>,
  now: Instant,
  clockOffsetSeconds = 0,
): boolean {
  if (!latest || !reports(state)) return false;
  const behindMs = Math.max(0, -clockOffsetSeconds * 1000);
  // Twice, since the watch takes a moment to find out that a device is silent.
  return latest.lastAt + behindMs > now - 2 * graceMs(expectedSeconds);
}

/** How a plant is connected, from the devices that are in it now. */
export function connectionOf(
  place: Place,
  devices: readonly Connected[],
  now: Instant,
): CurrentConnection {
  const collectors = devices.filter(({ binding }) => binding.kind === 'collector');
  const meters = devices.filter(
    ({ binding: { kind } }) => kind !== 'collector' && kind !== 'weather',
  );
  const offsets = new Map(
    collectors.map(({ binding }) => [binding.deviceId, binding.clockOffsetSeconds ?? 0]),
  );
  const times = meters.flatMap(({ latest }) => latest?.lastAt ?? []);
  const measuredAt = times.length === 0 ? undefined : Math.max(...times);
  const said = (connection: PlantConnection): CurrentConnection => ({ connection, measuredAt });
  if (meters.length === 0 && collectors.length === 0) return said('noDevices');
  if (
    meters.some((one) => isConnectionCurrent(one, now, offsets.get(one.binding.collectorId ?? '')))
  )
    return said('live');
  // Readings that came just now although none of them is of now.
  const isJust = (at: Instant | null, { expectedSeconds }: Connected['binding']): boolean =>
    at !== null && at > now - graceMs(expectedSeconds);
  if (
    measuredAt !== undefined &&
    (collectors.some(({ binding }) => isJust(binding.backlogAt, binding)) ||
      meters.some(({ binding }) => isJust(binding.arrivedAt, binding)))
  )
    return said('catchingUp');
  if (measuredAt !== undefined && isAsleep(place, devices, measuredAt, now)) return said('resting');
  if (collectors.some(({ binding: { state } }) => reports(state))) return said('devicesSilent');
  if (collectors.length === 0) return said('noCollector');
  return said(
    collectors.some(({ binding: { arrivedAt } }) => arrivedAt !== null)
      ? 'collectorSilent'
      : 'collectorWaiting',
  );
}

/** Whether it is night, no device should be awake, and the last reading came before night or at dusk: what falls silent later does not sleep. */
function isAsleep(
  place: Place,
  devices: readonly Connected[],
  measuredAt: Instant,
  now: Instant,
): boolean {
  if (devices.some(({ binding }) => binding.offlineAbnormal === 1)) return false;
  const site = siteOf(place, now);
  if (isDaylight(site, now)) return false;
  return (
    isDaylight(site, measuredAt) ||
    isDaylight(site, measuredAt - DUSK_MS) ||
    // A reading of the morning, before the sun was high enough.
    isDaylight(site, measuredAt + DUSK_MS)
  );
}
