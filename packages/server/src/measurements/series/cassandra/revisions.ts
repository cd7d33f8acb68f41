import type { Clock } from '../../../platform/kernel/clock.ts';

/** Timestamps of writes, in microseconds. Of two writes to a row, the one with the larger timestamp wins, whichever arrives last; each call returns a larger one. */
export type Revisions = () => number;

const YEAR_US = 366 * 86_400_000_000;

/**
 * Writes outside of attempts, which only fill a new keyspace: they are a year behind, so that every later attempt wins even if its clock is behind this
 * one.
 */
export function revisionsOfFilling(clock: Clock): Revisions {
  let last = 0;
  return () => (last = Math.max(last + 1, clock.now() * 1000 - YEAR_US));
}
