import { eventKinds } from '@helioport/contract';
import type { Entry } from '../../../platform/events/read.ts';
import { listOf } from '../../../platform/storage/json-list.ts';
import type { Destination } from '../destinations/destinations.ts';
import type { Pending } from './outgoing.ts';

/** The events of entries that a destination has asked for. Whether it may have them is another question. */
export type EventFilter = (entries: readonly Entry[]) => Pending[];

export function createFilter({
  kinds,
  plantIds,
  deviceSns,
}: Pick<Destination, 'kinds' | 'plantIds' | 'deviceSns'>): EventFilter {
  const plants = setOf(plantIds);
  const devices = setOf(deviceSns);
  return (entries) =>
    entries.flatMap((entry) => {
      if (entry.kind === null || (eventKinds[entry.kind].bit & kinds) === 0) return [];
      // Authorizations have no plant: their application always gets them.
      if (entry.plantId !== null && plants && !plants.has(entry.plantId)) return [];
      const events =
        entry.plantId !== null && devices
          ? entry.events.filter(({ sn }) => sn !== null && devices.has(sn))
          : entry.events;
      return events.map((event) => ({ entry, event }));
    });
}

const setOf = (json: string | null): ReadonlySet<string> | undefined => {
  const list = listOf(json);
  return list ? new Set(list) : undefined;
};
