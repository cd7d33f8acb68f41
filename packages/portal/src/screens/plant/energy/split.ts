/** An energy in kWh, and how much of it was one's own rather than the grid's. */
export interface Split {
  readonly wholeKwh: number;
  readonly ownKwh: number;
  /** What went to the grid or came from it. */
  readonly gridKwh: number;
  readonly ownPercent: number;
}

type Known = number | undefined;

/**
 * Splits the energies of several rows together, each with what of it went to the grid or came from it. Undefined where a row lacks one of the two, since the rest would be
 * taken for one's own, or where there was nothing to split.
 */
export function splitOf(
  parts: readonly (readonly [whole: Known, grid: Known])[],
): Split | undefined {
  const known = parts.filter(([whole, grid]) => whole !== undefined || grid !== undefined);
  if (known.some(([whole, grid]) => whole === undefined || grid === undefined)) return undefined;
  const sum = (of: 0 | 1): number => known.reduce((total, part) => total + part[of]!, 0);
  const [wholeKwh, gridKwh] = [sum(0), sum(1)];
  if (wholeKwh <= 0) return undefined;
  // A battery may also be charged from the grid or feed into it.
  const ownKwh = Math.max(0, wholeKwh - gridKwh);
  return { wholeKwh, gridKwh, ownKwh, ownPercent: Math.round((ownKwh / wholeKwh) * 100) };
}
