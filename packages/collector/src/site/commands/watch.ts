import type { CommandContext } from './surroundings.ts';

const WATCH_MS = 5_000;

/** Shows something; with `--watch`, again and again until the command is stopped. */
export async function watch(
  { options, pause, signal }: CommandContext,
  show: () => Promise<void>,
): Promise<void> {
  do {
    await show();
    if (options['watch'] !== true) return;
    await pause(WATCH_MS, signal).catch(() => {});
  } while (!signal.aborted);
}
