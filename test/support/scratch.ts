import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const MEMORY = '/dev/shm';
const STEM = 'helioport-tests-';
/** Far more than tests need at once. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Has everything that tests write to temporary folders kept in memory, if there is plenty. On a disk, an embedded database waits for each of its
 * commits to be written out, which took longer than everything else that tests do. A TMPDIR that is given is left alone.
 */
export function writeToMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return;
  removeLeftOver();
  const folder = mkdtempSync(join(MEMORY, `${STEM}${process.pid}-`));
  // PostgreSQL runs as another user, and has a folder of its own in it.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) > ROOM_BYTES;
  } catch {
    return false;
  }
}

/** Runs that were killed leave their files behind. */
function removeLeftOver(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = name.startsWith(STEM) ? Number(name.slice(STEM.length).split('-')[0]) : 0;
    if (pid > 0 && !isAlive(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
