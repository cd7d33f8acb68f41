import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createControlScene, type Home } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { openBroker, type OpenBroker } from './broker-fixture.ts';
import { connectCollector, type MqttCollector } from './collector.ts';
import { connectPacket, packet, publishPacket, type Version } from './packets.ts';
import type { BrokerLimits } from '../../packages/server/src/edges/mqtt/broker.ts';

let database: TestDatabase;
const scene = createControlScene(() => database);
beforeAll(async () => {
  database = await createSqliteDatabase();
});
afterAll(() => database.drop());

async function withBroker(limits: Partial<BrokerLimits>, work: (broker: OpenBroker) => Promise<void>): Promise<void> {
  const broker = await openBroker({ db: database.db, clock: scene.clock, wakeUps: database.wakeUps }, { limits });
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
const closed = (socket: Socket): Promise<void> => (socket.closed ? Promise.resolve() : new Promise((resolve) => void socket.once('close', () => resolve())));

test('whoever says nothing, or not enough, is disconnected', () =>
  withBroker({ greetingMs: 100 }, async (broker) => {
    const [silent, slow] = [await stranger(broker), await stranger(broker)];
    slow.write(Buffer.from([0x10, 0x7f, 0]));
    const trickle = setInterval(() => slow.write(Buffer.from([0])), 20);
    await Promise.all([closed(silent), closed(slow)]);
    clearInterval(trickle);
  }));

test('a stranger may not send much, nor anything but a greeting', () =>
  withBroker({}, async (broker) => {
    const large = await stranger(broker);
    // Only its header has arrived.
    large.write(packet(0x10, Buffer.alloc(5_000)).subarray(0, 3));
    await closed(large);
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
    for (let i = 0; i < 3; i++) collectors.push(await connectCollector(broker.url, await scene.home()));
    for (const collector of collectors) await collector.leave();
  }));

test('many that connect at once from one network delay another network by a few only', () =>
  withBroker({}, async (broker) => {
    const [fleet, other] = [await scene.home(), await scene.home()];
    const sockets = await Promise.all(Array.from({ length: 200 }, () => stranger(broker)));
    const [last, rude] = [await stranger(broker, '127.0.0.2'), await stranger(broker)];
    // Some are taken over before they are answered.
    const served = Promise.all([...sockets, last].map((socket) => Promise.race([once(socket, 'data'), once(socket, 'close')])));
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
    const ids = await database.db.selectFrom('collectorConnection').select(['collectorId', 'id']).execute();
    const idOf = (home: Home): string => ids.find(({ collectorId }) => collectorId === home.collectorId)!.id;
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

test('a collector that is silent for longer than its keep alive is lost', () =>
  withBroker({}, async (broker) => {
    const home = await scene.home();
    const socket = await stranger(broker);
    const greeting = connectPacket(4, home.collectorId, home.tokenId, home.token);
    // The keep alive stands behind the name and version of the protocol, and the flags.
    greeting.writeUInt16BE(1, 2 + 8);
    socket.write(greeting);
    const state = async (): Promise<number> =>
      (await database.db.selectFrom('device').select('state').where('id', '=', home.collectorId).executeTakeFirstOrThrow()).state;
    await once(socket, 'data');
    expect(await state()).toBe(1);
    await closed(socket);
    await expect.poll(state).toBe(2);
  }));

test.each([
  ['a second greeting', (version: Version, home: Home) => connectPacket(version, home.collectorId, home.tokenId, home.token)],
  ['an answer to nothing', () => packet(0x40, Buffer.from([0, 1]))],
  ['a step of QoS 2', () => packet(0x62, Buffer.from([0, 1]))],
  ['a packet of servers', () => packet(0xd0)],
  ['a subscription to nothing', (version: Version) => packet(0x82, Buffer.from(version === 5 ? [0, 1, 0] : [0, 1]))],
  ['the end of no subscription', (version: Version) => packet(0xa2, Buffer.from(version === 5 ? [0, 1, 0] : [0, 1]))],
  ['a topic that is not named', (version: Version) => publishPacket(version, '', '{}', { qos: 0 })],
  ['an alias of no topic', (version: Version) => publishPacket(version, '', '{}', version === 5 ? { properties: Buffer.from([3, 0x23, 0, 1]), qos: 0 } : {})],
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
