import type { PacketBytes } from './packet-bytes.ts';
import { malformed, protocolError } from './violation.ts';

/** Packets of a client that have properties, the last will among them. */
export type PropertyHolder =
  | 'connect'
  | 'will'
  | 'publish'
  | 'subscribe'
  | 'unsubscribe'
  | 'disconnect';

interface Property {
  readonly name: string;
  readonly read: (bytes: PacketBytes) => unknown;
  readonly in: readonly PropertyHolder[];
  /** What is wrong with a value of the right type. */
  readonly fault?: (value: never) => string | undefined;
}

const byte = (bytes: PacketBytes): number => bytes.byte();
const twoBytes = (bytes: PacketBytes): number => bytes.twoBytes();
const fourBytes = (bytes: PacketBytes): number => bytes.fourBytes();
const text = (bytes: PacketBytes): string => bytes.text();
const binary = (bytes: PacketBytes): Buffer => bytes.binary();
const zeroOrOne = (value: number): string | undefined =>
  value > 1 ? 'is neither 0 nor 1' : undefined;
const positive = (value: number): string | undefined => (value === 0 ? 'is 0' : undefined);

/** May occur any number of times; the others only once. */
const USER_PROPERTY = 0x26;

/** Those that a client may send (MQTT 5, 2.2.2.2). */
const PROPERTIES: Readonly<Record<number, Property>> = {
  0x01: { name: 'payloadFormat', read: byte, in: ['publish', 'will'], fault: zeroOrOne },
  0x02: { name: 'messageExpiry', read: fourBytes, in: ['publish', 'will'] },
  0x03: { name: 'contentType', read: text, in: ['publish', 'will'] },
  0x08: {
    name: 'responseTopic',
    read: text,
    in: ['publish', 'will'],
    // [MQTT-3.3.2-14]
    fault: (topic: string) => (/[#+]/.test(topic) ? 'has a wildcard' : undefined),
  },
  0x09: { name: 'correlationData', read: binary, in: ['publish', 'will'] },
  0x0b: {
    name: 'subscriptionIdentifier',
    read: (bytes) => bytes.integer(),
    in: ['subscribe'],
    fault: positive,
  },
  0x11: { name: 'sessionExpiry', read: fourBytes, in: ['connect', 'disconnect'] },
  0x15: { name: 'authenticationMethod', read: text, in: ['connect'] },
  0x16: { name: 'authenticationData', read: binary, in: ['connect'] },
  0x17: { name: 'requestProblemInformation', read: byte, in: ['connect'], fault: zeroOrOne },
  0x18: { name: 'willDelay', read: fourBytes, in: ['will'] },
  0x19: { name: 'requestResponseInformation', read: byte, in: ['connect'], fault: zeroOrOne },
  0x1f: { name: 'reasonString', read: text, in: ['disconnect'] },
  0x21: { name: 'receiveMaximum', read: twoBytes, in: ['connect'], fault: positive },
  0x22: { name: 'topicAliasMaximum', read: twoBytes, in: ['connect'] },
  0x23: { name: 'topicAlias', read: twoBytes, in: ['publish'] },
  [USER_PROPERTY]: {
    name: 'userProperty',
    read: (bytes) => [bytes.text(), bytes.text()],
    in: ['connect', 'will', 'publish', 'subscribe', 'unsubscribe', 'disconnect'],
  },
  0x27: { name: 'maximumPacketSize', read: fourBytes, in: ['connect'], fault: positive },
};

/** The properties that mean something to the broker. */
export interface Properties {
  readonly sessionExpiry?: number;
  readonly authenticationMethod?: string;
  readonly authenticationData?: Buffer;
  readonly maximumPacketSize?: number;
  readonly topicAlias?: number;
  readonly subscriptionIdentifier?: number;
}

/** Properties that a message from a client must not have, although messages may [MQTT-3.3.4-6]. */
const FROM_SERVERS_ALONE = 0x0b;

/** Reads the properties of a packet of MQTT 5. Throws Violation. */
export function readProperties(bytes: PacketBytes, holder: PropertyHolder): Properties {
  const section = bytes.section();
  const found: Record<string, unknown> = {};
  while (!section.isAtEnd) {
    const id = section.integer();
    if (id === FROM_SERVERS_ALONE && holder === 'publish')
      throw protocolError('a message of a client has a subscription identifier');
    const property = PROPERTIES[id];
    if (!property?.in.includes(holder)) throw malformed(`property ${id} has no place here`);
    const { name, read, fault } = property;
    const value = read(section);
    if (id !== USER_PROPERTY && name in found) throw protocolError(`${name} occurs twice`);
    const wrong = fault?.(value as never);
    if (wrong !== undefined) throw protocolError(`${name} ${wrong}`);
    found[name] = value;
  }
  return found;
}
