import { afterEach, describe, expect, test } from 'vitest';
import { restAfter } from '../../packages/collector/src/bus/back-off.ts';
import { createLock } from '../../packages/collector/src/bus/lock.ts';
import type { Master } from '../../packages/collector/src/bus/master.ts';
import { openBus } from '../../packages/collector/src/bus/open-bus.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { freePort } from '../support/free-port.ts';
import {
  startHostilePeer,
  wordAt,
  type HostilePeer,
  type Trick,
  type Wire,
} from './hostile-peer.ts';
import { addressOf } from './no-wrong-value.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function peerThat(
  wire: Wire,
  tricks: (unit: number, asked: number) => Trick,
): Promise<{
  peer: HostilePeer;
  bus: Master;
  read: (address: number, unit?: number) => Promise<number>;
}> {
  let asked = 0;
  const peer = await startHostilePeer(wire, ({ unit }) => tricks(unit, asked++), 40);
  const bus = openBus(addressOf(wire, peer.port), {
    clock: systemClock,
    pause: (ms, signal) => timerPause(Math.min(ms, 250), signal),
    random: Math.random,
    timeoutMs: 250,
  });
  ended.push(
    () => bus.close(),
    () => peer.stop(),
  );
  const read = async (address: number, unit = 1): Promise<number> =>
    (await bus.hold((line) => line.request({ unit, fn: 4, address, count: 1 }), 'poll'))[0]!;
  return { peer, bus, read };
}

test('without a number in the frame, a time-out ends the connection', async () => {
  const { peer, bus, read } = await peerThat('rtu', (_, asked) =>
    asked === 0 ? 'silent' : 'honest',
  );
  await expect(read(5)).rejects.toThrow('unit 1, does not answer');
  expect(await read(6)).toBe(wordAt(4, 6));
  expect(peer.connections).toBe(2);
  expect(bus.counters).toMatchObject({ timeouts: 1, reconnects: 1 });
});

test.each(['tcp', 'v5'] as const)(
  'over %s, a time-out keeps the connection, and the third in a row ends it',
  async (wire) => {
    const { peer, read } = await peerThat(wire, (_, asked) =>
      asked === 0 || (asked > 1 && asked < 5) ? 'silent' : 'honest',
    );
    await expect(read(5)).rejects.toThrow('does not answer');
    expect(await read(6)).toBe(wordAt(4, 6));
    expect(peer.connections).toBe(1);
    for (const address of [7, 8, 9]) await expect(read(address)).rejects.toThrow('does not answer');
    expect(await read(10)).toBe(wordAt(4, 10));
    expect(peer.connections).toBe(2);
  },
);

test('a unit that is silent does not keep the others of its line from being read', async () => {
  const { read } = await peerThat('rtu', (unit) => (unit === 2 ? 'silent' : 'honest'));
  for (const address of [20, 21, 22]) {
    await expect(read(address, 2)).rejects.toThrow('unit 2, does not answer');
    expect(await read(address, 1)).toBe(wordAt(4, address));
  }
});

test('an answer that comes after the next question over a line without numbers is thrown away', async () => {
  const { bus, read } = await peerThat('rtu', (_, asked) =>
    asked === 2 ? 'doubledLater' : 'honest',
  );
  expect(await read(100)).toBe(wordAt(4, 100));
  const outcomes = await Promise.all(
    [101, 102, 103, 104].map((address) =>
      read(address).then(
        (word) => word === wordAt(4, address),
        () => 'none' as const,
      ),
    ),
  );
  expect(outcomes).not.toContain(false);
  await expect.poll(() => read(105).catch(() => 0)).toBe(wordAt(4, 105));
  expect(bus.counters.strays).toBeGreaterThan(0);
});

test.each(['late', 'doubledLater'] as const)(
  'an answer that comes for a later question of the same look, whose own is late, is not believed (%s)',
  async (trick) => {
    for (let round = 0; round < 12; round++) {
      // The first question, then the second real one: what comes between tells them apart.
      const { read } = await peerThat('rtu', (_, asked) =>
        asked === 0 ? trick : asked >= 2 && asked < 5 ? 'late' : 'honest',
      );
      for (const address of [200, 300, 400])
        expect([wordAt(4, address), 'none']).toContain(
          await read(address).catch(() => 'none' as const),
        );
    }
  },
);

test('a heartbeat of a stick is answered, and is no answer', async () => {
  const { bus, read } = await peerThat('v5', () => 'heartbeat');
  expect(await read(7)).toBe(wordAt(4, 7));
  expect(bus.counters.strays).toBe(0);
});

test('a port that is closed, and one that nobody answers, are distinguished', async () => {
  const open = (address: Parameters<typeof openBus>[0]): Promise<unknown> => {
    const bus = openBus(address, {
      clock: systemClock,
      pause: (ms, signal) => timerPause(Math.min(ms, 100), signal),
      random: Math.random,
    });
    ended.push(() => bus.close());
    return bus.hold((line) => line.request({ unit: 1, fn: 4, address: 1, count: 1 }), 'poll');
  };
  const port = await freePort();
  await expect(open({ kind: 'tcp', host: '127.0.0.1', port })).rejects.toThrow(
    `127.0.0.1:${port} is closed: nothing listens on this port`,
  );
  await expect(
    open({ kind: 'serial', path: '/dev/no-such-port', baud: 9600, parity: 'none', stopBits: 1 }),
  ).rejects.toThrow('/dev/no-such-port does not exist: is the adapter plugged in?');
});

test('an instruction goes before the polls that wait', async () => {
  const lock = createLock();
  const order: string[] = [];
  let release = (): void => {};
  const first = lock.hold(() => new Promise<void>((resolve) => (release = resolve)), 'poll');
  const others = [
    lock.hold(async () => void order.push('poll 1'), 'poll'),
    lock.hold(async () => void order.push('poll 2'), 'poll'),
    lock.hold(async () => void order.push('instruction'), 'instruction'),
  ];
  release();
  await Promise.all([first, ...others]);
  expect(order).toEqual(['instruction', 'poll 1', 'poll 2']);
});

describe('rests after failures', () => {
  test('grow from 5 s to 5 min, with a random part', () => {
    expect([1, 2, 3, 4, 7, 100].map((failures) => restAfter(failures, 1))).toEqual([
      5_000, 10_000, 20_000, 40_000, 300_000, 300_000,
    ]);
    expect(restAfter(1, 0)).toBe(2_500);
  });
});
