/** A measured power, W. */
export interface PowerPoint {
  /** Epoch ms. */
  readonly at: number;
  readonly powerW: number;
}

/** The mean power of a stretch of time, as far as it was measured. */
export interface MeanPower {
  /** Null if nothing was measured. */
  readonly powerW: number | null;
  /** Time without measurement. */
  readonly gapMs: number;
}

/**
 * The mean of a power between two instants: points are joined by straight lines, and what lies between points further apart than `bridgeMs` is a gap.
 * Points before and after the stretch count, as far as their lines reach into it. @param points ascending
 */
export function meanPower(
  points: readonly PowerPoint[],
  fromAt: number,
  toAt: number,
  bridgeMs: number,
): MeanPower {
  let measuredMs = 0;
  let wattMs = 0;
  for (let i = firstAfter(points, fromAt); i < points.length; i += 1) {
    const [before, point] = [points[i - 1], points[i]!];
    if (before && before.at >= toAt) break;
    if (!before || point.at - before.at > bridgeMs) continue;
    const [from, to] = [Math.max(before.at, fromAt), Math.min(point.at, toAt)];
    const slope = (point.powerW - before.powerW) / (point.at - before.at);
    const powerAt = (at: number): number => before.powerW + slope * (at - before.at);
    measuredMs += to - from;
    wattMs += ((powerAt(from) + powerAt(to)) / 2) * (to - from);
  }
  return { powerW: measuredMs > 0 ? wattMs / measuredMs : null, gapMs: toAt - fromAt - measuredMs };
}

/** Position of the first point after an instant. */
function firstAfter(points: readonly PowerPoint[], at: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (points[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
