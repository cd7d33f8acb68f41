import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';

/** Two collectors with one folder would deliver and drop each other's reports. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

/** Claims a folder for this process; the answer gives it back. Throws AlreadyRunning. */
export function claim(file: string): () => void {
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 0) throw error;
    }
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid !== process.pid && isAlive(pid))
      throw new AlreadyRunning(
        `a collector runs here already, as process ${pid}; remove ${file} if that is another program`,
      );
    rmSync(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
