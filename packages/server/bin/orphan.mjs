import process from 'node:process';

const shell = process.ppid;

/**
 * Acts once when the shell that npm or npx runs this process through has ended: a request to end that npm passes on ends that shell
 * alone. Not outside of npm, where somebody may start a process and leave.
 * @returns stops watching
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
