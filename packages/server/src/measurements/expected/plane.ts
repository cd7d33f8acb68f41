import type { SunPosition } from '../../fleet/devices/sun.ts';
import type { SkyLight } from './sky.ts';

const RADIANS = Math.PI / 180;
export const GROUND_REFLECTION = 0.2;
/** The sine of the sun's elevation is not divided by less: one degree. */
export const LOWEST_SINE = 0.01745;

/** How modules are mounted, degrees: tilt from level; azimuth from north towards east, 180 = south. */
export interface Orientation {
  readonly tilt: number;
  readonly azimuth: number;
}

/** How the light of the sky is taken to be distributed: evenly, or with a share of it around the sun (Hay and Davies 1980). */
export type SkyModel = 'isotropic' | 'hayDavies';

/** Cosine of the angle between the sun and the normal of a plane; negative if the sun is behind it. */
const incidenceCosine = ({ elevation, azimuth }: SunPosition, plane: Orientation): number => {
  const [height, tilt] = [elevation * RADIANS, plane.tilt * RADIANS];
  return (
    Math.sin(height) * Math.cos(tilt) +
    Math.cos(height) * Math.sin(tilt) * Math.cos((azimuth - plane.azimuth) * RADIANS)
  );
};

/** Irradiance in a plane, W/m². `above`: irradiance above the atmosphere. */
export function onPlane(
  { global, direct, diffuse }: SkyLight,
  sun: SunPosition,
  plane: Orientation,
  above: number,
  model: SkyModel = 'hayDavies',
): number {
  const facing = Math.max(0, incidenceCosine(sun, plane));
  const leaning = Math.cos(plane.tilt * RADIANS);
  const sine = Math.max(LOWEST_SINE, Math.sin(sun.elevation * RADIANS));
  const aroundSun = model === 'hayDavies' ? direct / above : 0;
  const sky = diffuse * ((aroundSun * facing) / sine + ((1 - aroundSun) * (1 + leaning)) / 2);
  const ground = (global * GROUND_REFLECTION * (1 - leaning)) / 2;
  return direct * facing + sky + ground;
}
