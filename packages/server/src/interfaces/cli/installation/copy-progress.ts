import type { CopyDeps, Progress } from '../../../measurements/moving/copy.ts';

/** How often there is a remark. */
const EVERY_MS = 2_000;

/** Remarks on how a copy gets on: what is left, how fast it goes, and how long it will take at that rate. */
export function progressNotes(
  note: (text: string) => void,
  now: () => number = () => performance.now(),
): Pick<CopyDeps, 'onProgress' | 'onAway'> {
  let began: { readonly at: number; readonly doing: Progress['doing'] } | undefined;
  let notedAt = -Infinity;
  return {
    onProgress(progress) {
      const at = now();
      if (began?.doing !== progress.doing) began = { at, doing: progress.doing };
      if (at - notedAt < EVERY_MS) return;
      notedAt = at;
      note(textOf(progress, (at - began.at) / 1000));
    },
    onAway: (error) =>
      note(
        `does not answer, trying again: ${error instanceof Error ? error.message : String(error)}`,
      ),
  };
}

function textOf({ doing, left, done, rows }: Progress, seconds: number): string {
  const what =
    doing === 'copying' ? `copying: ${left} stretches left` : `comparing: ${left} devices left`;
  if (seconds === 0 || done === 0) return what;
  const rate =
    doing === 'copying'
      ? `${Math.round(rows / seconds)} rows/s`
      : `${(done / seconds).toFixed(1)} devices/s`;
  return `${what}, ${rate}, about ${spanOf((left * seconds) / done)}`;
}

function spanOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
