import process from 'node:process';

/**
 * Signals that follow the first one within this time do not count as further ones: the terminal
 * sends a signal to the whole process group, and a wrapper such as npm passes it on once more.
 */
const REPEAT_MS = 1000;

/** Resolves at the first Ctrl-C or termination signal; a later one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let signalledAt: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        signalledAt ??= performance.now();
        if (performance.now() - signalledAt > REPEAT_MS) process.exit(130);
        resolve(signal);
      });
    }
  });
}
