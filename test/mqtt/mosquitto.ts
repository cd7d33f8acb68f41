import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import {
  listBrokerUsers,
  mosquittoAccess,
  mosquittoPasswords,
} from '../../packages/server/src/fleet/collectors/broker-access.ts';
import type { Clock } from '../../packages/server/src/platform/kernel/clock.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { freePort } from '../support/free-port.ts';

export const hasMosquitto = spawnSync('mosquitto', ['-h']).error === undefined;
if (!hasMosquitto)
  console.log('skipped: suites with Mosquitto as the external broker (not installed)');

export interface Mosquitto {
  readonly port: number;
  /** Address with the user of the server. */
  readonly url: string;
  /** Writes its lists anew, for tokens that were issued or ended since. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

const SERVER = { name: 'helioport', password: 'p@ss:word/1' };

/** The configuration that the documentation shows, with another port and folder. */
const documented = (port: number, folder: string): string =>
  /```conf\n([\s\S]*?)```/
    .exec(readFileSync(new URL('../../docs/collector-protocol.md', import.meta.url), 'utf8'))![1]!
    .replace('listener 1883', `listener ${port} 127.0.0.1`)
    .replaceAll('/etc/mosquitto/helioport', folder);

/** Mosquitto with the access lists of a database. */
export async function startMosquitto({ db, clock }: { db: Db; clock: Clock }): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-mosquitto-'));
  const port = await freePort();
  const write = async (): Promise<void> => {
    const users = await listBrokerUsers(db, clock.now());
    writeFileSync(join(folder, 'passwords'), mosquittoPasswords(SERVER, users), { mode: 0o600 });
    writeFileSync(join(folder, 'acl'), mosquittoAccess(SERVER, users), { mode: 0o600 });
  };
  await write();
  // As root, it would become another user, who may not read these files.
  const user = process.getuid?.() === 0 ? 'user root\n' : '';
  writeFileSync(join(folder, 'mosquitto.conf'), user + documented(port, folder));
  const child = spawn('mosquitto', ['-c', join(folder, 'mosquitto.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const { promise: running, resolve, reject } = Promise.withResolvers<void>();
  let reloaded: (() => void) | undefined;
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (/running/.test(output)) resolve();
    if (/Reloading config/.test(chunk.toString())) reloaded?.();
  });
  const ended = once(child, 'close');
  void ended.then(() => reject(new Error(`mosquitto ended:\n${output}`)));
  await running;
  return {
    port,
    url: `mqtt://${SERVER.name}:${encodeURIComponent(SERVER.password)}@127.0.0.1:${port}`,
    async refresh() {
      await write();
      const done = new Promise<void>((resolveReload) => {
        reloaded = resolveReload;
      });
      child.kill('SIGHUP');
      await done;
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
