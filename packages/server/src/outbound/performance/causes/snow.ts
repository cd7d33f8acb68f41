import type { LossDay } from './loss-day.ts';
import type { HeldBack } from './held-back.ts';

/** Snow lies on modules only if it froze on the day. */
const FREEZING_C = 1;
/** Of the rated power: an inverter delivers. */
const DELIVERS = 0.005;
/** Under snow, even the best inverter delivers less than this share of what it usually makes of the light. */
const COVERED = 0.5;
/** So much of a day's expected energy must belong to such steps. */
const OF_THE_DAY = 0.35;
/** Something passes through snow, as a share of the expected energy: what delivers nothing at all has another reason. */
const PASSES = 0.002;

/**
 * Whether nothing tells a standstill from snow that covers everything: it froze, and no inverter of the plant delivered anything. Where another one delivers, snow
 * is no reason for an inverter to stand still.
 */
export const mayBeSnow = ({ units, coldestC }: LossDay): boolean =>
  coldestC !== undefined &&
  coldestC <= FREEZING_C &&
  !units.some(({ measuredW, ratedW }) =>
    measuredW.some((powerW) => powerW !== undefined && powerW >= DELIVERS * ratedW),
  );

/** The steps in which snow lay on all modules of a plant; none if nothing speaks for snow. `usual`: energy measured by energy expected. */
export function snowSteps(
  { units, coldestC }: LossDay,
  held: readonly (readonly HeldBack[])[],
  usual: number,
): ReadonlySet<number> {
  const none = new Set<number>();
  if (coldestC === undefined || coldestC > FREEZING_C) return none;
  const covered = new Set<number>();
  let [expected, underSnow, passed] = [0, 0, 0];
  for (const step of held[0]?.keys() ?? []) {
    let [best, ofStep, delivered] = [0, 0, 0];
    for (const [u, unit] of units.entries()) {
      const { by } = held[u]![step]!;
      const expectedW = unit.expectedW[step] ?? 0;
      if (by === 'night' || by === 'silent') continue;
      // What is held back by something else would deliver more.
      const isFree = by === 'nothing' || by === 'standstill';
      ofStep += expectedW;
      delivered += unit.measuredW[step]!;
      best = Math.max(best, isFree ? unit.measuredW[step]! / expectedW : 1);
    }
    if (ofStep === 0) continue;
    expected += ofStep;
    if (best >= COVERED * usual) continue;
    covered.add(step);
    underSnow += ofStep;
    passed += delivered;
  }
  return underSnow >= OF_THE_DAY * expected && passed >= PASSES * underSnow ? covered : none;
}
