import process from 'node:process';

const shell = process.ppid;

/**
 * Acts when the shell that npm runs scripts through has ended: a request to end that npm passes on ends that shell
 * alone. Not outside of npm, where somebody may start a script and leave.
 * @returns stops watching
 */
export function whenOrphaned(act) {
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const watch = setInterval(() => {
    if (process.ppid !== shell) act();
  }, 500);
  return () => clearInterval(watch);
}
