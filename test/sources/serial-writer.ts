import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

export const hasPython = spawnSync('python3', ['--version']).error === undefined;

const PROGRAM = `
import os, pty, sys, threading, time, tty
head, line = pty.openpty()
tty.setraw(line)
print(os.ttyname(line), flush=True)
text = bytes.fromhex(sys.argv[1])
def write():
    while True:
        os.write(head, text)
        time.sleep(0.2)
threading.Thread(target=write, daemon=True).start()
sys.stdin.read()
`;

/** A serial line at whose other end a meter writes the same telegram again and again. */
export async function startSerialWriter(
  telegram: Buffer,
): Promise<{ readonly path: string; stop(): Promise<void> }> {
  const child = spawn('python3', ['-c', PROGRAM, telegram.toString('hex')]);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    path: chunk.toString().trim(),
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
