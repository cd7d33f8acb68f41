import { randomInt } from 'node:crypto';

/** Before this, a server on a loaded machine has acknowledged something. */
const LATEST_MS = 30_000;
/** How long a server works on, at most, once it is busy. */
const LONGER_MS = 700;

/**
 * Calls `kill` at a random moment after the work has begun, however slow the machine is, but in the end also if it never has. The function that it
 * returns takes that back.
 */
export function killMidway(kill: () => void, hasBegun: () => boolean): () => void {
  let killing: NodeJS.Timeout | undefined;
  const givesUpAt = performance.now() + LATEST_MS;
  const looking = setInterval(() => {
    if (!hasBegun() && performance.now() < givesUpAt) return;
    clearInterval(looking);
    killing = setTimeout(kill, randomInt(LONGER_MS));
  }, 5);
  return () => {
    clearInterval(looking);
    clearTimeout(killing);
  };
}
