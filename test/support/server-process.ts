import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../packages/server/bin/node-flags.mjs';

const EXECUTABLE = fileURLToPath(
  new URL('../../packages/server/bin/helioport.mjs', import.meta.url),
);

export interface ServerProcess {
  readonly pid: number;
  /** Everything written so far. */
  output(): string;
  /** Base addresses by listener; rejects when the process ends before it has started. */
  readonly started: Promise<Record<string, string>>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
}

/** Any free port for every listener. */
export const FREE_PORTS = Object.fromEntries(
  ['USER_API', 'OAUTH', 'PORTAL', 'GATEWAY', 'MQTT', 'OPS'].map((name) => [
    `HELIOPORT_${name}_PORT`,
    '0',
  ]),
);

/** The command line as a process of its own in `folder`, with nothing of this process's environment. */
export const spawnHelioport = (
  folder: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(process.execPath, [...NODE_FLAGS, EXECUTABLE, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...FREE_PORTS, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** `helioport serve` as a process of its own. */
export function serve(
  folder: string,
  environment: Record<string, string> = {},
  args: readonly string[] = [],
): ServerProcess {
  const child = spawnHelioport(folder, ['serve', ...args], environment);
  let output = '';
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, string>>();
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    const line = /^\{.*"msg":"started".*\}$/m.exec(output);
    if (line) resolve((JSON.parse(line[0]) as { addresses: Record<string, string> }).addresses);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  void ended.then(() => reject(new Error(`ended before it had started:\n${output}`)));
  // A test that expects the process to end does not wait for its start.
  promise.catch(() => {});
  return {
    pid: child.pid!,
    output: () => output,
    started: promise,
    ended,
    kill: (signal) => void child.kill(signal),
  };
}
