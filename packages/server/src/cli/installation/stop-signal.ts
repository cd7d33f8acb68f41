import process from 'node:process';

/** A wrapper passes on what the terminal has sent to the whole group already: repeats within this count as one. */
const REPEAT_MS = 1000;

/** Resolves at the first Ctrl-C or request to end; a later one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let toldAt: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        toldAt ??= performance.now();
        if (performance.now() - toldAt > REPEAT_MS) process.exit(130);
        resolve(signal);
      });
    }
  });
}
