import type { ClearLight } from './clear-light.ts';
import { temperatureFactor, moduleTemperature } from './array-power.ts';
import { GROUND_REFLECTION, LOWEST_SINE, onPlane, type Orientation } from './plane.ts';

const RADIANS = Math.PI / 180;

/** A step of a clear day: what the sky gave, and what an inverter delivered, W. */
export interface ClearPoint {
  readonly clear: ClearLight;
  readonly powerW: number;
}

/** An orientation with as much power as fits: AC watts per W/m² that reach it, less what heat takes. */
export interface FittedPlane {
  readonly plane: Orientation;
  readonly factor: number;
}

/** The temperature of the air is not known. */
const AMBIENT_C = 20;
const TILTS = [15, 30, 45, 60, 75, 90];
const AZIMUTHS = Array.from({ length: 18 }, (_, i) => i * 20);
const COARSE: readonly Orientation[] = [
  { tilt: 0, azimuth: 180 },
  ...TILTS.flatMap((tilt) => AZIMUTHS.map((azimuth) => ({ tilt, azimuth }))),
];
/** In degrees: how far orientations are moved while that makes the fit better. */
const MOVES = [8, 4, 2, 1];
/** A second plane has to take so much of the error away, and to carry so much of the power. */
const [BETTER, SHARE_AT_LEAST] = [0.5, 0.15];

/** The light of a step, with what does not depend on the plane. */
interface Prepared {
  readonly east: number;
  readonly north: number;
  readonly up: number;
  readonly light: ClearLight['light'];
  /** Of the diffuse light, around the sun. */
  readonly aroundSun: number;
}

const prepared = ({ sun, light, above }: ClearLight): Prepared => {
  const [height, round] = [sun.elevation * RADIANS, sun.azimuth * RADIANS];
  return {
    east: Math.cos(height) * Math.sin(round),
    north: Math.cos(height) * Math.cos(round),
    up: Math.sin(height),
    light,
    aroundSun: light.direct / above,
  };
};

/** What planes make of the light of steps. Like `onPlane`, a hundred times over. */
function columnOf(steps: readonly Prepared[], { tilt, azimuth }: Orientation): Float64Array {
  const [lean, round] = [tilt * RADIANS, azimuth * RADIANS];
  const [sine, leaning] = [Math.sin(lean), Math.cos(lean)];
  const [toEast, toNorth] = [sine * Math.sin(round), sine * Math.cos(round)];
  const [sky, ground] = [(1 + leaning) / 2, (GROUND_REFLECTION * (1 - leaning)) / 2];
  const column = new Float64Array(steps.length);
  for (let i = 0; i < steps.length; i++) {
    const { east, north, up, light, aroundSun } = steps[i]!;
    const facing = Math.max(0, east * toEast + north * toNorth + up * leaning);
    const diffuse =
      light.diffuse * ((aroundSun * facing) / Math.max(LOWEST_SINE, up) + (1 - aroundSun) * sky);
    column[i] = delivered(light.direct * facing + diffuse + light.global * ground);
  }
  return column;
}

const delivered = (irradiance: number): number =>
  irradiance * temperatureFactor(moduleTemperature(irradiance, AMBIENT_C));

/** What a plane makes of the light of a step. */
export const responseOf = ({ sun, light, above }: ClearLight, plane: Orientation): number =>
  delivered(onPlane(light, sun, plane, above));

interface Fit {
  readonly planes: readonly FittedPlane[];
  /** Sum of the squares of what is left. */
  readonly error: number;
}

/**
 * Finds one or two planes that explain what was delivered on clear days, by least squares. `from`: planes that explain it nearly; without, all orientations
 * are tried.
 */
export function fitPlanes(
  points: readonly ClearPoint[],
  from: readonly FittedPlane[] = [],
): readonly FittedPlane[] {
  const power = Float64Array.from(points, ({ powerW }) => powerW);
  const steps = points.map(({ clear }) => prepared(clear));
  const fit = (planes: readonly Orientation[]): Fit =>
    fitOf(
      planes.map((plane) => columnOf(steps, plane)),
      planes,
      power,
    );
  if (from.length > 0) {
    const { planes } = refined(
      from.map(({ plane }) => plane),
      fit,
    );
    return planes;
  }
  const coarse = COARSE.map((plane) => ({ plane, column: columnOf(steps, plane) }));
  const squares = dot(power, power);
  const [products, norms] = [
    coarse.map(({ column }) => dot(column, power)),
    coarse.map(({ column }) => dot(column, column)),
  ];
  let one = { error: Infinity, i: 0 };
  let two = { error: Infinity, i: 0, j: 0 };
  for (const [i, a] of coarse.entries()) {
    const alone = squares - products[i]! ** 2 / norms[i]!;
    if (alone < one.error) one = { error: alone, i };
    for (let j = 0; j < i; j++) {
      const across = dot(a.column, coarse[j]!.column);
      const found = solve(norms[i]!, norms[j]!, across, products[i]!, products[j]!);
      if (!found) continue;
      const error = squares - found[0] * products[i]! - found[1] * products[j]!;
      if (error < two.error) two = { error, i, j };
    }
  }
  const single = refined([coarse[one.i]!.plane], fit);
  if (two.error === Infinity) return single.planes;
  const double = refined([coarse[two.i]!.plane, coarse[two.j]!.plane], fit);
  const [first, second] = double.planes.map(({ factor }) => factor);
  const isShared = Math.min(first!, second!) >= SHARE_AT_LEAST * (first! + second!);
  return isShared && double.error < BETTER * single.error ? double.planes : single.planes;
}

/** Moves planes as long as that makes the fit better. */
function refined(planes: readonly Orientation[], fit: (planes: readonly Orientation[]) => Fit) {
  let best = fit(planes);
  let at = planes;
  for (const move of MOVES)
    for (let isBetter = true; isBetter;) {
      isBetter = false;
      for (const i of planes.keys())
        for (const [up, round] of [
          [move, 0],
          [-move, 0],
          [0, move],
          [0, -move],
        ] as const) {
          const { tilt, azimuth } = at[i]!;
          const moved = {
            tilt: Math.min(90, Math.max(0, tilt + up)),
            azimuth: (azimuth + round + 360) % 360,
          };
          const next = at.with(i, moved);
          const found = fit(next);
          if (found.error >= best.error * (1 - 1e-6)) continue;
          [best, at, isBetter] = [found, next, true];
        }
    }
  return best;
}

function fitOf(columns: Float64Array[], planes: readonly Orientation[], power: Float64Array): Fit {
  const [a, b] = columns;
  const squares = dot(power, power);
  const withA = dot(a!, power);
  const alone = withA / dot(a!, a!);
  if (!b) return { planes: [{ plane: planes[0]!, factor: alone }], error: squares - alone * withA };
  const withB = dot(b, power);
  const found = solve(dot(a!, a!), dot(b, b), dot(a!, b), withA, withB);
  if (!found) return { planes: [], error: Infinity };
  return {
    planes: found.map((factor, i) => ({ plane: planes[i]!, factor })),
    error: squares - found[0] * withA - found[1] * withB,
  };
}

/** Solves two normal equations; undefined if one of the planes would have to take power away. */
function solve(
  aa: number,
  bb: number,
  ab: number,
  ap: number,
  bp: number,
): readonly [number, number] | undefined {
  const determinant = aa * bb - ab * ab;
  if (determinant < 1e-6 * aa * bb) return undefined;
  const [a, b] = [(ap * bb - bp * ab) / determinant, (bp * aa - ap * ab) / determinant];
  return a > 0 && b > 0 ? [a, b] : undefined;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
