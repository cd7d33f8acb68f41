import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createControlScene } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { openBroker, type OpenBroker } from './broker-fixture.ts';
import { connectCollector, type MqttCollector } from './collector.ts';
import { connectPacket, packet } from './packets.ts';
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
async function stranger({ port }: OpenBroker): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket.resume();
}
const closed = (socket: Socket): Promise<unknown> => (socket.closed ? Promise.resolve() : once(socket, 'close'));

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

test('a second greeting, an answer to nothing and a packet of servers end the connection', () =>
  withBroker({}, async (broker) => {
    const home = await scene.home();
    const greeting = connectPacket(4, home.collectorId, home.tokenId, home.token);
    for (const wrong of [greeting, packet(0x40, Buffer.from([0, 1])), packet(0x62, Buffer.from([0, 1])), packet(0xd0), packet(0x20, Buffer.from([0, 0]))]) {
      const socket = await stranger(broker);
      socket.write(greeting);
      await once(socket, 'data');
      socket.write(wrong);
      await closed(socket);
    }
  }));
