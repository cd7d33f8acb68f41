import type { CopyDeps, Progress } from '../../../measurements/moving/copy.ts';

/** How often there is a remark. */
const EVERY_MS = 2_000;

/** Remarks on how a copy gets on: what is left, how fast it goes, and how long it will take at that rate. */
export function progressNotes(
  note: (text: string) => void,
  now: () => number = () => performance.now(),
): Pick<CopyDeps, 'onProgress' | 'onAway'> {
  let beganAt: number | undefined;
  let notedAt = -Infinity;
  return {
    onProgress(progress) {
      const at = now();
      beganAt ??= at;
      if (at - notedAt < EVERY_MS) return;
      notedAt = at;
      note(textOf(progress, (at - beganAt) / 1000));
    },
    onAway: (error) =>
      note(`trying again: ${error instanceof Error ? error.message : String(error)}`),
  };
}

function textOf({ left, done, rows }: Progress, seconds: number): string {
  const what = `copying: ${left} devices left`;
  if (seconds === 0 || done === 0) return what;
  return `${what}, ${Math.round(rows / seconds)} rows/s, about ${spanOf((left * seconds) / done)}`;
}

/** A span of time, rounded up. */
export function spanOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
