import { sunPosition, type SunObserver, type SunPosition } from '../../fleet/devices/sun.ts';
import { clearSkyWm2 } from '../energy/clear-sky.ts';
import { divideGlobal, extraterrestrial, type SkyLight } from './sky.ts';

/** The light of a cloudless sky at an instant. */
export interface ClearLight {
  readonly sun: SunPosition;
  readonly light: SkyLight;
  /** Above the atmosphere, W/m². */
  readonly above: number;
}

/** The light that clouds leave: `share` of the global irradiance, less of it from the sun itself. Source: Erbs, Klein, Duffie 1982. */
export const cloudedLight = ({ sun, light, above }: ClearLight, share: number): ClearLight => ({
  sun,
  above,
  light: divideGlobal(share * light.global, sun.elevation, above),
});

/** The light of a cloudless sky; undefined while the sun is down. Sources: Haurwitz 1945; Erbs, Klein, Duffie 1982. */
export function clearLight(place: SunObserver, at: number): ClearLight | undefined {
  const sun = sunPosition(place, at);
  if (sun.elevation <= 0) return undefined;
  const above = extraterrestrial(at);
  return { sun, light: divideGlobal(clearSkyWm2(sun.elevation), sun.elevation, above), above };
}
