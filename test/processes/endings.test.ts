import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { serve } from '../support/server-process.ts';
import { createReportingWorld } from '../telemetry/installation.ts';
import { isAlive, openConnection, PROCESSES, startProcesses, type Running } from './scene.ts';

const FIRST_AT = Date.parse('2025-03-01T00:00:00Z');

/** How long it may take on a busy machine until another process serves. */
const RESTART = { timeout: 120_000 };
const RESTARTING = { timeout: 300_000 };

describe('processes that end', () => {
  let database: TestDatabase;
  let one: Running;
  const world = createReportingWorld(() => database);
  beforeAll(async () => {
    database = await createSqliteDatabase();
    one = await startProcesses(database, { HELIOPORT_ROLES: 'user-api,gateway' });
  });
  afterAll(async () => {
    await one.end();
    await database.drop();
  });

  test(
    'before they have taken a connection have it ended, and do not let it wait for ever',
    RESTARTING,
    async () => {
      const stopped = one.pids()[0]!;
      process.kill(stopped, 'SIGSTOP');
      const connections = Array.from({ length: PROCESSES }, () =>
        openConnection(one.addresses['user-api']!),
      );
      const outcomes: (number | string)[] = [];
      const asked = connections.map((connection) =>
        connection.ask('/healthz').then(
          ({ status }) => outcomes.push(status),
          ({ code }: NodeJS.ErrnoException) => outcomes.push(code!),
        ),
      );
      await expect.poll(() => outcomes).toEqual([200, 200]);
      process.kill(stopped, 'SIGKILL');
      await Promise.all(asked);
      expect(outcomes).toEqual([200, 200, 'ECONNRESET']);
      for (const connection of connections) connection.close();
      await expect.poll(() => one.metric('helioport_processes'), RESTART).toBe(PROCESSES);
    },
  );

  test('because they alone were stopped are replaced', RESTARTING, async () => {
    const [stopped] = one.pids();
    process.kill(stopped!, 'SIGTERM');
    await expect.poll(() => one.metric('helioport_process_ends_total'), RESTART).toBe(2);
    await expect.poll(() => one.metric('helioport_processes'), RESTART).toBe(PROCESSES);
    expect(one.pids()).not.toContain(stopped);
    expect((await fetch(`${one.addresses['ops']}/readyz`)).status).toBe(200);
  });

  test('because all are stopped answer what has begun, and take nothing new', async () => {
    const homes = await Promise.all(Array.from({ length: PROCESSES }, () => world.install()));
    const members = one.pids();
    const reports: ClientRequest[] = [];
    for (const { token } of homes) {
      const headers = {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Expect: '100-continue',
      };
      const begun = request(`${one.addresses['gateway']}/v1/readings`, {
        method: 'POST',
        agent: false,
        headers,
      });
      begun.flushHeaders();
      await once(begun, 'continue');
      reports.push(begun);
    }
    one.server.kill('SIGTERM');
    const isRefused = (): Promise<boolean> =>
      fetch(`${one.addresses['gateway']}/healthz`).then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused).toBe(true);
    for (const [i, begun] of reports.entries()) {
      const answered = once(begun, 'response') as Promise<[IncomingMessage]>;
      begun.end(
        JSON.stringify({ readings: [{ sn: homes[i]!.sn, at: FIRST_AT, values: { acPowerW: 1 } }] }),
      );
      expect(await readText((await answered)[0])).toBe('{"accepted":1,"duplicate":0,"refused":[]}');
    }
    expect(await one.server.ended).toEqual({ code: 0, signal: null });
    expect(members.filter(isAlive)).toEqual([]);
    // Each is stopped once, by the primary.
    expect(one.server.output().match(/"msg":"(started|stopping|stopped)"/g)).toHaveLength(3);
  });
});

describe('a connection that a process cannot take any more is ended, and does not wait for ever', () => {
  test('when its channel outlasts it', async () => {
    const { next } = startPrimaryOfOne('lasting');
    const [, port] = (await next()).split(' ');
    await once(connect(Number(port), '127.0.0.1').resume(), 'close');
  });

  test('when another waits for it to be taken', async () => {
    const { primary, next } = startPrimaryOfOne();
    const [child, ...ports] = (await next()).split(' ').map(Number);
    process.kill(child!, 'SIGSTOP');
    const waiting = connect(ports[0]!, '127.0.0.1').resume();
    expect(await next()).toBe('handed');
    // When the primary goes on, it finds the end of the process and a new connection at once.
    process.kill(primary.pid!, 'SIGSTOP');
    process.kill(child!, 'SIGKILL');
    await expect.poll(() => stateOf(child!)).toMatch(/^Z[^l]*$/);
    const later = connect(ports[1]!, '127.0.0.1').resume();
    await once(later, 'connect');
    // A connection that is reset is ended too.
    const ended = [waiting, later].map((socket) => finished(socket).catch(() => {}));
    process.kill(primary.pid!, 'SIGCONT');
    await Promise.all(ended);
  });
});

/** The state of a process, such as `Z` once all its threads have ended (`Zl` before) and until its parent takes note. */
const stateOf = (pid: number): string =>
  execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });

/** `next` is what it writes, line by line. */
function startPrimaryOfOne(...args: string[]): {
  readonly primary: ChildProcess;
  next(): Promise<string>;
} {
  const primary = spawn(
    process.execPath,
    [fileURLToPath(new URL('primary-of-one.ts', import.meta.url)), ...args],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  onTestFinished(async () => {
    primary.kill('SIGKILL');
    await once(primary, 'close');
  });
  const lines = createInterface(primary.stdout)[Symbol.asyncIterator]();
  return { primary, next: async () => (await lines.next()).value as string };
}

test('processes that do not serve yet end at once when all are stopped', RESTARTING, async () => {
  const database = await createSqliteDatabase();
  const one = await startProcesses(database, { HELIOPORT_ROLES: 'gateway' });
  const before = one.pids();
  process.kill(before[0]!, 'SIGKILL');
  const begun = await vi.waitUntil(() => one.pids().find((pid) => !before.includes(pid)), {
    ...RESTART,
    interval: 5,
  });
  process.kill(begun, 'SIGSTOP');
  one.server.kill('SIGTERM');
  // Those that serve have longer.
  await expect.poll(() => isAlive(begun), { timeout: 6_000 }).toBe(false);
  expect(await one.server.ended).toEqual({ code: 0, signal: null });
  await database.drop();
});

test.each(['HELIOPORT_OPS_PORT', 'HELIOPORT_GATEWAY_PORT'])(
  'a port in use is one sentence: %s',
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'helioport-processes-'));
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    const server = serve(folder, {
      HELIOPORT_PROCESSES: '2',
      HELIOPORT_ROLES: 'gateway',
      HELIOPORT_LOG_LEVEL: 'error',
      [name]: String(port),
    });
    const { code } = await server.ended;
    expect({ code, output: server.output() }).toEqual({
      code: 1,
      output: `helioport: port ${port} (${name}) on 127.0.0.1 is in use by another process\n`,
    });
    blocker.close();
    rmSync(folder, { recursive: true, force: true });
  },
);
