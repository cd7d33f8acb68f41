import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '../../test/support/free-port.ts';

/** Mosquitto on this machine, without TLS, that keeps everything for slow subscribers. */
export async function startBroker(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
  const port = await freePort();
  const settings = [
    'allow_anonymous true',
    'max_queued_messages 0',
    'max_inflight_messages 0',
    'persistence false',
    `listener ${port} 127.0.0.1`,
  ];
  const file = join(folder, 'mosquitto.conf');
  writeFileSync(file, [...(process.getuid?.() === 0 ? ['user root'] : []), ...settings].join('\n'));
  const child = spawn('mosquitto', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  const running = Promise.withResolvers<void>();
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (/running/.test(output)) running.resolve();
  });
  await Promise.race([
    running.promise,
    ended.then(() => Promise.reject(new Error(`mosquitto ended:\n${output}`))),
  ]);
  return {
    url: `mqtt://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
