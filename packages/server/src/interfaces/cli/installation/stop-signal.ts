import process from 'node:process';

/**
 * Signals that follow the first one within this time do not count as further ones: the terminal
 * sends a signal to the whole process group, and a wrapper such as npm passes it on once more.
 */
const REPEAT_MS = 1000;

/**
 * Resolves at the first Ctrl-C or termination signal; a later one ends the process at once. With `onHangUp`, SIGHUP does that instead: under a
 * service manager it means that files have changed, at a terminal that the terminal has gone.
 */
export function stopSignal(onHangUp?: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let signalledAt: number | undefined;
    if (onHangUp) process.on('SIGHUP', onHangUp);
    for (const signal of ['SIGINT', 'SIGTERM', ...(onHangUp ? [] : ['SIGHUP' as const])] as const) {
      process.on(signal, () => {
        signalledAt ??= performance.now();
        if (performance.now() - signalledAt > REPEAT_MS) process.exit(130);
        resolve(signal);
      });
    }
  });
}
