import { HOUR_MS } from '@helioport/contract/durations';
import type { SunObserver } from '../../fleet/devices/sun.ts';
import { medianOf } from './median.ts';
import { clearLight, cloudedLight, type ClearLight } from './clear-light.ts';
import { powerAt, type DayPowers } from './day-powers.ts';
import { clearPowerW, FULL, type LearnedInverter } from './learned.ts';
import type { ExpectedStep } from './model.ts';
import { MEANS_STEP_MS, type MeansSteps } from './step-means.ts';

/** An inverter that saw the sky of a day. */
export interface SkyObserver {
  readonly place: SunObserver;
  readonly learned: LearnedInverter;
  /** Undefined = it did not report on the day. */
  readonly powers: DayPowers | undefined;
}

/** An inverter of which something is expected: itself, and the others that tell of its sky. */
export interface LearnedUnit {
  readonly own: SkyObserver;
  readonly others: readonly SkyObserver[];
}

/** Of the highest clear-sky power of a day: what delivers less in dim light tells nothing of the sky. */
const DIM = 0.05;
/** Of clear-sky power: what delivers less does not run. */
const RUNS = 0.01;
/** Shares of the light of a cloudless sky between which a power is looked for. Clouds brighten it by no more. */
const SHARES = [0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1, 1.15, 1.3];
/** Between steps of which the sky is known, and before the first and after the last one. */
const [GAP_STEPS, EDGE_STEPS] = [HOUR_MS, 3 * HOUR_MS].map((ms) => ms / MEANS_STEP_MS);

/**
 * What inverters should have delivered: what they deliver under a cloudless sky, less what clouds took from others in each step (the median of what each of
 * them says). Clouds take more from modules that face the sun, so the power of each is first made into a share of the light. An inverter tells nothing of the sky
 * while it does not run, nor of its own unless all others stand still.
 */
export function learnedSteps(
  place: SunObserver,
  units: readonly LearnedUnit[],
  { startAt, count }: MeansSteps,
): ExpectedStep[] {
  const instants = Array.from({ length: count }, (_, step) => startAt + step * MEANS_STEP_MS);
  const seen = new Map<SkyObserver, (number | undefined)[]>();
  const ratiosOf = (observer: SkyObserver): (number | undefined)[] => {
    if (!seen.has(observer)) seen.set(observer, skySeenBy(observer, instants));
    return seen.get(observer)!;
  };
  const skies = units.map(({ own, others }) => {
    const ratios = others.map(ratiosOf);
    const itself = others.length > 0 ? ratiosOf(own) : [];
    return bridged(
      instants.map((_, step) => {
        const known = ratios.flatMap((of) => of[step] ?? []);
        return known.length > 0 ? medianOf(known) : itself[step];
      }),
    );
  });
  return instants.map((at, step) => {
    const clear = clearLight(place, at + MEANS_STEP_MS / 2);
    const could = units.map(({ own: { learned } }, u) => {
      const sky = clear ? skies[u]![step] : 0;
      if (sky === undefined) return undefined;
      const wholeW = clear ? clearPowerW(learned, cloudedLight(clear, sky)) : 0;
      const powerW = Math.min(wholeW, learned.ratedW ?? Infinity);
      return { powerW, clippedW: wholeW - powerW };
    });
    const isKnown = could.every((each) => each !== undefined);
    return {
      at,
      isDay: clear !== undefined,
      light: isKnown
        ? {
            planeWm2: undefined,
            temperatureFactor: 1,
            unitsW: could.map(({ powerW }) => powerW),
            clippedW: could.map(({ clippedW }) => clippedW),
          }
        : undefined,
    };
  });
}

/** The share of a cloudless sky's light that an inverter saw in each step; undefined where it tells nothing. */
function skySeenBy(
  { place, learned, powers }: SkyObserver,
  instants: readonly number[],
): (number | undefined)[] {
  if (!powers) return instants.map(() => undefined);
  const lights = instants.map((at) => clearLight(place, at + MEANS_STEP_MS / 2));
  const clearW = lights.map((clear) => (clear ? clearPowerW(learned, clear) : 0));
  const from = DIM * Math.max(...clearW);
  return instants.map((at, step) => {
    const powerW = powerAt(powers, at);
    const isBright = clearW[step]! > 0 && clearW[step]! >= from;
    if (powerW === undefined || !isBright || powerW < RUNS * clearW[step]!) return undefined;
    return shareOf(learned, lights[step]!, powerW);
  });
}

/** The share of a cloudless sky's light with which an inverter delivers a power; undefined if it is at its highest. */
function shareOf(learned: LearnedInverter, clear: ClearLight, powerW: number): number | undefined {
  if (learned.ratedW !== null && powerW >= FULL * learned.ratedW)
    return clearPowerW(learned, clear) > learned.ratedW ? 1 : undefined;
  let [lowShare, lowW] = [0, 0];
  for (const share of SHARES) {
    const highW = clearPowerW(learned, cloudedLight(clear, share));
    if (highW >= powerW)
      return lowShare + ((share - lowShare) * (powerW - lowW)) / (highW - lowW || 1);
    [lowShare, lowW] = [share, highW];
  }
  return SHARES.at(-1);
}

/** Fills short gaps on the line between their ends, and goes on level before the first and after the last one. */
function bridged(sky: readonly (number | undefined)[]): (number | undefined)[] {
  const known = sky.flatMap((ratio, step) => (ratio === undefined ? [] : [step]));
  let next = 0;
  return sky.map((ratio, step) => {
    if (ratio !== undefined) return ratio;
    while (next < known.length && known[next]! < step) next += 1;
    const [before, after] = [known[next - 1], known[next]];
    if (before === undefined || after === undefined) {
      const edge = before ?? after;
      return edge !== undefined && Math.abs(edge - step) <= EDGE_STEPS! ? sky[edge] : undefined;
    }
    if (after - before > GAP_STEPS! + 1) return undefined;
    const share = (step - before) / (after - before);
    return sky[before]! * (1 - share) + sky[after]! * share;
  });
}
