const RADIANS = Math.PI / 180;
const SOLAR_CONSTANT_WM2 = 1366.1;
const DAY_ANGLE = (2 * Math.PI) / 365;
/** Below this sine of the sun's elevation, clearness is not divided by less: 3.7 degrees. */
const LOWEST_SINE = 0.065;
/** The sun's elevation below which all light counts as diffuse, degrees. */
const BEAM_FROM_DEGREES = 3;

/** Light outside of planes, W/m². */
export interface SkyLight {
  /** On level ground, from the sun and the rest of the sky. */
  readonly global: number;
  /** From the sun, on a plane that faces it. */
  readonly direct: number;
  /** From the rest of the sky, on level ground. */
  readonly diffuse: number;
}

/** Irradiance above the atmosphere on a plane that faces the sun, W/m². Source: Spencer 1971. */
export function extraterrestrial(at: number): number {
  const year = new Date(at).getUTCFullYear();
  const dayOfYear = Math.floor((at - Date.UTC(year, 0, 1)) / 86_400_000) + 1;
  const g = DAY_ANGLE * (dayOfYear - 1);
  return (
    SOLAR_CONSTANT_WM2 *
    (1.00011 +
      0.034221 * Math.cos(g) +
      0.00128 * Math.sin(g) +
      0.000719 * Math.cos(2 * g) +
      0.000077 * Math.sin(2 * g))
  );
}

/**
 * Divides global irradiance into what comes from the sun and what from the rest of the sky. `above`: irradiance above the
 * atmosphere. Source: Erbs, Klein, Duffie 1982.
 */
export function divideGlobal(global: number, elevation: number, above: number): SkyLight {
  const sine = Math.sin(elevation * RADIANS);
  const clearness = Math.min(1, Math.max(0, global / (above * Math.max(sine, LOWEST_SINE))));
  const diffuse = global * diffuseShare(clearness);
  return elevation < BEAM_FROM_DEGREES || diffuse >= global
    ? { global, direct: 0, diffuse: global }
    : { global, direct: (global - diffuse) / sine, diffuse };
}

function diffuseShare(k: number): number {
  if (k <= 0.22) return 1 - 0.09 * k;
  if (k > 0.8) return 0.165;
  return 0.9511 + k * (-0.1604 + k * (4.388 + k * (-16.638 + k * 12.336)));
}
