import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createPushedDevices } from '../../packages/collector/src/site/pushed-devices.ts';
import { openBus } from '../../packages/collector/src/bus/open-bus.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { readPushed, type PushedReading } from '../../packages/collector/src/solarman/push-data.ts';
import {
  listenToSticks,
  type StickListener,
} from '../../packages/collector/src/solarman/stick-listener.ts';
import { createV4Parser } from '../../packages/collector/src/solarman/v4-frame.ts';
import {
  createV5Parser,
  encodeV5,
  V5_CODES,
} from '../../packages/collector/src/solarman/v5-frame.ts';
import { connectStick } from './fake-stick.ts';
import { ginlongFrame, omnikFrame, V4_SERIAL } from '../sources/v4-stick.ts';
import { solisImage } from './solis-image.ts';
import { stickData } from './stick-data.ts';

const SERIAL = 2_700_000_001;
/** Data of an inverter, kept by its stick, dated 2021-03-12T14:46:38Z. */
const KEPT =
  'a5e90010424b0201bbeea0810705a772010012000000270c4a6001009a010000' +
  '30303030303030303030303030303030700158080000140000000000000010000000000038098a1372010000be00000032000000' +
  '0'.repeat(2 * (0xe9 - 73)) +
  '3a15';
const AT = Date.parse('2021-03-12T14:46:38Z');
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** Data as a stick pushes it. `at` undefined: it has no clock. */
const data = (
  at: number | undefined,
  { isKept = false, todayKwh = 1, serial = SERIAL } = {},
): Buffer => stickData({ serial, sn: 'INVERTER1', at, isKept, todayKwh });

async function listen(
  options: {
    sticks?: number[];
    now?: number;
    fails?: () => boolean;
    isTimeKnown?: () => boolean;
  } = {},
) {
  const taken: (PushedReading & { at: number })[] = [];
  const listener: StickListener = await listenToSticks({
    host: '127.0.0.1',
    port: 0,
    clock: { now: () => options.now ?? systemClock.now() },
    sticks: options.sticks ?? [],
    ...(options.isTimeKnown && { isTimeKnown: options.isTimeKnown }),
    onReading(_, reading) {
      if (options.fails?.() === true) throw new Error('the disk is full');
      taken.push(reading);
    },
  });
  ended.push(() => listener.close());
  const stick = async (): Promise<Socket> => {
    const socket = connect(listener.port, '127.0.0.1');
    await once(socket, 'connect');
    ended.push(() => socket.destroy());
    socket.on('error', () => {});
    return socket;
  };
  return { listener, taken, stick };
}

/** The answers to frames. */
async function answersTo(socket: Socket, frames: readonly Buffer[]): Promise<string[]> {
  const parser = createV5Parser();
  const answers: string[] = [];
  const take = (bytes: Buffer): void => {
    for (const frame of parser.take(bytes))
      answers.push(
        [
          frame.code.toString(16),
          frame.askerNumber,
          frame.stickNumber,
          frame.payload[0],
          frame.payload[1],
        ].join(' '),
      );
  };
  socket.on('data', take);
  for (const frame of frames) socket.write(frame);
  await expect.poll(() => answers.length).toBe(frames.length);
  socket.off('data', take);
  return answers;
}

test('a kept frame is dated by the time inside', () => {
  const [frame] = createV5Parser().take(Buffer.from(KEPT, 'hex'));
  // The sum of the bytes is that of a frame whose tail is zeros.
  expect(frame?.code).toBe(V5_CODES.data);
  expect(readPushed(frame!)).toMatchObject({ at: AT, isKept: true, sn: '0'.repeat(16) });
});

test('sticks are answered as by their cloud, which sets their clock', async () => {
  const { stick } = await listen();
  const greeting = (code: number, payload: Buffer): Buffer =>
    encodeV5({ code, askerNumber: 3, stickNumber: 200, serial: SERIAL, payload });
  const answers = await answersTo(await stick(), [
    greeting(V5_CODES.hello, Buffer.concat([Buffer.of(2), Buffer.alloc(80)])),
    greeting(V5_CODES.heartbeat, Buffer.of(0)),
    greeting(V5_CODES.radio, Buffer.concat([Buffer.of(1), Buffer.from('MY-NETWORK')])),
    greeting(V5_CODES.report, Buffer.alloc(18, 1)),
    data(systemClock.now() - 5_000, { isKept: true }),
  ]);
  expect(answers).toEqual([
    '1110 4 200 2 1',
    '1710 4 200 0 1',
    '1310 4 200 1 1',
    '1810 4 200 1 1',
    '1210 8 9 129 1',
  ]);
});

test('kept frames come newest first and are dated, undated ones and repeats are counted', async () => {
  const now = Date.parse('2026-11-28T08:00:00Z');
  const { listener, taken, stick } = await listen({ now });
  const times = [0, 1, 2, 3].map((hours) => now - hours * 3_600_000);
  const frames = times.map((at, i) => data(at, { isKept: i > 0, todayKwh: 4 - i }));
  await answersTo(await stick(), [...frames, data(undefined), frames[1]!]);
  expect(taken.map(({ at, isKept }) => [at, isKept])).toEqual(times.map((at, i) => [at, i > 0]));
  expect(taken.toSorted((a, b) => a.at - b.at).map(({ values }) => values.energyTodayKwh)).toEqual([
    1, 2, 3, 4,
  ]);
  expect(listener.counters).toMatchObject({ kept: 3, undated: 1, repeated: 1, refused: 0 });
});

test('what could not be kept is not answered, so that the stick keeps it and tries again', async () => {
  let isFull = true;
  const { taken, stick } = await listen({ fails: () => isFull });
  const frame = data(systemClock.now() - 1_000);
  const first = await stick();
  first.write(frame);
  await once(first, 'close');
  isFull = false;
  await answersTo(await stick(), [frame]);
  expect(taken).toHaveLength(1);
});

test('a stick is answered only if its report is on the disk, and only once the time is known', async () => {
  const reported: unknown[] = [];
  let isOnDisk = false;
  const pushed = createPushedDevices({
    collector: { report: (report) => (reported.push(report), isOnDisk) },
    host: '127.0.0.1:10000',
    isPolled: () => false,
  });
  const reading = { sn: 'A', at: 5, isKept: true, values: {}, dropped: 0 };
  expect(() => pushed.onReading(SERIAL, reading)).toThrow('could not be kept');
  isOnDisk = true;
  pushed.onReading(SERIAL, reading);
  // It describes itself again, since the first time may have been lost.
  expect(reported).toHaveLength(2);
  expect(reported[1]).toHaveProperty('devices');

  let isTimeKnown = false;
  const { taken, stick } = await listen({ isTimeKnown: () => isTimeKnown });
  const early = await stick();
  early.write(data(systemClock.now()));
  await once(early, 'close');
  expect(taken).toEqual([]);
  isTimeKnown = true;
  await answersTo(await stick(), [data(systemClock.now())]);
  expect(taken).toHaveLength(1);
});

test('a stick that is not named may not report, and is listed', async () => {
  const { listener, taken, stick } = await listen({ sticks: [5] });
  const socket = await stick();
  socket.write(data(systemClock.now()));
  await once(socket, 'close');
  expect(taken).toEqual([]);
  expect(listener.strangers).toEqual([SERIAL]);
  await answersTo(await stick(), [data(systemClock.now(), { serial: 5 })]);
  expect(taken).toHaveLength(1);
});

test('made-up sticks and idle connections, however many, keep out no stick that reports', async () => {
  const { listener, taken, stick } = await listen();
  const hello = (serial: number): Buffer =>
    encodeV5({
      code: V5_CODES.hello,
      askerNumber: 3,
      stickNumber: 200,
      serial,
      payload: Buffer.alloc(81, 2),
    });
  const known = await stick();
  await answersTo(known, [data(systemClock.now())]);
  for (let i = 1; i <= 20; i++) await answersTo(await stick(), [hello(SERIAL + i)]);
  const idle = await Promise.all(Array.from({ length: 40 }, stick));
  const latecomer = await stick();
  await answersTo(latecomer, [data(systemClock.now() - 120_000, { serial: SERIAL + 100 })]);
  // The one that has reported is still there, and taken.
  await answersTo(known, [data(systemClock.now() - 60_000)]);
  expect(taken).toHaveLength(3);
  await expect.poll(() => idle.filter((socket) => socket.closed).length).toBeGreaterThan(9);
  expect(listener.strangers).toEqual([]);
});

test('a flood ends the connection', async () => {
  const { listener, stick } = await listen();
  const socket = await stick();
  socket.resume();
  const heartbeat = encodeV5({
    code: V5_CODES.heartbeat,
    askerNumber: 1,
    stickNumber: 1,
    serial: SERIAL,
    payload: Buffer.of(0),
  });
  socket.write(Buffer.concat(Array.from({ length: 3_000 }, () => heartbeat)));
  await once(socket, 'close');
  expect(listener.counters.refused).toBe(1);
});

test('a stick that has connected is read and written to over the same connection', async () => {
  const { listener } = await listen();
  const socket = await connectStick(listener.port, SERIAL, solisImage('1031051234567890'));
  ended.push(() => socket.destroy());
  socket.write(data(systemClock.now()));
  const bus = openBus(
    { kind: 'push', serial: SERIAL },
    { clock: systemClock, pause: timerPause, random: Math.random, dialStick: listener.dial },
  );
  ended.push(() => bus.close());
  await expect.poll(() => listener.counters.frames).toBeGreaterThan(0);
  const words = await bus.hold(async (line) => {
    await line.request({ unit: 1, fn: 6, address: 43_024, words: [25] });
    return [
      ...(await line.request({ unit: 1, fn: 4, address: 33_139, count: 1 })),
      ...(await line.request({ unit: 1, fn: 3, address: 43_024, count: 1 })),
    ];
  }, 'instruction');
  expect(words).toEqual([68, 25]);
});

describe('the old form', () => {
  test('is pushed without a date: its measurements are of now, and those of others are refused', async () => {
    const now = systemClock.now();
    const { taken, listener, stick } = await listen({ sticks: [V4_SERIAL], now });
    const socket = await stick();
    const frames = Buffer.concat([omnikFrame(), ginlongFrame()]);
    socket.write(frames.subarray(0, 100));
    socket.write(frames.subarray(100));
    await expect.poll(() => taken.length).toBe(2);
    expect(taken).toMatchObject([
      {
        sn: 'NLDN1520150001',
        at: now,
        isKept: false,
        dropped: 0,
        values: { acPowerW: 2200, acVoltage1V: 234.5, energyTotalKwh: 12_345.6 },
      },
      {
        sn: '000608111111-001',
        at: now,
        values: { acPowerW: 2008, acVoltage1V: 242, energyTodayKwh: 1.4, energyTotalKwh: 2524 },
      },
    ]);
    expect(taken[0]!.values.acPower3W).toBeUndefined();
    const other = await listen({ sticks: [7] });
    (await other.stick()).write(omnikFrame());
    await expect.poll(() => other.listener.counters.refused).toBe(1);
    expect([other.taken, listener.counters.frames]).toEqual([[], 2]);
  });

  test('is found in a stream with other bytes before it', () => {
    const parse = createV4Parser();
    expect([
      ...parse(Buffer.concat([Buffer.from('AT'), omnikFrame().subarray(0, 50)])),
      ...parse(omnikFrame().subarray(50)),
    ]).toMatchObject([{ serial: V4_SERIAL, sn: 'NLDN1520150001', isGinlong: false }]);
  });
});
