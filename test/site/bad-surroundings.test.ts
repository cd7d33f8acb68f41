import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createMemoryBacklog } from '../../packages/collector/src/backlog/memory-backlog.ts';
import { createDelivery } from '../../packages/collector/src/delivery.ts';
import { reachKnown } from '../../packages/collector/src/site/device/reach.ts';
import { createBusPool } from '../../packages/collector/src/site/device/bus-pool.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { replay } from '../../packages/collector/src/site/find/replay-server.ts';
import type { Report } from '../../packages/collector/src/report.ts';
import {
  createV5Parser,
  encodeV5,
  V5_CODES,
} from '../../packages/collector/src/solarman/v5-frame.ts';
import { startGatewayDouble } from '../collector/gateway-double.ts';
import { createPlace } from './collecting.ts';
import { solisImage } from './solis-image.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/collector/src/bin.ts', import.meta.url));
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** A host on loopback that answers each chunk of bytes as given. */
async function host(answer: (bytes: Buffer, socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('data', (bytes: Buffer) => answer(bytes, socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ended.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

/** What is said of a device that cannot be reached. */
async function saidOf(
  kind: 'v5' | 'tcp' | 'rtu',
  port: number,
  serial = 2_700_000_001,
): Promise<string> {
  const at = { host: '127.0.0.1', port };
  const pool = createBusPool({
    clock: systemClock,
    pause: timerPause,
    random: Math.random,
    timeoutMs: 150,
  });
  ended.push(() => pool.close());
  const options = { pool, pause: timerPause, askSerial: async () => 0 };
  return reachKnown(kind === 'v5' ? { kind, ...at, serial } : { kind, ...at }, 1, options).then(
    () => 'reached',
    (error: Error) => error.message,
  );
}

describe('a stick that cannot be asked is known by what it does', () => {
  test('a wrong serial number, with the right one', async () => {
    const parser = createV5Parser();
    const port = await host((bytes, socket) => {
      for (const { askerNumber } of parser.take(bytes))
        socket.write(
          encodeV5({
            code: V5_CODES.response,
            askerNumber,
            stickNumber: 1,
            serial: 2_700_000_077,
            payload: Buffer.concat([Buffer.of(2, 0), Buffer.alloc(12), Buffer.of(5)]),
          }),
        );
    });
    expect(await saidOf('v5', port)).toMatch(
      /its serial number is 2700000077: write it as v5:\/\/127\.0\.0\.1:\d+\?serial=2700000077$/,
    );
  });

  test.each([
    ['answers in text', '+ok=LSW3\r\n'],
    ['answers in V4', 'h\x59\x41\xb0'],
  ])('one that %s', async (_, text) => {
    const port = await host((__, socket) => void socket.write(text, 'latin1'));
    expect(await saidOf('v5', port)).toContain('is not V5: an older stick is v4://');
  });

  test('one that says nothing, as a wrong serial number, a dark inverter and another protocol do', async () => {
    const port = await host(() => {});
    const said = await saidOf('v5', port);
    expect(said).toContain("is 2700000001 the serial number on the stick's label?");
    expect(said).toContain(`tcp://127.0.0.1:${port} or rtu://127.0.0.1:${port}`);
    expect(await saidOf('v5', port, 0)).toContain('does not tell its serial number');
    expect(await saidOf('tcp', port)).toContain('nobody answers as unit 1');
  });

  test('RTU where Modbus TCP is expected, and a host that hangs up', async () => {
    const rtu = await host((_, socket) => void socket.write(Buffer.from('01040200f0b8b4', 'hex')));
    expect(await saidOf('tcp', rtu)).toContain('Write rtu://HOST:PORT for a gateway');
    const busy = await host((_, socket) => socket.destroy());
    expect(await saidOf('tcp', busy)).toContain('end the other program that uses it');
  });
});

/** A site with one inverter that works, in a process whose files may have so many blocks. */
async function run(gatewayUrl: string, fileBlocks?: number) {
  const { 3: holding = {}, 4: input = {} } = solisImage('1031051234567890');
  const device = await replay(
    { format: 'helioport-capture-1', family: null, unit: 1, tables: { holding, input } },
    { host: '127.0.0.1', port: 0 },
  );
  ended.push(() => device.close());
  const place = createPlace();
  ended.push(() => place.remove());
  writeFileSync(join(place.folder, 'token'), 'first-token');
  writeFileSync(
    join(place.folder, 'collect.yaml'),
    `gateway: ${gatewayUrl}\nreport-every: 5s\ndevices:\n  - address: tcp://127.0.0.1:${device.port}\n    unit: 1\n    poll-every: 1s\n`,
  );
  const program = `${fileBlocks === undefined ? '' : `ulimit -f ${fileBlocks}; `}exec "$0" "$1" run`;
  const child = spawn('/bin/sh', ['-c', program, process.execPath, PROGRAM], {
    cwd: place.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: '' },
  });
  ended.push(() => child.kill('SIGKILL'));
  const notes: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => void notes.push(chunk.toString()));
  return { notes: () => notes.join(''), folder: place.folder };
}

test.runIf(process.platform === 'linux')(
  'a disk that takes no more is named with what to do, and reports arrive all the same',
  async () => {
    const gateway = await startGatewayDouble();
    ended.push(() => gateway.close());
    const { notes } = await run(gateway.url, 1);
    const arrived = (): number =>
      gateway.reports.filter(({ readings }) => readings?.length > 0).length;
    await expect.poll(arrived, { timeout: 60_000 }).toBeGreaterThan(2);
    await expect
      .poll(notes)
      .toMatch(
        /the backlog cannot be written: EFBIG.*; readings are kept in memory only: make room on the disk of \S+/,
      );
    expect(notes()).toMatch(/the state cannot be kept in \S+: .*; make room on its disk/);
  },
);

test('a token that is withdrawn is named with what to do; a new one in its file is taken, and nothing is lost', async () => {
  const gateway = await startGatewayDouble();
  ended.push(() => gateway.close());
  const refusal = {
    status: 401,
    body: { success: false, code: '401', msg: 'no collector has this token', data: null },
  };
  gateway.answers.push(...Array.from({ length: 2 }, () => refusal));
  const { notes, folder } = await run(gateway.url);
  await expect.poll(notes, { timeout: 60_000 }).toContain('refuses the token');
  expect(notes()).toMatch(
    /issue another with helioport collector rotate and put it into \S+token, which is read again by itself; readings are kept/,
  );
  writeFileSync(join(folder, 'token'), 'second-token');
  const withSecond = (): boolean =>
    gateway.reports.some(
      ({ authorization, readings }) =>
        authorization === 'Bearer second-token' && readings?.length > 0,
    );
  gateway.answers.push(...Array.from({ length: 2 }, () => refusal));
  await expect.poll(withSecond, { timeout: 60_000 }).toBe(true);
});

test('what the backlog cannot take waits in memory for as long as the server is away', async () => {
  const clock = { at: 0, now: () => clock.at };
  const stop = new AbortController();
  const delivered: Report[] = [];
  let isAway = true;
  const delivery = createDelivery({
    link: {
      reportBytes: 1e6,
      report: async (report) =>
        isAway
          ? { setback: { cause: 'away', reason: 'away' } }
          : (delivered.push(report), { value: { accepted: 1, duplicate: 0, refused: [] } }),
      instructions: async () => ({ value: [] }),
      results: async () => ({ value: { accepted: 0, duplicate: 0, refused: [] } }),
      close: async () => {},
    },
    backlog: {
      ...createMemoryBacklog(),
      waiting: 0,
      add: () => {
        throw new Error('ENOSPC');
      },
    },
    clock,
    pause: async (ms) => {
      clock.at += ms;
      await new Promise(setImmediate);
      if (clock.at > 600_000) isAway = false;
    },
    signal: stop.signal,
    onDelivered() {},
    onSetback() {},
  });
  const kept = [1, 2, 3].map((at) =>
    delivery.add({ readings: [{ sn: 'A', at, values: {} }] }, 'live'),
  );
  expect(kept).toEqual([false, false, false]);
  await delivery.whenDelivered();
  expect(delivered.flatMap(({ readings = [] }) => readings.map(({ at }) => at))).toEqual([1, 2, 3]);
  stop.abort();
  await delivery.ended;
});
