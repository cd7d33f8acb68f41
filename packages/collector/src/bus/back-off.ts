const FIRST_MS = 5_000;
const LONGEST_MS = 300_000;

/**
 * How long to leave a device alone after a number of failures in a row, milliseconds: 5 s, doubled each time, up to
 * 5 min; between half and all of it.
 * @param chance a random number from 0 to 1, so that devices that fell silent at once are not asked at once
 */
export const restAfter = (failures: number, chance: number): number =>
  Math.min(FIRST_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 10), LONGEST_MS) *
  (0.5 + chance / 2);
