/** Waits for a turn to do work that blocks the event loop: at most one piece of such work per turn of the loop. */
export type Turns = () => Promise<void>;

/** Turns are given in the order of the calls; between two turns, everything else that is ready runs. */
export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  const run = (): void => {
    waiting.shift()!();
    if (waiting.length > 0) setImmediate(run);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(run);
    });
}
