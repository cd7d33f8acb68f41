const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/**
 * How long to wait after a number of failures in a row, milliseconds: twice as long each time, and as long as the server asks for if that is
 * more. Whatever it asks for, it is never asked without a pause.
 * @param chance a random number from 0 to 1, so that collectors that lost their connections at once do not reconnect at once
 */
export function pauseAfter(failures: number, askedMs: number | undefined, chance: number): number {
  const usual = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10), LONGEST_PAUSE_MS);
  const asked = askedMs !== undefined && askedMs > 0 ? askedMs : 0;
  return Math.min(Math.max(usual * (0.5 + chance / 2), asked), LONGEST_PAUSE_MS);
}
