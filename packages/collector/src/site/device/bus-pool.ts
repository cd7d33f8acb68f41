import { busKey } from '../../bus/address.ts';
import type { Master } from '../../bus/master.ts';
import { openBus, type BusSurroundings, type KnownAddress } from '../../bus/open-bus.ts';

/** The buses of a site: one connection each, no matter who uses them. */
export interface BusPool {
  /** `onSerial`: a stick has reported its serial number. */
  get(address: KnownAddress, onSerial?: (serial: number) => void): Master;
  /** Closes a bus at which nothing was found. */
  drop(address: KnownAddress): void;
  close(): void;
}

export function createBusPool(surroundings: BusSurroundings): BusPool {
  const buses = new Map<string, { master: Master; users: number }>();
  return {
    get(address, onSerial) {
      const key = busKey(address);
      const entry = buses.get(key) ?? {
        master: openBus(address, surroundings, onSerial),
        users: 0,
      };
      entry.users++;
      buses.set(key, entry);
      return entry.master;
    },
    drop(address) {
      const entry = buses.get(busKey(address));
      if (!entry || --entry.users > 0) return;
      entry.master.close();
      buses.delete(busKey(address));
    },
    close() {
      for (const { master } of buses.values()) master.close();
    },
  };
}
