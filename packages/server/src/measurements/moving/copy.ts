import { randomUUID } from 'node:crypto';
import { eachOf } from '../../platform/kernel/each-of.ts';
import { shutSeries } from '../series/gate.ts';
import { findHome } from '../series/home.ts';
import type { Series } from '../series/port.ts';
import { isStorageAway } from '../../platform/storage/away.ts';
import type { Db } from '../../platform/storage/database.ts';
import { beginCopy, CopyFault, holdCopy, type CopyRun } from './begin.ts';
import { copyDevice, type Difference } from './copy-device.ts';
import { countCopied, countDevicesLeft, listDevicesLeft, type CopiedRows } from './devices.ts';
import { createCopyRevisions, type CopyRevisions } from './revisions.ts';

export interface CopyDeps {
  readonly db: Db;
  readonly source: Series;
  readonly target: Series;
  /** Waits before something is tried again. */
  readonly pause: (ms: number) => Promise<void>;
  readonly onProgress: (progress: CopyProgress) => void;
  /** Called when an engine does not answer; the copy goes on when it does. */
  readonly onAway: (error: unknown) => void;
}

/** How far a copy is. */
export interface CopyProgress {
  /** Devices that are left to copy. */
  readonly left: number;
  /** How many of them this process has copied. */
  readonly done: number;
  /** Rows that this process has written. */
  readonly rows: number;
}

export interface Copied extends CopiedRows {
  /** Devices that are not the same on both sides. The next copy brings them once more. */
  readonly differences: readonly Difference[];
  /** Whether the series have moved: only if there is no difference. */
  readonly moved: boolean;
}

const DEVICES_AT_ONCE = 64;
/** How many of them at the same time. */
const WORKERS = 8;
const FIRST_PAUSE_MS = 500;
const PAUSE_AT_MOST_MS = 30_000;

/**
 * Copies the series to another engine while nobody writes to them, compares all of it device by device, and puts that engine in force if both are the same.
 * Killed at any moment, it goes on where it was.
 * @throws CopyFault
 */
export async function copySeries(deps: CopyDeps): Promise<Copied> {
  const { db, source } = deps;
  const patiently = createPatience(deps);
  const revisions = await patiently(() => createCopyRevisions(db));
  const target = deps.target.withRevisions(revisions.next);
  const run: CopyRun = { source, target, db, copier: randomUUID() };
  await patiently(() => beginCopy(run));
  const differences: Difference[] = [];
  let [done, rows] = [0, 0];
  for (let after = 0; ;) {
    const left = await patiently(() => countDevicesLeft(db));
    deps.onProgress({ left: left - differences.length, done, rows });
    const devices = await patiently(() => listDevicesLeft(db, after, DEVICES_AT_ONCE));
    if (devices.length === 0) break;
    await eachOf(devices, WORKERS, async (device) => {
      const copied = await patiently(() => copyDevice(run, device));
      if (copied.difference) differences.push(copied.difference);
      done += 1;
      rows += copied.rows;
    });
    after = devices.at(-1)!.series;
  }
  const counted = await patiently(() => countCopied(db));
  if (differences.length > 0) return { ...counted, differences, moved: false };
  await patiently(() => switchOver(run, revisions));
  return { ...counted, differences, moved: true };
}

/** Puts the target in force, in one transaction. */
const switchOver = ({ db, source, target, copier }: CopyRun, revisions: CopyRevisions) =>
  db.transaction().execute(async (trx) => {
    await shutSeries(trx);
    // An earlier try may have moved them without an answer.
    if ((await findHome(trx))?.engine === target.name) return;
    await holdCopy(trx, copier);
    // A process that had stood still since before the copy: what it wrote was not acknowledged, but may have been copied half-written.
    if ((await source.marks()).length > 0) {
      throw new CopyFault(
        `something has written to ${source.name} while it was copied: give the copy up with helioport series copy --cancel, and begin another in an empty place`,
      );
    }
    if (!target.sharesTransaction) await revisions.keep(trx);
    await trx
      .updateTable('seriesHome')
      .set({ engine: target.name, copyingTo: null, copier: null })
      .execute();
    await trx.deleteFrom('seriesComparison').execute();
  });

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
