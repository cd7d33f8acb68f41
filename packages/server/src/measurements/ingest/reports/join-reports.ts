import type { DayRow } from '../../series/port.ts';
import { isAppend } from '../append-days.ts';
import type { BoundDevice } from '../../bindings/bound-device.ts';
import type { ValidReading } from '../readings/reading.ts';
import type { DeviceAsRead } from '../../bindings/reportable-devices.ts';

/** Readings of one device in one plant. */
export interface Bundle {
  readonly device: BoundDevice;
  /** The device as it was read. */
  readonly reporter: DeviceAsRead;
  /** Ascending; of two readings of one instant, the later one in the batch wins. */
  readings: ValidReading[];
  /** Whether they came in this order, with no more than one for each instant. */
  cameAscending: boolean;
}

/** Bundles of several deliveries that can be stored at once. */
export interface JoinedReports {
  /** One for each device in each plant. */
  readonly bundles: readonly Bundle[];
  /** Of each delivery whether its bundles are among them. */
  readonly isIn: readonly boolean[];
}

/**
 * Joins the bundles of a device that several deliveries report for, if each goes on where the one before it ended, and all of them behind what is
 * stored. Any other second delivery is left out, since what it changes depends on the first one; so is what comes after it for the same devices, to
 * keep their order.
 */
export function joinDeliveries(
  deliveries: readonly (readonly Bundle[])[],
  newest: ReadonlyMap<number, DayRow>,
): JoinedReports {
  const chains = new Map<BoundDevice, Bundle[]>();
  const placeOf = new Map<DeviceAsRead, BoundDevice | 'several'>();
  const leftOut = new Set<DeviceAsRead>();

  const fits = (bundle: Bundle): boolean => {
    if (leftOut.has(bundle.reporter)) return false;
    const place = placeOf.get(bundle.reporter);
    if (place === undefined) return true;
    if (place !== bundle.device) return false;
    const chain = chains.get(place)!;
    const last = chain.at(-1)!;
    const goesOn =
      last.cameAscending &&
      bundle.cameAscending &&
      bundle.readings[0]!.at > last.readings.at(-1)!.at;
    return goesOn && isAppend(place, newest.get(place.binding), chain[0]!.readings[0]!.at);
  };

  const add = (bundles: readonly Bundle[]): void => {
    const places = new Map<DeviceAsRead, BoundDevice | 'several'>();
    for (const bundle of bundles) {
      places.set(bundle.reporter, places.has(bundle.reporter) ? 'several' : bundle.device);
      const chain = chains.get(bundle.device);
      if (chain) chain.push(bundle);
      else chains.set(bundle.device, [bundle]);
    }
    for (const [reporter, place] of places) placeOf.set(reporter, place);
  };

  const isIn = deliveries.map((bundles) => {
    const all = bundles.every(fits);
    if (all) add(bundles);
    else for (const { reporter } of bundles) leftOut.add(reporter);
    return all;
  });
  return {
    bundles: Array.from(chains.values(), (chain) =>
      chain.length === 1 ? chain[0]! : joined(chain),
    ),
    isIn,
  };
}

const joined = (chain: readonly Bundle[]): Bundle => ({
  ...chain[0]!,
  readings: chain.flatMap(({ readings }) => readings),
});
