import { DAY_MS } from '@helioport/contract/durations';

/** A place on Earth, degrees; north and east are positive. */
export interface SunPlace {
  latitude: number;
  longitude: number;
}

/** Position of the sun, radians; the azimuth is measured from north towards east. */
export interface SimulatedSun {
  elevation: number;
  azimuth: number;
}

const RADIANS = Math.PI / 180;
// 2000-01-01T12:00Z, the epoch of the series below.
const J2000 = 946_728_000_000;

/**
 * The sun's position, accurate to about 0.05 degrees until 2050, without refraction.
 * Source: the low-precision formulas of the Astronomical Almanac.
 */
export function sunAt({ latitude, longitude }: SunPlace, at: number): SimulatedSun {
  const days = (at - J2000) / DAY_MS;
  const anomaly = (357.528 + 0.9856003 * days) * RADIANS;
  const meanLongitude = 280.46 + 0.9856474 * days;
  const ecliptic =
    (meanLongitude + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS;
  const obliquity = (23.439 - 4e-7 * days) * RADIANS;
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(ecliptic));
  const rightAscension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic));
  const siderealTime = (280.46062 + 360.98564737 * days + longitude) * RADIANS;
  const hourAngle = siderealTime - rightAscension;
  const phi = latitude * RADIANS;
  const elevation = Math.asin(
    Math.sin(phi) * Math.sin(declination) +
      Math.cos(phi) * Math.cos(declination) * Math.cos(hourAngle),
  );
  const south = Math.atan2(
    Math.sin(hourAngle),
    Math.cos(hourAngle) * Math.sin(phi) - Math.tan(declination) * Math.cos(phi),
  );
  return { elevation, azimuth: south + Math.PI };
}

/** Irradiance, W/m². */
export interface Irradiance {
  /** On a horizontal plane. */
  global: number;
  /** On a plane that faces the sun. */
  direct: number;
  /** From the rest of the sky, on a horizontal plane. */
  diffuse: number;
}

const DARK: Irradiance = { global: 0, direct: 0, diffuse: 0 };
const SOLAR_CONSTANT = 1361;

/** Irradiance under a clear sky: Meinel's direct beam with the air mass of Kasten and Young; diffuse light is a tenth of it. */
export function clearSky(elevation: number): Irradiance {
  if (elevation <= 0) return DARK;
  const degrees = elevation / RADIANS;
  const airMass = 1 / (Math.sin(elevation) + 0.50572 * (degrees + 6.07995) ** -1.6364);
  const direct = SOLAR_CONSTANT * 0.7 ** (airMass ** 0.678);
  const diffuse = 0.1 * direct;
  return { global: direct * Math.sin(elevation) + diffuse, direct, diffuse };
}

/** Clouds reduce the direct beam, and turn part of it into diffuse light. `clearness` is a share from 0 to 1. */
export function throughClouds(clear: Irradiance, clearness: number, elevation: number): Irradiance {
  if (clear.global === 0) return DARK;
  const direct = clear.direct * clearness ** 2;
  const diffuse = clear.diffuse + 0.25 * (clear.direct - direct) * Math.sin(elevation);
  return { global: direct * Math.sin(elevation) + diffuse, direct, diffuse };
}

/** Orientation of modules, degrees: tilt from the horizontal; azimuth from north towards east, 180 = south. */
export interface PanelOrientation {
  tilt: number;
  azimuth: number;
}

const GROUND_REFLECTION = 0.2;

/** Irradiance in the plane of the modules, W/m², under an evenly bright sky. */
export function irradianceOnPlane(
  light: Irradiance,
  sun: SimulatedSun,
  { tilt, azimuth }: PanelOrientation,
): number {
  const slope = tilt * RADIANS;
  const incidence =
    Math.sin(sun.elevation) * Math.cos(slope) +
    Math.cos(sun.elevation) * Math.sin(slope) * Math.cos(sun.azimuth - azimuth * RADIANS);
  const sky = (light.diffuse * (1 + Math.cos(slope))) / 2;
  const ground = (light.global * GROUND_REFLECTION * (1 - Math.cos(slope))) / 2;
  return light.direct * Math.max(0, incidence) + sky + ground;
}
