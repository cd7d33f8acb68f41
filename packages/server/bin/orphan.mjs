import process from 'node:process';

const shell = process.ppid;

/**
 * Calls `act` once when the shell in which npm or npx runs this process has ended: a signal that npm passes on ends only that
 * shell. Does nothing outside npm, where a process may be meant to outlive its shell.
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
