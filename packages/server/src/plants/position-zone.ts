import { isTimeZone } from '@helioport/contract';
import findZone from '@photostructure/tz-lookup';

// Zones of the open sea, where there are no plants; some clients send 0, 0 for an unknown position.
const AT_SEA = /^Etc\//;

/** The time zone at a position in degrees; undefined at sea, and where this machine does not know the zone. */
export function zoneAt(latitude: number, longitude: number): string | undefined {
  const name = findZone(latitude, longitude);
  return !AT_SEA.test(name) && isTimeZone(name) ? name : undefined;
}
