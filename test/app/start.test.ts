import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve, type ServerProcess } from '../support/server-process.ts';

let folder: string;
const running: ServerProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-app-'));
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.kill('SIGKILL');
    await server.ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

function start(environment: Record<string, string> = {}): ServerProcess {
  const server = serve(folder, environment);
  running.push(server);
  return server;
}

/** The one line a person reads when the server does not start. */
async function refusal(environment: Record<string, string> = {}): Promise<string> {
  const server = start(environment);
  expect(await server.ended).toEqual({ code: 1, signal: null });
  const lines = server.output().trim().split('\n');
  const [sentence = '', ...more] = lines.filter((line) => !line.startsWith('{'));
  expect(more).toEqual([]);
  return sentence;
}

test('a started server answers health, readiness and metrics on the ops port', async () => {
  const { ops } = await start().started;
  for (const [path, status, text] of [
    ['/healthz', 200, 'ok'],
    ['/readyz', 200, 'ready'],
    ['/metrics', 200, 'helioport_requests_total'],
    ['/nowhere', 404, 'not found'],
  ] as const) {
    const answer = await fetch(ops + path);
    expect(answer.status, path).toBe(status);
    expect(await answer.text()).toContain(text);
  }
  expect((await fetch(`${ops}/healthz`, { method: 'POST' })).status).toBe(405);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops it cleanly, and the next start finds everything as it was',
  async (signal) => {
    const first = start();
    await first.started;
    const key = statSync(join(folder, 'data', 'master.key')).mtimeMs;
    first.kill(signal);
    expect(await first.ended).toEqual({ code: 0, signal: null });
    const second = start();
    await second.started;
    expect(statSync(join(folder, 'data', 'master.key')).mtimeMs).toBe(key);
    expect(second.output()).not.toContain('database brought up to date');
  },
);

test('a port in use is one sentence with its setting', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  const port = await new Promise<number>((resolve) =>
    taken.once('listening', () => resolve((taken.address() as { port: number }).port)),
  );
  const sentence = await refusal({ HELIOPORT_OPS_PORT: String(port) });
  taken.close();
  expect(sentence).toBe(
    `helioport: port ${port} (HELIOPORT_OPS_PORT) on 127.0.0.1 is in use by another process`,
  );
});

test('health and metrics have an address of their own, and what is open to others is said once', async () => {
  const server = start({ HELIOPORT_HOST: '0.0.0.0', HELIOPORT_RATE_LIMIT: 'off' });
  const { ops, gateway } = await server.started;
  expect(new URL(ops!).hostname).toBe('127.0.0.1');
  expect(new URL(gateway!).hostname).toBe('0.0.0.0');
  for (const text of ['HELIOPORT_RATE_LIMIT: off', 'HELIOPORT_HOST=0.0.0.0', 'MQTT_TLS_CERT'])
    await expect.poll(() => server.output().split(text)).toHaveLength(2);
  expect(await refusal({ HELIOPORT_OPS_HOST: '192.0.2.1' })).toBe(
    'helioport: 192.0.2.1 is not an address of this machine: set HELIOPORT_OPS_HOST to one that is',
  );
});

test('an address of another machine is one sentence', async () => {
  expect(await refusal({ HELIOPORT_HOST: '192.0.2.1' })).toBe(
    'helioport: 192.0.2.1 is not an address of this machine: set HELIOPORT_HOST to one that is',
  );
});

test('a data folder that cannot be written is one sentence', async () => {
  writeFileSync(join(folder, 'file'), '');
  const dataDir = join(folder, 'file', 'data');
  expect(await refusal({ HELIOPORT_DATA_DIR: dataDir })).toBe(
    `helioport: HELIOPORT_DATA_DIR: the folder ${dataDir} cannot be written (ENOTDIR)`,
  );
});

test.skipIf(!existsSync('/proc/self'))(
  'a data folder where nobody can make one is one sentence too',
  async () => {
    expect(await refusal({ HELIOPORT_DATA_DIR: '/proc/none' })).toBe(
      'helioport: HELIOPORT_DATA_DIR: the folder /proc/none cannot be written (ENOENT)',
    );
  },
);

test('a database of a newer version is one sentence', async () => {
  const server = start();
  await server.started;
  server.kill('SIGTERM');
  await server.ended;
  const database = new DatabaseSync(join(folder, 'data', 'helioport.db'));
  database.exec(
    "insert into schema_migration (id, name, checksum, applied_at) values (9999, '9999-future.sql', 'x', 0)",
  );
  database.close();
  expect(await refusal()).toBe(
    'helioport: the database was written by a newer version of Helioport (it has 9999-future.sql)',
  );
});

test('a wrong master key is one sentence', async () => {
  const server = start();
  await server.started;
  server.kill('SIGTERM');
  await server.ended;
  const key = Buffer.alloc(32, 5).toString('base64');
  expect(await refusal({ HELIOPORT_MASTER_KEY: key })).toBe(
    'helioport: the master key is not the one that this database was created with',
  );
});

test('a file that is no database is one sentence', async () => {
  mkdirSync(join(folder, 'data'));
  writeFileSync(
    join(folder, 'data', 'helioport.db'),
    'this is no database, and long enough that nobody takes it for an empty one'.repeat(20),
  );
  expect(await refusal()).toBe('helioport: the database file is not a database of Helioport');
});

test('a database server that is not there is one sentence', async () => {
  const environment = {
    HELIOPORT_DATABASE_URL: 'postgres://helioport@127.0.0.1:9/none',
    HELIOPORT_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
  };
  expect(await refusal(environment)).toBe(
    'helioport: the database cannot be reached (connection refused)',
  );
});

test('all settings that cannot be are named at once', async () => {
  const server = start({ HELIOPORT_HOST: '???', HELIOPORT_RATE_LIMIT: 'much' });
  expect((await server.ended).code).toBe(1);
  expect(server.output().trim().split('\n')).toHaveLength(3);
});
