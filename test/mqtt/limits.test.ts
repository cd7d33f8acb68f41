import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { collectorTopic } from '@helioport/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createControlScene, type Home } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { openBroker, type OpenBroker } from './broker-fixture.ts';
import { connectCollector, type MqttCollector } from './collector.ts';
import { connectPacket, packet, publishPacket, type Version } from './packets.ts';
import type { BrokerLimits } from '../../packages/server/src/interfaces/edges/mqtt/broker.ts';

let database: TestDatabase;
const scene = createControlScene(() => database);
beforeAll(async () => {
  database = await createSqliteDatabase();
});
afterAll(() => database.drop());

async function withBroker(
  limits: Partial<BrokerLimits>,
  work: (broker: OpenBroker) => Promise<void>,
  perSecond: number | null = null,
  failuresPerMinute: number | null = null,
): Promise<void> {
  const broker = await openBroker(
    {
      db: database.db,
      clock: scene.clock,
      wakeUps: database.wakeUps,
      perSecond,
      failuresPerMinute,
    },
    { limits },
  );
  try {
    await work(broker);
  } finally {
    await broker.close();
  }
}

/** Connects without a word. */
async function stranger({ port }: OpenBroker, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  await once(socket, 'connect');
  return socket.resume();
}
const closed = (socket: Socket): Promise<void> =>
  socket.closed
    ? Promise.resolve()
    : new Promise((resolve) => void socket.once('close', () => resolve()));

test('a client that says nothing, or not enough, is disconnected', () =>
  withBroker({ greetingMs: 100 }, async (broker) => {
    const [silent, slow] = [await stranger(broker), await stranger(broker)];
    slow.write(Buffer.from([0x10, 0x7f, 0]));
    const trickle = setInterval(() => slow.write(Buffer.from([0])), 20);
    await Promise.all([closed(silent), closed(slow)]);
    clearInterval(trickle);
  }));

test('a stranger may not send much, nor anything but a greeting', () =>
  withBroker({ greetingMs: 60_000 }, async (broker) => {
    for (const greeting of [0x10, 0x30]) {
      const large = await stranger(broker);
      // Only its header has arrived.
      large.write(packet(greeting, Buffer.alloc(5_000)).subarray(0, 3));
      await closed(large);
    }
    const rude = await stranger(broker);
    rude.write(packet(0xc0));
    await closed(rude);
  }));

test('strangers are few at a time, and do not keep collectors out for long', () =>
  withBroker({ strangers: 2, greetingMs: 300 }, async (broker) => {
    const [first, second] = [await stranger(broker), await stranger(broker)];
    const third = await stranger(broker);
    await closed(third);
    expect([first.closed, second.closed]).toEqual([false, false]);
    await Promise.all([closed(first), closed(second)]);
    const collectors: MqttCollector[] = [];
    for (let i = 0; i < 3; i++)
      collectors.push(await connectCollector(broker.url, await scene.home()));
    for (const collector of collectors) await collector.leave();
  }));

test('one network whose connections say nothing leaves places for others, and gets its own back', () =>
  withBroker({ strangers: 100, strangersOfNetwork: 3, greetingMs: 300 }, async (broker) => {
    const sockets = await Promise.all(
      Array.from({ length: 16 }, () => stranger(broker, '127.0.0.2')),
    );
    await expect.poll(() => sockets.filter((socket) => socket.closed).length).toBe(13);
    // More than may say nothing at a time, since collectors that are known are no strangers.
    const collectors: MqttCollector[] = [];
    for (let i = 0; i < 5; i++)
      collectors.push(await connectCollector(broker.url, await scene.home()));
    await Promise.all(sockets.map(closed));
    const again = await stranger(broker, '127.0.0.2');
    again.write(connectPacket(4, '', 'unknown', 'unknown'));
    await once(again, 'data');
    for (const collector of collectors) await collector.leave();
  }));

test('networks that hold all places for strangers together make room for others', () =>
  withBroker({ strangers: 6, strangersOfNetwork: 2, greetingMs: 60_000 }, async (broker) => {
    const hold = (network: number): Promise<Socket[]> =>
      Promise.all([1, 2].map(() => stranger(broker, `127.${network}.0.1`)));
    const sockets = [await hold(1), await hold(2), await hold(3)];
    const collector = await connectCollector(broker.url, await scene.home());
    // Of one of the fullest, the oldest.
    await closed(sockets[0]![0]!);
    expect(sockets.flat().filter((socket) => socket.closed)).toHaveLength(1);
    // Another one is in no network's way, since the collector is no stranger any more; a network does not take from one that has as few.
    const [last, refused] = [
      await stranger(broker, '127.1.0.1'),
      await stranger(broker, '127.1.0.2'),
    ];
    await closed(refused);
    expect(last.closed).toBe(false);
    await collector.leave();
    for (const socket of [...sockets.flat(), last]) socket.destroy();
  }));

test('many that connect at once from one network delay another network by a few only', () =>
  withBroker({}, async (broker) => {
    const [fleet, other] = [await scene.home(), await scene.home()];
    const sockets = await Promise.all(Array.from({ length: 200 }, () => stranger(broker)));
    const [last, rude] = [await stranger(broker, '127.0.0.2'), await stranger(broker)];
    // Some are taken over before they are answered.
    const served = Promise.all(
      [...sockets, last].map((socket) =>
        Promise.race([once(socket, 'data'), once(socket, 'close')]),
      ),
    );
    const held = Promise.withResolvers<void>();
    const holding = database.db.transaction().execute(() => held.promise);
    for (const socket of sockets) socket.write(connectPacket(4, '', fleet.tokenId, fleet.token));
    last.write(connectPacket(4, '', other.tokenId, other.token));
    // Once it is disconnected, all that was sent before has been read.
    rude.write(packet(0xc0));
    await closed(rude);
    held.resolve();
    await holding;
    await served;
    // Ids ascend: the other network was not admitted last, though it was the last to ask.
    const ids = await database.db
      .selectFrom('collectorConnection')
      .select(['collectorId', 'id'])
      .execute();
    const idOf = (home: Home): string =>
      ids.find(({ collectorId }) => collectorId === home.collectorId)!.id;
    expect(BigInt(idOf(other))).toBeLessThan(BigInt(idOf(fleet)));
    for (const socket of [...sockets, last]) socket.destroy();
  }));

test('when there are too many connections, another is refused as unavailable', () =>
  withBroker({ connections: 1 }, async (broker) => {
    const collector = await connectCollector(broker.url, await scene.home());
    const late = await scene.home();
    await expect(connectCollector(broker.url, late, 4)).rejects.toMatchObject({ code: 3 });
    await expect(connectCollector(broker.url, late, 5)).rejects.toMatchObject({ code: 0x88 });
    await collector.leave();
  }));

test('a client that is refused learns so late', () =>
  withBroker({ refusalMs: 200 }, async (broker) => {
    const begunAt = performance.now();
    await expect(
      connectCollector(broker.url, { ...(await scene.home()), token: 'wrong' }),
    ).rejects.toMatchObject({ code: 0x86 });
    expect(performance.now() - begunAt).toBeGreaterThan(190);
  }));

test('a collector that connects too often is refused for a while; its connection stays, and others may connect', () =>
  withBroker(
    {},
    async (broker) => {
      const [home, other] = [await scene.home(), await scene.home()];
      const first = await connectCollector(broker.url, home);
      const second = await connectCollector(broker.url, home);
      await first.ended;
      for (const [protocol, code] of [
        [4, 3],
        [5, 0x9f],
      ] as const) {
        await expect(connectCollector(broker.url, home, protocol)).rejects.toMatchObject({ code });
      }
      expect(await second.say('report', { id: 'r', readings: [] })).toMatchObject({ status: 200 });
      await (await connectCollector(broker.url, other)).leave();
      scene.clock.at += 1_000;
      await (await connectCollector(broker.url, home)).leave();
      await second.leave();
    },
    // Each of them takes a CONNECT and a SUBSCRIBE.
    4,
  ));

test.each([
  ['packets without a message', () => packet(0xc0)],
  [
    'messages to topics that are not its own',
    () => publishPacket(5, 'helioport/v1/1300000000000000001/report', '{}'),
  ],
])('a collector that sends many %s is slowed down, and others are not', (_, one) =>
  withBroker(
    {},
    async (broker) => {
      const [home, other] = [await scene.home(), await scene.home()];
      const socket = await stranger(broker);
      let answers = 0;
      // All of them are short.
      socket.on('data', (chunk: Buffer) => {
        for (let at = 0; at < chunk.length; at += 2 + chunk[at + 1]!) answers += 1;
      });
      socket.write(connectPacket(5, home.collectorId, home.tokenId, home.token));
      for (let i = 0; i < 100; i++) socket.write(one());
      await expect.poll(() => answers).toBe(1 + 4);
      const bystander = await connectCollector(broker.url, other);
      expect(await bystander.say('report', { id: 'r', readings: [] })).toMatchObject({
        status: 200,
      });
      // One a second from now on.
      expect(answers).toBeLessThan(1 + 4 + 3);
      scene.clock.at += 1_000;
      await expect.poll(() => answers).toBeGreaterThanOrEqual(1 + 4 + 1 + 5);
      socket.destroy();
      await bystander.leave();
    },
    5,
  ),
);

test('only a message may be large: the properties of one may not, nor any other packet', () =>
  withBroker({}, async (broker) => {
    const home = await scene.home();
    const topic = collectorTopic(home.collectorId, 'report');
    // User properties with an empty name and value.
    const properties = (count: number): Buffer => {
      const bytes = 5 * count;
      return Buffer.concat([
        Buffer.from([(bytes & 0x7f) | 0x80, bytes >> 7]),
        Buffer.alloc(bytes, Buffer.from([0x26, 0, 0, 0, 0])),
      ]);
    };
    const filters = Buffer.concat([
      Buffer.from([0, 1, 0]),
      Buffer.alloc(4_100, Buffer.from([0, 1, 0x78, 0])),
    ]);
    for (const wrong of [
      publishPacket(5, topic, '{"readings":[]}', { properties: properties(820) }),
      publishPacket(5, topic, '{"readings":[]}', { properties: properties(820), qos: 0 }),
      packet(0x82, filters),
      packet(0xa2, filters),
      packet(0xe0, Buffer.alloc(5_000)),
    ]) {
      const socket = await stranger(broker);
      socket.write(connectPacket(5, home.collectorId, home.tokenId, home.token));
      await once(socket, 'data');
      const bytes: number[] = [];
      socket.on('data', (chunk: Buffer) => void bytes.push(...chunk));
      socket.write(wrong);
      await closed(socket);
      // DISCONNECT with its reason, unless the reset of a connection with unread data has overtaken it.
      expect([[], [0xe0, 2, 0x95, 0]]).toContainEqual(bytes);
    }
    const socket = await stranger(broker);
    socket.write(connectPacket(5, home.collectorId, home.tokenId, home.token));
    await once(socket, 'data');
    const answered = once(socket, 'data');
    socket.write(
      publishPacket(5, topic, `{"readings":[],"padding":"${'x'.repeat(1_000_000)}"}`, {
        properties: properties(800),
      }),
    );
    // PUBACK
    expect((await answered)[0][0]).toBe(0x40);
    socket.destroy();
    expect(broker.log).toEqual([]);
  }));

test.each([
  ['no topic', Buffer.from([0x31, 0])],
  ['half a topic', packet(0x30, Buffer.from([0]))],
  ['a topic longer than itself', packet(0x30, Buffer.from([0, 9, 0x78]))],
  ['no properties', packet(0x30, Buffer.from([0, 1, 0x78]))],
  ['half a length of properties', packet(0x30, Buffer.from([0, 1, 0x78, 0xff]))],
])('a PUBLISH of MQTT 5 with %s ends the connection, and is no fault of ours', (_, wrong) =>
  withBroker({}, async (broker) => {
    const home = await scene.home();
    const socket = await stranger(broker);
    socket.write(connectPacket(5, home.collectorId, home.tokenId, home.token));
    await once(socket, 'data');
    const bytes = once(socket, 'data');
    socket.write(wrong);
    // DISCONNECT with its reason.
    expect([...(await bytes)[0]]).toEqual([0xe0, 2, 0x81, 0]);
    await closed(socket);
    expect(broker.log).toEqual([]);
  }),
);

test('a collector that is silent for longer than its keep alive is lost', () =>
  withBroker({}, async (broker) => {
    const home = await scene.home();
    const socket = await stranger(broker);
    const greeting = connectPacket(4, home.collectorId, home.tokenId, home.token);
    // The keep alive stands behind the name and version of the protocol, and the flags.
    greeting.writeUInt16BE(1, 2 + 8);
    socket.write(greeting);
    const state = async (): Promise<number> =>
      (
        await database.db
          .selectFrom('device')
          .select('state')
          .where('id', '=', home.collectorId)
          .executeTakeFirstOrThrow()
      ).state;
    await once(socket, 'data');
    expect(await state()).toBe(1);
    await closed(socket);
    await expect.poll(state).toBe(2);
  }));

test.each([
  [
    'a second greeting',
    (version: Version, home: Home) =>
      connectPacket(version, home.collectorId, home.tokenId, home.token),
  ],
  ['an answer to nothing', () => packet(0x40, Buffer.from([0, 1]))],
  ['a step of QoS 2', () => packet(0x62, Buffer.from([0, 1]))],
  ['a packet of servers', () => packet(0xd0)],
  [
    'a subscription to nothing',
    (version: Version) => packet(0x82, Buffer.from(version === 5 ? [0, 1, 0] : [0, 1])),
  ],
  [
    'the end of no subscription',
    (version: Version) => packet(0xa2, Buffer.from(version === 5 ? [0, 1, 0] : [0, 1])),
  ],
  ['a topic that is not named', (version: Version) => publishPacket(version, '', '{}', { qos: 0 })],
  [
    'an alias of no topic',
    (version: Version) =>
      publishPacket(
        version,
        '',
        '{}',
        version === 5 ? { properties: Buffer.from([3, 0x23, 0, 1]), qos: 0 } : {},
      ),
  ],
  ['a length of five bytes', () => Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x01])],
])('%s ends the connection, and is no fault of ours', (_, wrong) =>
  withBroker({}, async (broker) => {
    const home = await scene.home();
    for (const version of [4, 5] as const) {
      const greeting = connectPacket(version, home.collectorId, home.tokenId, home.token);
      const socket = await stranger(broker);
      socket.write(greeting);
      await once(socket, 'data');
      socket.write(wrong(version, home));
      await closed(socket);
    }
    expect(broker.log).toEqual([]);
  }),
);

test('tokens that nobody has are limited by network, and valid ones beside them are served', () =>
  withBroker(
    {},
    async (broker) => {
      const [home, other] = [await scene.home(), await scene.home()];
      const wrong = [
        { ...home, token: 'guess' },
        // A valid token under the id of another one.
        { ...home, tokenId: other.tokenId },
      ];
      const codes: unknown[] = [];
      for (let i = 0; i < 12; i++)
        await connectCollector(broker.url, wrong[i % 2]!, 5).catch(({ code }) => codes.push(code));
      expect(codes).toEqual([...Array(8).fill(0x86), ...Array(4).fill(0x9f)]);
      await connectCollector(broker.url, wrong[0]!, 4).catch(({ code }) => codes.push(code));
      expect(codes.at(-1)).toBe(3);
      const collectors = await Promise.all([
        connectCollector(broker.url, home),
        connectCollector(broker.url, other, 4),
      ]);
      for (const collector of collectors) await collector.leave();
    },
    null,
    8,
  ));
