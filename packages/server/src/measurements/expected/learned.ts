import type { SunObserver } from '../../fleet/devices/sun.ts';
import { declinationAt } from '../../fleet/devices/sun.ts';
import { NOMINAL, REMAINING } from './array-power.ts';
import { clearLight, type ClearLight } from './clear-light.ts';
import { roughnessOf, type DayPowers } from './day-powers.ts';
import { medianOf } from './median.ts';
import { fitPlanes, responseOf, type ClearPoint, type FittedPlane } from './plane-fit.ts';
import { MEANS_STEP_MS } from './step-means.ts';

/** What was learned of an inverter from its own clear days. */
export interface LearnedInverter {
  readonly planes: readonly FittedPlane[];
  /** What it delivers at most, W; null = more than was seen. */
  readonly ratedW: number | null;
  readonly clearDays: number;
  /** How clear days differ from it, %: in their energy, and from step to step. */
  readonly errorPercent: number;
  /** Declinations of the sun on those days, degrees. */
  readonly declinations: readonly [low: number, high: number];
}

/** Readings of so many days are needed, and so many clear ones among them. */
export const DAYS_AT_LEAST = 30;
const CLEAR_AT_LEAST = 4;
/** More are not looked at: they are chosen evenly over the seasons. */
const CLEAR_AT_MOST = 12;
/** Rougher days are not clear: docs/performance.md. */
export const SMOOTH = 0.04;
/** A clear day yields so much of the best one in the weeks around it, both by what a cloudless sky gives. */
const [LEVEL, AROUND_MS] = [0.8, 25 * 86_400_000];
const ELEVATION_FROM = 6;
/** From this share of what it can deliver on, an inverter says nothing of the light. */
export const FULL = 0.97;
/** What is this much below the others on a clear day is shade. What is above is no clear sky. */
const [SHADED, ABOVE] = [0.88, 1.12];
/** A day counts if so much of it is left, if so little differs from its shape, and if its level is like that of the others. */
const [LEFT, SHAPE, SAME_LEVEL] = [0.6, 0.08, 0.85];
/** Shade may lead the first rounds astray. */
const [UNSETTLED, ROUNDS] = [2, 5];
/** Less than this share of the rated power is no clear sky, but light clouds all the time. */
const OF_RATED = 0.4;
/** At 1000 W/m², what the usual losses and conversion leave of the rated power. */
const CAPACITY_PER_FACTOR = 1000 / (REMAINING * NOMINAL);
const PLATEAU = { near: 0.985, share: 0.15 };

interface ClearDay {
  readonly points: readonly ClearPoint[];
  readonly at: number;
  readonly level: number;
}

/** Rated power of the modules in a plane, W, as PVWatts sees it. */
export const capacityOf = ({ factor }: FittedPlane): number => factor * CAPACITY_PER_FACTOR;

/** In low sun, a tilt can hardly be told from a rated power: so high it has to stand at noon on some clear day, and so well has what was learned to fit. */
const [NOON_DEGREES, FITS_PERCENT] = [38, 7];

/** Whether it is known how the modules are mounted, and not only what they deliver in this season. */
export function isMountingKnown(
  { declinations, errorPercent }: LearnedInverter,
  { latitude }: Pick<SunObserver, 'latitude'>,
): boolean {
  const noons = declinations.map((declination) => 90 - Math.abs(latitude - declination));
  return errorPercent <= FITS_PERCENT && Math.max(...noons) >= NOON_DEGREES;
}

/** What an inverter delivers under a cloudless sky, W, before it reaches what it can deliver at most. */
export const clearPowerW = (
  { planes }: Pick<LearnedInverter, 'planes'>,
  clear: ClearLight,
): number => planes.reduce((sum, { plane, factor }) => sum + factor * responseOf(clear, plane), 0);

/**
 * Learns from the days of an inverter how its modules are mounted, and what they deliver. Undefined if too few of them are clear. Shade is left out: what is
 * learned is what it would deliver without.
 */
export function learnInverter(
  place: SunObserver,
  days: readonly DayPowers[],
  ratedW: number | null,
): LearnedInverter | undefined {
  const smooth = days.flatMap((day) => {
    const roughness = roughnessOf(day.powersW);
    return roughness !== undefined && roughness < SMOOTH ? [clearDayOf(place, day)] : [];
  });
  const clear = smooth.filter(({ at, level }) =>
    smooth.every((other) => Math.abs(other.at - at) > AROUND_MS || level >= LEVEL * other.level),
  );
  const most = plateauOf(clear) ?? ratedW;
  const found = fitted(evenly(clear), most);
  if (!found) return undefined;
  const { planes, kept, error } = found;
  const power = planes.reduce((sum, { factor }) => sum + factor * 1000, 0);
  if (ratedW !== null && power < OF_RATED * ratedW) return undefined;
  const declinations = kept.map(({ at }) => declinationAt(at));
  return {
    planes,
    ratedW: most,
    clearDays: kept.length,
    errorPercent: 100 * error,
    declinations: [Math.min(...declinations), Math.max(...declinations)],
  };
}

function clearDayOf(place: SunObserver, { startAt, powersW }: DayPowers): ClearDay {
  let [energy, light] = [0, 0];
  const points = powersW.flatMap((powerW, step): ClearPoint[] => {
    const clear = clearLight(place, startAt + (step + 0.5) * MEANS_STEP_MS);
    if (!clear || powerW === null) return [];
    energy += powerW;
    light += clear.light.global;
    return clear.sun.elevation >= ELEVATION_FROM ? [{ clear, powerW }] : [];
  });
  const at = startAt + (powersW.length / 2) * MEANS_STEP_MS;
  return { points, at, level: light > 0 ? energy / light : 0 };
}

/** Where the curves of clear days are cut off. */
function plateauOf(days: readonly ClearDay[]): number | null {
  const powers = days.flatMap(({ points }) => points.map(({ powerW }) => powerW));
  const highest = Math.max(0, ...powers);
  const near = powers.filter((powerW) => powerW >= PLATEAU.near * highest).length;
  return near >= PLATEAU.share * powers.length && near > 0 ? highest : null;
}

function evenly(days: readonly ClearDay[]): readonly ClearDay[] {
  if (days.length <= CLEAR_AT_MOST) return days;
  const step = (days.length - 1) / (CLEAR_AT_MOST - 1);
  return Array.from({ length: CLEAR_AT_MOST }, (_, i) => days[Math.round(i * step)]!);
}

interface Fitted {
  readonly planes: readonly FittedPlane[];
  readonly kept: readonly ClearDay[];
  readonly error: number;
}

/** Fits, leaves out what does not fit, and fits again. */
function fitted(days: readonly ClearDay[], most: number | null): Fitted | undefined {
  let kept = days.map((day) => ({
    ...day,
    points: [] as readonly ClearPoint[],
    all: day.points.filter(({ powerW }) => most === null || powerW < FULL * most),
    factor: 1,
    error: 0,
  }));
  kept = kept.map((day) => ({ ...day, points: day.all }));
  let planes: readonly FittedPlane[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (kept.length < CLEAR_AT_LEAST) return undefined;
    planes = fitPlanes(
      kept.flatMap(({ points, factor }) =>
        points.map(({ clear, powerW }) => ({ clear, powerW: powerW / factor })),
      ),
      round < UNSETTLED ? [] : planes,
    );
    if (planes.length === 0) return undefined;
    const judged = kept.map((day) => judge(day, planes));
    const middle = medianOf(judged.map(({ factor }) => factor));
    kept = judged
      .map((day) => ({ ...day, factor: day.factor / middle }))
      .filter(
        ({ factor, error, points, all }) =>
          factor >= SAME_LEVEL &&
          factor <= 1 / SAME_LEVEL &&
          (round < UNSETTLED || (error <= SHAPE && points.length >= LEFT * all.length)),
      );
  }
  if (kept.length < CLEAR_AT_LEAST) return undefined;
  const mean = (of: (day: (typeof kept)[number]) => number): number =>
    kept.reduce((sum, day) => sum + of(day), 0) / kept.length;
  const error = Math.sqrt(mean((day) => day.error ** 2 + (day.factor - 1) ** 2));
  return { planes, kept, error };
}

/** How a day compares with what planes would deliver; its shaded points are left out. */
function judge<D extends { readonly all: readonly ClearPoint[] }>(
  day: D,
  planes: readonly FittedPlane[],
): D & { readonly points: readonly ClearPoint[]; factor: number; error: number } {
  const could = new Map(
    day.all.map((point) => [point, clearPowerW({ planes }, point.clear)] as const),
  );
  const ratios = [...could].map(([{ powerW }, couldW]) => powerW / couldW);
  // Most of a clear day is without shade.
  const middle = upperOf(ratios);
  const points = day.all.filter((point) => {
    const ratio = point.powerW / could.get(point)! / middle;
    return ratio >= SHADED && ratio <= ABOVE;
  });
  let [across, squares, sum, left] = [0, 0, 0, 0];
  for (const point of points) {
    const couldW = could.get(point)!;
    across += point.powerW * couldW;
    squares += couldW ** 2;
    sum += couldW;
  }
  const factor = across / squares;
  for (const point of points) left += (point.powerW - factor * could.get(point)!) ** 2;
  const error = Math.sqrt(left / points.length) / ((factor * sum) / points.length);
  return { ...day, points, factor, error };
}

const upperOf = (ratios: readonly number[]): number =>
  ratios.toSorted((a, b) => a - b)[Math.floor(0.6 * ratios.length)] ?? Number.NaN;
