import { isTimeZone } from '@helioport/contract';
import findZone from '@photostructure/tz-lookup';

// Zones of the open sea, where there are no plants: some clients send 0, 0 for an unknown position.
const AT_SEA = /^Etc\//;

/** The known facts about a plant's location. */
interface Whereabouts {
  readonly timeZone?: string | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

/** The zone that was named, else the zone at the position; undefined if neither is known. */
export function zoneOf({ timeZone, latitude, longitude }: Whereabouts): string | undefined {
  return (
    timeZone ??
    (latitude === undefined || longitude === undefined ? undefined : zoneAt(latitude, longitude))
  );
}

/** The time zone at a position in degrees; undefined at sea, and where this machine does not know the zone. */
function zoneAt(latitude: number, longitude: number): string | undefined {
  const name = findZone(latitude, longitude);
  return !AT_SEA.test(name) && isTimeZone(name) ? name : undefined;
}
