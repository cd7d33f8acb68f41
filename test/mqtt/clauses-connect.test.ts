import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createControlScene, type Home } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { openBroker, type OpenBroker } from './broker-fixture.ts';
import {
  bytes,
  CLEAN,
  greet,
  none,
  properties,
  talkTo,
  text,
  u16,
  USER_AND_PASSWORD,
  type Greeting,
} from './clauses-scene.ts';
import { packet, publishPacket, type Version } from './packets.ts';

// Chapters 2 and 3.1 of MQTT 5.0 and 3.1.1, clause by clause: what a CONNECT is answered. 3.1.1 has few codes; it ends the connection otherwise.

let database: TestDatabase;
let broker: OpenBroker;
let home: Home;
const scene = createControlScene(() => database);
beforeAll(async () => {
  database = await createSqliteDatabase();
  const { db, wakeUps } = database;
  broker = await openBroker({ db, clock: scene.clock, wakeUps });
  home = await scene.home();
});
afterAll(async () => {
  await broker.close();
  await database.drop();
});

/** What is heard until the connection ends. */
async function answersTo(sent: Buffer): Promise<number[][]> {
  const talk = await talkTo(broker.port);
  talk.socket.write(sent);
  await talk.closed;
  return talk.heard();
}

const MALFORMED = 0x81;
const PROTOCOL_ERROR = 0x82;
const WILL = USER_AND_PASSWORD | CLEAN | 0x04;
const ill = Buffer.from([0x78, 0xc3, 0x28]);
const surrogate = Buffer.from([0xed, 0xa0, 0x80]);
const overlong = Buffer.from([0xc0, 0xaf]);
const will = (version: Version, topic: string | Buffer, more = none(version)): Buffer =>
  Buffer.concat([more, text(topic), text('gone')]);

/** Reason in CONNACK of MQTT 5, return code of 3.1.1 (undefined: it is only closed). */
type Row = readonly [
  clause: string,
  greeting: Omit<Greeting, 'version'> | ((version: Version) => Omit<Greeting, 'version'>),
  reason: number | null,
  returnCode?: number | null,
];

// null: the version does not know it.
const rows: readonly Row[] = [
  ['1.5.4-1 a client id that is not UTF-8', { clientId: ill }, MALFORMED],
  ['1.5.4-1 a client id with a surrogate', { clientId: surrogate }, MALFORMED],
  ['1.5.4-1 a client id that is longer than UTF-8 allows', { clientId: overlong }, MALFORMED],
  ['1.5.4-2 a client id with U+0000', { clientId: 'a\0b' }, MALFORMED],
  ['1.5.4-1 a user name that is not UTF-8', { username: ill }, MALFORMED],
  ['2.1.3-1 reserved flags of the packet', { firstByte: 0x11 }, MALFORMED],
  ['3.1.2-3 the reserved flag', { flags: USER_AND_PASSWORD | CLEAN | 1 }, MALFORMED],
  ['3.1.2-11 a QoS without a will', { flags: USER_AND_PASSWORD | CLEAN | 0x08 }, MALFORMED],
  ['3.1.2-13 retaining without a will', { flags: USER_AND_PASSWORD | CLEAN | 0x20 }, MALFORMED],
  [
    '3.1.2-12 a will of QoS 3',
    (version) => ({ flags: WILL | 0x18, will: will(version, 'x') }),
    MALFORMED,
  ],
  ['3.1.2-9 a will that is not there', { flags: WILL }, MALFORMED],
  [
    '3.2.2-12 a will of QoS 2',
    (version) => ({ flags: WILL | 0x10, will: will(version, 'x') }),
    0x9b,
    null,
  ],
  [
    '3.2.2-13 a will that is to be retained',
    (version) => ({ flags: WILL | 0x20, will: will(version, 'x') }),
    0x9a,
    null,
  ],
  ['3.1.3-11 a topic of a will, ill', (v) => ({ flags: WILL, will: will(v, ill) }), MALFORMED],
  ['4.7.3-1 a will without a topic', (v) => ({ flags: WILL, will: will(v, '') }), 0x90],
  ['4.7.1 a will with a wildcard', (v) => ({ flags: WILL, will: will(v, 'a/+') }), 0x90],
  ['2.1.4 a length beyond the contents', { more: bytes(0) }, MALFORMED],
  ['3.1.3-1 a password that ends too early', { password: bytes(0, 9, 1) }, MALFORMED],
  ['3.1.2-16 a user name that is announced and missing', { flags: 0x82, username: '' }, 0x86, 4],
  // 3.1.1 alone.
  ['3.1.2-22 a password without a user name', { flags: 0x42 }, null],
  ['3.1.3-8 no client id for a session that stays', { flags: 0xc0, clientId: '' }, null, 2],
  // 5 alone.
  ['2.2.2 properties beyond the packet', { properties: bytes(120) }, MALFORMED, null],
  ['2.2.2 half a property', { properties: properties(bytes(0x11, 0, 0)) }, MALFORMED, null],
  ['2.2.2.2 an unknown property', { properties: properties(bytes(0x7f, 0)) }, MALFORMED, null],
  [
    '2.2.2.2 a property of another packet',
    { properties: properties(bytes(0x23, 0, 1)) },
    MALFORMED,
    null,
  ],
  [
    '1.5.5-1 a length of properties that is too long',
    { properties: bytes(0x80, 0) },
    MALFORMED,
    null,
  ],
  [
    '3.1.2.11.3 Receive Maximum 0',
    { properties: properties(bytes(0x21, 0, 0)) },
    PROTOCOL_ERROR,
    null,
  ],
  [
    '3.1.2.11.4 Maximum Packet Size 0',
    { properties: properties(bytes(0x27, 0, 0, 0, 0)) },
    PROTOCOL_ERROR,
    null,
  ],
  [
    '3.1.2.11.6 Request Response Information 2',
    { properties: properties(bytes(0x19, 2)) },
    PROTOCOL_ERROR,
    null,
  ],
  [
    '3.1.2.11.7 Request Problem Information 2',
    { properties: properties(bytes(0x17, 2)) },
    PROTOCOL_ERROR,
    null,
  ],
  ...(
    [
      ['3.1.2.11.2 Session Expiry Interval', bytes(0x11, 0, 0, 0, 1)],
      ['3.1.2.11.3 Receive Maximum', bytes(0x21, 0, 1)],
      ['3.1.2.11.4 Maximum Packet Size', bytes(0x27, 0, 1, 0, 0)],
      ['3.1.2.11.5 Topic Alias Maximum', bytes(0x22, 0, 0)],
      ['3.1.2.11.6 Request Response Information', bytes(0x19, 0)],
      ['3.1.2.11.7 Request Problem Information', bytes(0x17, 0)],
      ['3.1.2.11.9 Authentication Method', Buffer.concat([bytes(0x15), text('x')])],
      ['3.1.2.11.10 Authentication Data', Buffer.concat([bytes(0x16), text('x')])],
    ] as const
  ).map(([clause, property]): Row => [
    `${clause} twice`,
    { properties: properties(property, property) },
    PROTOCOL_ERROR,
    null,
  ]),
  [
    '4.12.0-1 an authentication method',
    { properties: properties(bytes(0x15), text('SCRAM-SHA-1')) },
    0x8c,
    null,
  ],
  [
    '3.1.2.11.10 authentication data without a method',
    { properties: properties(bytes(0x16), text('x')) },
    PROTOCOL_ERROR,
    null,
  ],
  [
    '1.5.7 a user property that is not UTF-8',
    { properties: properties(bytes(0x26), text('a'), text(ill)) },
    MALFORMED,
    null,
  ],
  [
    '3.1.3.2 a property of CONNECT with the will',
    (v) => ({ flags: WILL, will: will(v, 'x', properties(bytes(0x21, 0, 9))) }),
    MALFORMED,
    null,
  ],
  [
    '3.1.3.2.2 a delay of the will twice',
    (v) => ({
      flags: WILL,
      will: will(v, 'x', properties(bytes(0x18, 0, 0, 0, 1, 0x18, 0, 0, 0, 1))),
    }),
    PROTOCOL_ERROR,
    null,
  ],
  [
    '3.1.3.2.6 a response topic of the will with a wildcard',
    (v) => ({ flags: WILL, will: will(v, 'x', properties(bytes(0x08), text('a/#'))) }),
    PROTOCOL_ERROR,
    null,
  ],
];

describe.each([4, 5] as const)('a CONNECT of version %i', (version) => {
  const own = rows
    .filter(([, , reason, returnCode]) => (version === 5 ? reason : returnCode) !== null)
    .map(([clause, greeting, reason, returnCode]) => ({ clause, greeting, reason, returnCode }));
  test.each(own)('$clause', async ({ greeting, reason, returnCode }) => {
    const more = typeof greeting === 'function' ? greeting(version) : greeting;
    const answer =
      version === 5
        ? [[0x20, 0, reason, 0]]
        : returnCode === undefined
          ? []
          : [[0x20, 0, returnCode]];
    expect(await answersTo(greet(home, { version, ...more }))).toEqual(answer);
    expect(broker.log).toEqual([]);
  });

  test('3.1.0-1 that is another packet is only closed', async () => {
    for (const other of [packet(0xc0), publishPacket(version, 'MQTT', 'x'), packet(0xf0, bytes(0))])
      expect(await answersTo(other)).toEqual([]);
  });

  test('3.1.4-6 what follows a refused one is not looked at', async () => {
    const refused = greet(home, { version, username: 'nobody' });
    const report = publishPacket(version, `helioport/v1/${home.collectorId}/report`, '{}');
    const answers = await answersTo(Buffer.concat([refused, report, report]));
    expect(answers).toEqual([version === 5 ? [0x20, 0, 0x86, 0] : [0x20, 0, 4]]);
  });

  test('above the limit is refused, with the reason where there is one', async () => {
    const large = greet(home, { version, clientId: 'x'.repeat(60_000) });
    expect(await answersTo(large)).toEqual(version === 5 ? [[0x20, 0, 0x95, 0]] : []);
    expect(await answersTo(large.subarray(0, 20))).toEqual(
      version === 5 ? [[0x20, 0, 0x95, 0]] : [],
    );
  });
});

test.each([1, 3, 6, 255, 0x84, 0x85])(
  '3.1.2-2 protocol level %i is refused as 3.1.1 says, whatever follows it',
  async (level) => {
    for (const version of [4, 5] as const)
      expect(await answersTo(greet(home, { version, level }))).toEqual([[0x20, 0, 1]]);
  },
);

test('3.1.2-1 another protocol is only closed', async () => {
  for (const name of ['mqtt', 'MQTTX', ''])
    expect(await answersTo(greet(home, { version: 5, name }))).toEqual([]);
});

test.each([
  ['2.1.4 a length of five bytes', bytes(0x10, 0xff, 0xff, 0xff, 0xff, 1)],
  ['2.1.2 a type that is reserved', packet(0x00, u16(1))],
  ['4.13 no MQTT at all', Buffer.from('GET / HTTP/1.1\r\nHost: broker\r\n\r\n')],
])('%s in place of a CONNECT', async (_, sent) => {
  expect(await answersTo(sent)).toEqual([]);
  expect(broker.log).toEqual([]);
});

describe('accepted is', () => {
  /** What CONNACK says, after which the connection stays. */
  async function accepted(greeting: Greeting): Promise<number[]> {
    const talk = await talkTo(broker.port);
    talk.socket.write(greet(home, greeting));
    await expect.poll(() => talk.heard().length).toBe(1);
    talk.socket.write(packet(0xc0));
    await expect.poll(() => talk.heard().at(-1)).toEqual([0xd0]);
    talk.socket.destroy();
    await talk.closed;
    return talk.heard()[0]!;
  }

  test.each([
    ['MQTT 3.1.1', { version: 4 }],
    ['MQTT 3.1', { version: 4, name: 'MQIsdp', level: 3 }],
    ['3.1.3-6 no client id', { version: 4, clientId: '' }],
    [
      'a will of QoS 2 that is to be retained',
      { version: 4, flags: WILL | 0x30, will: will(4, 'x') },
    ],
    ['a session that stays, which is not kept', { version: 4, flags: 0xc0 }],
  ] as const)('with 3.1.1: %s', async (_, greeting) => {
    // [MQTT-3.2.2-2], [MQTT-3.2.2-3]
    expect(await accepted(greeting)).toEqual([0x20, 0, 0]);
  });

  test.each([
    ['nothing but the needful', { version: 5 }],
    [
      'all properties that there are',
      {
        version: 5,
        properties: properties(
          bytes(0x11, 0, 0, 1, 0, 0x21, 0, 1, 0x27, 0, 0, 1, 0, 0x22, 0, 9, 0x19, 1, 0x17, 0),
          bytes(0x26),
          text('a'),
          text('b'),
          bytes(0x26),
          text('a'),
          text('b'),
        ),
      },
    ],
    ['1.5.4-3 a client id with a byte order mark', { version: 5, clientId: '\ufeffx' }],
    ['a will of QoS 1', { version: 5, flags: WILL | 0x08, will: will(5, 'x') }],
  ] as const)('with 5: %s', async (_, greeting) => {
    const connack = await accepted(greeting);
    expect(connack.slice(0, 3)).toEqual([0x20, 0, 0]);
    // Session expiry 0, Maximum QoS 1, no retained messages, Maximum Packet Size 1 MiB, no shared subscriptions.
    expect(connack.slice(3)).toEqual([
      16, 0x11, 0, 0, 0, 0, 0x24, 1, 0x25, 0, 0x27, 0, 0x10, 0, 0, 0x2a, 0,
    ]);
  });

  test('3.1.3-7 with 5, without a client id: it learns which it has', async () => {
    const connack = await accepted({ version: 5, clientId: '' });
    expect(Buffer.from(connack).includes(home.collectorId)).toBe(true);
  });
});
