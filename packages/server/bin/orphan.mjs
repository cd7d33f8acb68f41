import process from 'node:process';

const shell = process.ppid;

/**
 * npm and npx run this process in a shell, and a signal that npm passes on ends only that shell. This calls `act` once when the shell has ended. Does
 * nothing outside npm, where a process may be meant to outlive its shell.
 * @returns a function that stops watching
 */
export function whenOrphaned(act) {
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    act();
  }, 500).unref();
  return () => clearInterval(watch);
}
