import { collectorTopic } from '@helioport/contract';
import { connectAsync, type IDisconnectPacket, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createControlScene, type Home } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { openBroker, type OpenBroker } from './broker-fixture.ts';
import { bytes, greet, none, properties, talkTo, text, u16, type Talk } from './clauses-scene.ts';
import { connectPacket, packet, publishPacket, subscribePacket, type Version } from './packets.ts';

// Chapters 2, 3.2 to 3.15 and 4 of MQTT 5.0 and 3.1.1, clause by clause: what becomes of a connection that is established.

let database: TestDatabase;
let broker: OpenBroker;
let home: Home;
let report: string;
let ack: string;
const scene = createControlScene(() => database);
beforeAll(async () => {
  database = await createSqliteDatabase();
  const { db, wakeUps } = database;
  broker = await openBroker({ db, clock: scene.clock, wakeUps });
  home = await scene.home();
  report = collectorTopic(home.collectorId, 'report');
  ack = collectorTopic(home.collectorId, 'ack');
});
afterAll(async () => {
  await broker.close();
  await database.drop();
});

async function connected(
  version: Version,
  more: Partial<Parameters<typeof greet>[1]> = {},
): Promise<Talk> {
  const talk = await talkTo(broker.port);
  talk.socket.write(greet(home, { version, ...more }));
  await expect.poll(() => talk.heard().length).toBe(1);
  return talk;
}

const MALFORMED = 0x81;
const PROTOCOL_ERROR = 0x82;
const TOO_LARGE = 0x95;
const ill = Buffer.from([0x78, 0xc3, 0x28]);
const message = (version: Version, more: Parameters<typeof publishPacket>[3] = {}): Buffer =>
  publishPacket(version, report, '{"readings":[]}', more);
const subscribe = (version: Version, ...body: Buffer[]): Buffer =>
  packet(0x82, u16(7), none(version), ...body);

type Row = readonly [clause: string, sent: (version: Version) => Buffer, reason: number];

/** What ends the connection in both versions; MQTT 5 tells the reason. */
const both: readonly Row[] = [
  ['2.1.2-1 the reserved type 0', () => packet(0x00, u16(1)), MALFORMED],
  ['2.1.3-1 flags of SUBSCRIBE', (v) => packet(0x80, subscribe(v).subarray(2)), MALFORMED],
  ['2.1.3-1 flags of UNSUBSCRIBE', (v) => packet(0xa0, u16(1), none(v), text('a')), MALFORMED],
  ['2.1.3-1 flags of PINGREQ', () => packet(0xc1), MALFORMED],
  ['2.1.3-1 flags of DISCONNECT', () => packet(0xe1), MALFORMED],
  ['2.1.3-1 flags of PUBREL', () => packet(0x60, u16(1)), MALFORMED],
  ['2.1.3-1 flags of PUBACK', () => packet(0x48, u16(1)), MALFORMED],
  ['2.1.4 a length of five bytes', () => bytes(0x30, 0xff, 0xff, 0xff, 0xff, 1), MALFORMED],
  [
    '2.1.4 a length of five bytes, of which the last is none',
    () => bytes(0xc0, 0x80, 0x80, 0x80, 0x80, 0),
    MALFORMED,
  ],
  [
    '3.1.0-2 a second CONNECT',
    (v) => connectPacket(v, '', home.tokenId, home.token),
    PROTOCOL_ERROR,
  ],
  ['3.2 a CONNACK', () => packet(0x20, u16(0)), PROTOCOL_ERROR],
  ['3.3.1-4 QoS 3', (v) => packet(0x36, text('a'), u16(1), none(v)), MALFORMED],
  ['3.3.1-2 a duplicate of QoS 0', (v) => message(v, { qos: 0, flags: 8 }), MALFORMED],
  ['3.3.2-1 no topic at all', () => packet(0x30), MALFORMED],
  ['3.3.2-1 a topic beyond the packet', () => packet(0x30, bytes(0, 9, 0x78)), MALFORMED],
  ['1.5.4-1 a topic that is not UTF-8', (v) => publishPacket(v, ill, '{}'), MALFORMED],
  [
    '1.5.4-1 a topic with a surrogate',
    (v) => publishPacket(v, Buffer.from([0xed, 0xbf, 0xbf]), '{}'),
    MALFORMED,
  ],
  ['1.5.4-2 a topic with U+0000', (v) => publishPacket(v, `${report}\0`, '{}'), MALFORMED],
  ['3.3.2-2 a topic with +', (v) => publishPacket(v, 'helioport/v1/+/report', '{}'), MALFORMED],
  ['3.3.2-2 a topic with #', (v) => publishPacket(v, 'helioport/#', '{}'), MALFORMED],
  ['4.7.3-1 an empty topic', (v) => publishPacket(v, '', '{}'), PROTOCOL_ERROR],
  ['2.2.1-3 packet identifier 0 of PUBLISH', (v) => message(v, { messageId: 0 }), PROTOCOL_ERROR],
  ['3.3.2 half a packet identifier', () => packet(0x32, text(report), bytes(0)), MALFORMED],
  ['3.2.2-11 QoS 2', (v) => message(v, { qos: 2 }), 0x9b],
  ['3.4 a PUBACK for nothing', () => packet(0x40, u16(1)), PROTOCOL_ERROR],
  ['3.5 a PUBREC for nothing', () => packet(0x50, u16(1)), PROTOCOL_ERROR],
  ['3.6 a PUBREL for nothing', () => packet(0x62, u16(1)), PROTOCOL_ERROR],
  ['3.7 a PUBCOMP for nothing', () => packet(0x70, u16(1)), PROTOCOL_ERROR],
  ['3.8.3-2 a subscription to nothing', (v) => subscribe(v), PROTOCOL_ERROR],
  [
    '2.2.1-3 packet identifier 0 of SUBSCRIBE',
    (v) => packet(0x82, u16(0), none(v), text('a'), bytes(0)),
    PROTOCOL_ERROR,
  ],
  ['3.8.2 a SUBSCRIBE without a packet identifier', () => packet(0x82), MALFORMED],
  ['3.8.3-1 a filter without options', (v) => subscribe(v, text('a')), MALFORMED],
  ['1.5.4-1 a filter that is not UTF-8', (v) => subscribePacket(v, ill), MALFORMED],
  ['1.5.4-2 a filter with U+0000', (v) => subscribePacket(v, 'a\0'), MALFORMED],
  ['4.7.3-1 an empty filter', (v) => subscribePacket(v, ''), MALFORMED],
  ['4.7.1-1 # before the end', (v) => subscribePacket(v, 'a/#/b'), MALFORMED],
  ['4.7.1-1 # beside something', (v) => subscribePacket(v, 'a#'), MALFORMED],
  ['4.7.1-2 + beside something', (v) => subscribePacket(v, 'a/b+'), MALFORMED],
  ['3.8.3-5 reserved options', (v) => subscribe(v, text(ack), bytes(0x80)), MALFORMED],
  ['3.9 a SUBACK', () => packet(0x90, u16(1), bytes(0)), PROTOCOL_ERROR],
  ['3.10.3-2 the end of no subscription', (v) => packet(0xa2, u16(1), none(v)), PROTOCOL_ERROR],
  [
    '2.2.1-3 packet identifier 0 of UNSUBSCRIBE',
    (v) => packet(0xa2, u16(0), none(v), text('a')),
    PROTOCOL_ERROR,
  ],
  [
    '4.7.3-1 an empty filter of UNSUBSCRIBE',
    (v) => packet(0xa2, u16(1), none(v), text('')),
    MALFORMED,
  ],
  [
    '3.10.3-1 half a filter of UNSUBSCRIBE',
    (v) => packet(0xa2, u16(1), none(v), bytes(0, 4, 0x61)),
    MALFORMED,
  ],
  ['3.11 an UNSUBACK', () => packet(0xb0, u16(1)), PROTOCOL_ERROR],
  ['3.12 a PINGREQ with something in it', () => packet(0xc0, bytes(0)), MALFORMED],
  ['3.13 a PINGRESP', () => packet(0xd0), PROTOCOL_ERROR],
  [
    '3.1.2-24 a PUBLISH above the limit',
    (v) => publishPacket(v, report, 'x'.repeat(1024 * 1024)),
    TOO_LARGE,
  ],
  [
    '3.1.2-24 a PUBLISH far above the limit',
    (v) => publishPacket(v, report, Buffer.alloc(8_000_000)),
    TOO_LARGE,
  ],
  ['3.2.2.3.6 a SUBSCRIBE of 5 kB', (v) => subscribePacket(v, 'x'.repeat(5_000)), TOO_LARGE],
  [
    '3.2.2.3.6 an UNSUBSCRIBE of 5 kB',
    (v) => packet(0xa2, u16(1), none(v), text('x'.repeat(5_000))),
    TOO_LARGE,
  ],
];

/** What ends the connection with MQTT 5 alone. */
const five: readonly Row[] = [
  ['1.5.5-1 a length that is longer than needed', () => bytes(0xc0, 0x80, 0), MALFORMED],
  [
    '1.5.5 properties whose length has five bytes',
    () => message(5, { properties: bytes(0xff, 0xff, 0xff, 0xff, 1) }),
    MALFORMED,
  ],
  ['2.2.2 a PUBLISH without properties', () => packet(0x30, text(report)), MALFORMED],
  ['2.2.2 properties beyond the packet', () => packet(0x30, text(report), bytes(9, 1)), MALFORMED],
  [
    '2.2.2.2 a property of CONNECT in PUBLISH',
    () => message(5, { properties: properties(bytes(0x21, 0, 9)) }),
    MALFORMED,
  ],
  [
    '2.2.2.2 an unknown property',
    () => message(5, { properties: properties(bytes(0x50, 1)) }),
    MALFORMED,
  ],
  [
    '2.2.2.2 a value that is too short',
    () => message(5, { properties: properties(bytes(2, 0, 0)) }),
    MALFORMED,
  ],
  ...(
    [
      ['3.3.2.3.2 Payload Format Indicator', bytes(1, 0)],
      ['3.3.2.3.3 Message Expiry Interval', bytes(2, 0, 0, 0, 9)],
      ['3.3.2.3.4 Topic Alias', bytes(0x23, 0, 1)],
      ['3.3.2.3.5 Response Topic', Buffer.concat([bytes(8), text('a')])],
      ['3.3.2.3.6 Correlation Data', Buffer.concat([bytes(9), text('a')])],
      ['3.3.2.3.9 Content Type', Buffer.concat([bytes(3), text('a')])],
    ] as const
  ).map(([clause, property]): Row => [
    `${clause} twice`,
    () => message(5, { properties: properties(property, property) }),
    PROTOCOL_ERROR,
  ]),
  [
    '3.3.2.3.2 Payload Format Indicator 2',
    () => message(5, { properties: properties(bytes(1, 2)) }),
    PROTOCOL_ERROR,
  ],
  [
    '3.3.2-14 a response topic with a wildcard',
    () => message(5, { properties: properties(bytes(8), text('a/+')) }),
    PROTOCOL_ERROR,
  ],
  [
    '1.5.4-1 a content type that is not UTF-8',
    () => message(5, { properties: properties(bytes(3), text(ill)) }),
    MALFORMED,
  ],
  [
    '3.3.4-6 a subscription identifier of a client',
    () => message(5, { properties: properties(bytes(0x0b, 1)) }),
    PROTOCOL_ERROR,
  ],
  ['3.3.2-8 Topic Alias 0', () => message(5, { properties: properties(bytes(0x23, 0, 0)) }), 0x94],
  [
    '3.3.2-9 a Topic Alias, where there are none',
    () => message(5, { properties: properties(bytes(0x23, 0, 1)) }),
    0x94,
  ],
  [
    '3.3.2-7 a Topic Alias in place of a topic',
    () => publishPacket(5, '', '{}', { properties: properties(bytes(0x23, 0, 1)) }),
    0x94,
  ],
  ['3.2.2-14 a message to be retained', () => message(5, { flags: 1 }), 0x9a],
  [
    '3.8.2.1.2 Subscription Identifier 0',
    () => packet(0x82, u16(1), properties(bytes(0x0b, 0)), text(ack), bytes(0)),
    PROTOCOL_ERROR,
  ],
  [
    '3.8.2.1.2 Subscription Identifier twice',
    () => packet(0x82, u16(1), properties(bytes(0x0b, 1, 0x0b, 2)), text(ack), bytes(0)),
    PROTOCOL_ERROR,
  ],
  [
    '2.2.2.2 a property of PUBLISH in SUBSCRIBE',
    () => packet(0x82, u16(1), properties(bytes(1, 0)), text(ack), bytes(0)),
    MALFORMED,
  ],
  ['3.8.3.1 a subscription of QoS 3', () => subscribe(5, text(ack), bytes(3)), PROTOCOL_ERROR],
  ['3.8.3.1 retain handling 3', () => subscribe(5, text(ack), bytes(0x30)), PROTOCOL_ERROR],
  [
    '3.8.3-4 no local messages of a shared subscription',
    () => subscribe(5, text(`$share/a/${ack}`), bytes(4)),
    PROTOCOL_ERROR,
  ],
  ['3.2.2.3.13 a shared subscription', () => subscribe(5, text(`$share/a/${ack}`), bytes(0)), 0x9e],
  [
    '2.2.2.2 a subscription identifier in UNSUBSCRIBE',
    () => packet(0xa2, u16(1), properties(bytes(0x0b, 1)), text(ack)),
    MALFORMED,
  ],
  ['3.14.2.1 a reason of servers', () => packet(0xe0, bytes(0x8b)), MALFORMED],
  ['3.14.2.1 a reason that there is not', () => packet(0xe0, bytes(0x05)), MALFORMED],
  [
    '3.14.2.2 a server reference of a client',
    () => packet(0xe0, bytes(0), properties(bytes(0x1c), text('x'))),
    MALFORMED,
  ],
  [
    '3.14.2.2.2 an expiry of a session that has none',
    () => packet(0xe0, bytes(0), properties(bytes(0x11, 0, 0, 0, 9))),
    PROTOCOL_ERROR,
  ],
  ['4.12.0-6 an AUTH where no method was named', () => packet(0xf0), PROTOCOL_ERROR],
  ['2.1.3-1 flags of AUTH', () => packet(0xf1), MALFORMED],
];

const four: readonly Row[] = [
  ['2.2.1 the reserved type 15', () => packet(0xf0), 0],
  ['3-8.3-4 a subscription of QoS 3', () => subscribe(4, text(ack), bytes(3)), 0],
  ['3-8.3-4 options of MQTT 5', () => subscribe(4, text(ack), bytes(0x10)), 0],
  ['3.14.1-1 a DISCONNECT with something in it', () => packet(0xe0, bytes(0)), 0],
];

describe.each([4, 5] as const)('with version %i', (version) => {
  test.each([...both, ...(version === 5 ? five : four)])(
    '%s ends the connection, and MQTT 5 learns why',
    async (_, sent, reason) => {
      const talk = await connected(version);
      talk.socket.write(sent(version));
      await talk.closed;
      expect(talk.heard().slice(1)).toEqual(version === 5 ? [[0xe0, reason, 0]] : []);
      // A packet that is none is no fault of ours.
      expect(broker.log).toEqual([]);
    },
  );

  test('4.13.1-1 what follows is not looked at', async () => {
    const talk = await connected(version);
    talk.socket.write(
      Buffer.concat([packet(0xc1), packet(0xc0), message(version), message(version)]),
    );
    await talk.closed;
    expect(talk.heard().slice(1)).toEqual(version === 5 ? [[0xe0, MALFORMED, 0]] : []);
  });

  test('3.1.2-22 silence for one and a half times the keep alive', async () => {
    const talk = await connected(version, { keepAlive: 1 });
    const since = performance.now();
    await talk.closed;
    expect(performance.now() - since).toBeGreaterThan(1_400);
    expect(talk.heard().slice(1)).toEqual(version === 5 ? [[0xe0, 0x8d, 0]] : []);
  });

  test('3.14.4 a DISCONNECT in the shortest form, and a sign of life before it', async () => {
    const talk = await connected(version);
    talk.socket.write(Buffer.concat([packet(0xc0), packet(0xe0)]));
    await talk.closed;
    expect(talk.heard().slice(1)).toEqual([[0xd0]]);
  });

  test('4.6.0-2 messages are acknowledged in their order, also many at a time', async () => {
    const talk = await connected(version);
    const all = Array.from({ length: 40 }, (_, i) => message(version, { messageId: i + 1 }));
    talk.socket.write(Buffer.concat(all));
    await expect.poll(() => talk.heard().length).toBe(41);
    expect(
      talk
        .heard()
        .slice(1)
        .map(([, , low]) => low),
    ).toEqual(all.map((_, i) => i + 1));
    talk.socket.destroy();
  });
});

test('2.1.4 with 3.1.1, a length may be longer than needed', async () => {
  const talk = await connected(4);
  talk.socket.write(bytes(0xc0, 0x80, 0));
  await expect.poll(() => talk.heard().at(-1)).toEqual([0xd0]);
  talk.socket.destroy();
});

test('3.14.2 reasons, properties and an expiry of a session that has one are taken', async () => {
  for (const [greeting, farewell] of [
    [{}, packet(0xe0, bytes(0x04))],
    [{}, packet(0xe0, bytes(0x00), properties(bytes(0x1f), text('bye')))],
    [
      { properties: properties(bytes(0x11, 0, 0, 0, 9)) },
      packet(0xe0, bytes(0), properties(bytes(0x11, 0, 0, 0, 9))),
    ],
  ] as const) {
    const talk = await connected(5, greeting);
    talk.socket.write(farewell);
    await talk.closed;
    expect(talk.heard()).toHaveLength(1);
  }
});

test('3.3.4-3 messages carry the identifier of their subscription, until it is replaced', async () => {
  const talk = await connected(5);
  const ask = (...identifier: number[]): Buffer =>
    packet(0x82, u16(1), properties(bytes(...identifier)), text(ack), bytes(0));
  const heardOf = async (sent: Buffer, count: number): Promise<number[][]> => {
    const before = talk.heard().length;
    talk.socket.write(sent);
    await expect.poll(() => talk.heard().length).toBe(before + count);
    return talk.heard().slice(before);
  };
  const say = publishPacket(5, report, 'x');
  const reasons = async (): Promise<number[]> => {
    const [publish] = await heardOf(say, 2);
    const at = 1 + 2 + ack.length;
    return publish!.slice(at, at + 1 + publish![at]!);
  };
  await heardOf(ask(0x0b, 0x81, 0x01), 1);
  expect(await reasons()).toEqual([3, 0x0b, 0x81, 0x01]);
  await heardOf(ask(0x0b, 0x07), 1);
  expect(await reasons()).toEqual([2, 0x0b, 0x07]);
  await heardOf(ask(), 1);
  expect(await reasons()).toEqual([0]);
  talk.socket.destroy();
});

test('3.1.2-24 a message that is larger than the client allows is dropped, and nothing else', async () => {
  const talk = await connected(5, { properties: properties(bytes(0x27, 0, 0, 0, 40)) });
  talk.socket.write(Buffer.concat([subscribePacket(5, ack), publishPacket(5, report, 'x')]));
  await expect.poll(() => talk.heard().at(-1)?.[0]).toBe(0x40);
  expect(talk.heard().map(([first]) => first)).toEqual([0x20, 0x90, 0x40]);
  talk.socket.destroy();
});

test('3.14.0-1 there is no DISCONNECT before the CONNACK, also when the broker stops', async () => {
  const { db, wakeUps } = database;
  const stopping = await openBroker({ db, clock: scene.clock, wakeUps });
  const talk = await talkTo(stopping.port);
  const held = Promise.withResolvers<void>();
  const holding = db.transaction().execute(() => held.promise);
  talk.socket.write(greet(home, { version: 5 }));
  // Another connection that is refused shows that the first has been read.
  const other = await talkTo(stopping.port);
  other.socket.write(packet(0xc0));
  await other.closed;
  const stopped = stopping.close();
  await talk.closed;
  held.resolve();
  await Promise.all([holding, stopped]);
  expect(talk.heard()).toEqual([[0x20, 0, 0x88, 0]]);
});

describe('a client of somebody else', () => {
  const options = () => ({
    protocolVersion: 5 as const,
    clientId: home.collectorId,
    username: home.tokenId,
    password: home.token,
    reconnectPeriod: 0,
  });

  test.each([
    [
      'that sends too much learns so',
      (client: MqttClient) => client.publish(report, Buffer.alloc(3_000_000), { qos: 1 }),
      TOO_LARGE,
    ],
    [
      'that subscribes with too long a filter learns so',
      (client: MqttClient) => client.subscribe('x'.repeat(5_000), () => {}),
      TOO_LARGE,
    ],
    [
      'that publishes with QoS 2 learns so',
      (client: MqttClient) => client.publish(report, '{}', { qos: 2 }),
      0x9b,
    ],
  ] as [string, (client: MqttClient) => unknown, number][])('%s', async (_, wrong, reason) => {
    const client = await connectAsync(broker.url, options(), false);
    client.on('error', () => {});
    const disconnected = new Promise<IDisconnectPacket>((resolve) =>
      client.once('disconnect', resolve),
    );
    wrong(client);
    expect((await disconnected).reasonCode).toBe(reason);
    await client.endAsync(true);
  });

  test('that names an authentication method is refused', () =>
    expect(
      connectAsync(
        broker.url,
        {
          ...options(),
          properties: { authenticationMethod: 'x', authenticationData: Buffer.from('y') },
        },
        false,
      ),
    ).rejects.toMatchObject({ code: 0x8c }));
});
