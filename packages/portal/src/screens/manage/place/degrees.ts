import type { Position } from '../../../parts/map/view.ts';

const LIMITS = { latitude: 90, longitude: 180 } as const;

export type DegreesField = keyof typeof LIMITS;

/** Whether what is typed cannot become degrees any more. */
export const isNoDegrees = (field: DegreesField, text: string): boolean =>
  !/^-?$/.test(text.trim()) && degreesOf(text, LIMITS[field]) === undefined;

/** A number as people type it, with a point or a comma; undefined if it is none, or beyond a limit. */
function degreesOf(text: string, limit: number): number | undefined {
  const trimmed = text.trim().replace(',', '.');
  const degrees = Number(trimmed);
  return trimmed !== '' && Math.abs(degrees) <= limit ? degrees : undefined;
}

/** The position that two fields say; undefined as long as they say none. */
export function positionOf({
  latitude,
  longitude,
}: {
  readonly latitude: string;
  readonly longitude: string;
}): Position | undefined {
  const [north, east] = [
    degreesOf(latitude, LIMITS.latitude),
    degreesOf(longitude, LIMITS.longitude),
  ];
  return north === undefined || east === undefined
    ? undefined
    : { latitude: north, longitude: east };
}
