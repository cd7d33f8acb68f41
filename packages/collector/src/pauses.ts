const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/**
 * How long to wait after a number of failures in a row, milliseconds: as long as the server asks for, otherwise twice as long each time.
 * @param chance a random number from 0 to 1, so that collectors that lost their connections at once do not reconnect at once
 */
export function pauseAfter(failures: number, askedMs: number | undefined, chance: number): number {
  const own = FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10) * (0.5 + chance);
  // Who asks for no pause at all, and fails again, gets one nevertheless.
  return Math.min(askedMs === undefined ? own : Math.max(askedMs, own / 2), LONGEST_PAUSE_MS);
}
