import type { CopyDeps, CopyProgress } from '../../../measurements/moving/copy.ts';

/** How often there is a remark. */
const EVERY_MS = 2_000;

/** Makes a remark unless one was made just now. */
export function sparseNotes(note: (text: string) => void): (text: () => string) => void {
  let notedAt = -Infinity;
  return (text) => {
    const at = performance.now();
    if (at - notedAt < EVERY_MS) return;
    notedAt = at;
    note(text());
  };
}

/** Remarks on how a copy gets on: what is left, how fast it goes, and how long it will take at that rate. */
export function progressNotes(
  note: (text: string) => void,
): Pick<CopyDeps, 'onProgress' | 'onAway'> {
  let beganAt: number | undefined;
  const noteSparsely = sparseNotes(note);
  return {
    onProgress(progress) {
      const at = performance.now();
      const seconds = (at - (beganAt ??= at)) / 1000;
      noteSparsely(() => copyText(progress, seconds));
    },
    onAway: (error) =>
      note(`trying again: ${error instanceof Error ? error.message : String(error)}`),
  };
}

function copyText({ left, done, rows }: CopyProgress, seconds: number): string {
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
