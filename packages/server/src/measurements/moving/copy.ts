import { randomUUID } from 'node:crypto';
import { isStorageAway } from '../../platform/storage/away.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { Series } from '../series/port.ts';
import { beginCopy } from './begin.ts';
import type { Way } from './bring.ts';
import { bringSome } from './catch-up.ts';
import {
  compareDevice,
  countCompared,
  countUncompared,
  uncompared,
  type Compared,
  type Difference,
} from './compare.ts';
import { switchOver } from './switch-over.ts';
import { createCopyRevisions } from './revisions.ts';
import { BEGINNING, countStretches, listDevice, placeOf } from './work-list.ts';

export interface CopyDeps {
  readonly db: Db;
  readonly source: Series;
  readonly target: Series;
  /** Waits before something is tried again. */
  readonly pause: (ms: number) => Promise<void>;
  readonly onProgress: (progress: Progress) => void;
  /** Told when an engine does not answer; the copy goes on when it does. */
  readonly onAway: (error: unknown) => void;
}

/** How far a copy is. */
export interface Progress {
  readonly doing: 'copying' | 'comparing';
  /** Stretches that are left to bring, or devices that are left to compare. */
  readonly left: number;
  /** How many of them this process has done. */
  readonly done: number;
  /** Rows that this process has brought. */
  readonly rows: number;
}

export interface Copied extends Compared {
  /** Devices that are not the same on both sides. They are on the list once more. */
  readonly differences: readonly Difference[];
  /** Whether the series have moved. */
  readonly moved: boolean;
}

/** A round that brought this little is as good as the last one. */
const FEW = 50;
const DEVICES_AT_ONCE = 64;
const FIRST_PAUSE_MS = 500;
const PAUSE_AT_MOST_MS = 30_000;

/**
 * Copies the series to another engine beside running servers, and compares all of it. With `switching`, puts that engine in force when both are the same.
 * Killed at any moment, it goes on where it was. Throws CopyFault.
 */
export async function copySeries(
  deps: CopyDeps,
  { switching }: { readonly switching: boolean },
): Promise<Copied> {
  const { db, source } = deps;
  const copier = randomUUID();
  const patiently = createPatience(deps);
  const revisions = await patiently(() => createCopyRevisions(db));
  const target = deps.target.withRevisions(revisions.next);
  await patiently(() => beginCopy(db, { source, target, copier }));
  const way: Way = { source, target, db, copier };
  let [done, rows] = [0, 0];

  /** Brings everything that is on the list now; resolves to how much that was. */
  async function round(): Promise<number> {
    let ofRound = 0;
    for (let place = BEGINNING; ;) {
      deps.onProgress({
        doing: 'copying',
        left: await patiently(() => countStretches(db)),
        done,
        rows,
      });
      const brought = await patiently(() => bringSome(way, place));
      if (brought.stretches.length === 0) return ofRound;
      place = placeOf(brought.stretches.at(-1)!);
      ofRound += brought.stretches.length;
      done += brought.stretches.length;
      rows += brought.rows;
    }
  }

  async function compareAll(): Promise<Difference[]> {
    const differences: Difference[] = [];
    let compared = 0;
    for (let after = 0; ;) {
      const devices = await patiently(() => uncompared(db, after, DEVICES_AT_ONCE));
      if (devices.length === 0) return differences;
      for (const device of devices) {
        const found = await patiently(() => compareDevice(way, device));
        if (found) {
          differences.push(found);
          await patiently(() => listDevice(db, device));
        }
        compared += 1;
      }
      after = devices.at(-1)!.series;
      deps.onProgress({
        doing: 'comparing',
        left: await patiently(() => countUncompared(db)),
        done: compared,
        rows,
      });
    }
  }

  while ((await round()) > FEW);
  const differences = await compareAll();
  const counted = await countCompared(db);
  if (differences.length > 0 || !switching) return { ...counted, differences, moved: false };
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_AT_MOST_MS)) {
    while ((await round()) > FEW);
    if (await patiently(() => switchOver(way, revisions)))
      return { ...counted, differences, moved: true };
    await deps.pause(pauseMs);
  }
}

/** Repeats what failed because an engine does not answer, with growing pauses. Everything that the copy does may be repeated. */
function createPatience({ pause, onAway }: CopyDeps): <T>(body: () => Promise<T>) => Promise<T> {
  return async (body) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_AT_MOST_MS)) {
      try {
        return await body();
      } catch (error) {
        if (!isStorageAway(error)) throw error;
        onAway(error);
        await pause(pauseMs);
      }
    }
  };
}
