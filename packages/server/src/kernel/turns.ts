/** Resolves when a piece of work may be done that would keep others waiting: one a turn of the event loop, whoever asks. */
export type Turns = () => Promise<void>;

/** In the order of asking; between two of them everything that is ready goes on. */
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
