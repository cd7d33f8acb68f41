import type { Position } from '../../../parts/map/view.ts';

/** A number as people type it, with a point or a comma; undefined if it is none, or beyond a limit. */
function degreesOf(text: string, limit: number): number | undefined {
  const trimmed = text.trim().replace(',', '.');
  const degrees = Number(trimmed);
  return trimmed !== '' && Math.abs(degrees) <= limit ? degrees : undefined;
}

/** The position that two fields say; undefined as long as they say none. */
export function positionOf({ latitude, longitude }: { readonly latitude: string; readonly longitude: string }): Position | undefined {
  const [north, east] = [degreesOf(latitude, 90), degreesOf(longitude, 180)];
  return north === undefined || east === undefined ? undefined : { latitude: north, longitude: east };
}
