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
      writeFileSync(file, `${process.pid} ${startOf(process.pid) ?? ''}`.trim(), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 0) throw error;
    }
    const [number, started] = readFileSync(file, 'utf8').split(' ');
    const pid = Number(number);
    // After a power cut, another program has the number.
    const isSame = started === undefined || started === (startOf(pid) ?? started);
    if (pid !== process.pid && isSame && isAlive(pid))
      throw new AlreadyRunning(
        `a collector runs here already, as process ${pid}; remove ${file} if that is another program`,
      );
    rmSync(file, { force: true });
  }
}

/** When a process has started, and after which start of the machine; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
    return `${boot}/${fields[19]}`;
  } catch {
    return undefined;
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
