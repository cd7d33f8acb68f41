import { PacketBytes } from './packet-bytes.ts';
import { readProperties, type Properties } from './properties.ts';
import type { Reason } from './reasons.ts';
import { isTopicName } from './topics.ts';
import { malformed, protocolError, Violation } from './violation.ts';

export type Version = 4 | 5;

/** A CONNECT. */
export interface Connect {
  readonly cmd: 'connect';
  readonly version: Version;
  readonly clientId: string;
  readonly username?: string;
  readonly password?: Buffer;
  readonly keepAliveSeconds: number;
  readonly properties: Properties;
}

/** The protocol names and levels that are understood; MQTT 3.1 differs from 3.1.1 in nothing that matters here. */
const LEVELS: Readonly<Record<string, Version>> = { 'MQIsdp 3': 4, 'MQTT 4': 4, 'MQTT 5': 5 };

const CONNECT = 1;

/** The version of MQTT that a peer speaks, from the first bytes of its CONNECT; undefined if they do not tell, or it is an unknown one. */
export function versionOf(frame: Buffer): Version | undefined {
  const lengthAt = frame.indexOf('MQ') - 2;
  if (frame[0]! >> 4 !== CONNECT || lengthAt < 2 || lengthAt > 5) return undefined;
  try {
    const bytes = new PacketBytes(frame, lengthAt);
    return LEVELS[`${bytes.text()} ${bytes.byte()}`];
  } catch {
    return undefined;
  }
}

/** Reads the body of a CONNECT (3.1). Throws Violation. */
export function readConnect(bytes: PacketBytes): Connect {
  const name = bytes.text();
  const level = bytes.byte();
  const version = LEVELS[`${name} ${level}`];
  if (version === undefined)
    throw name === 'MQTT'
      ? new Violation('unsupportedVersion', `the protocol level is ${level}`)
      : malformed('this is not MQTT');
  const flags = bytes.byte();
  const isClean = (flags & 0x02) !== 0;
  const hasWill = (flags & 0x04) !== 0;
  const willQos = (flags >> 3) & 3;
  const willRetain = (flags & 0x20) !== 0;
  const hasPassword = (flags & 0x40) !== 0;
  const hasUsername = (flags & 0x80) !== 0;
  // [MQTT-3.1.2-3]
  if (flags & 0x01) throw malformed('the reserved flag is set');
  // [MQTT-3.1.2-11] to [MQTT-3.1.2-15]
  if (willQos === 3 || (!hasWill && (willQos > 0 || willRetain)))
    throw malformed('the flags of the last will contradict each other');
  // [MQTT-3.1.2-22] of 3.1.1
  if (version === 4 && hasPassword && !hasUsername)
    throw malformed('there is a password and no user name');
  const keepAliveSeconds = bytes.twoBytes();
  const properties = version === 5 ? readProperties(bytes, 'connect') : {};
  const { authenticationMethod, authenticationData } = properties;
  if (authenticationData && authenticationMethod === undefined)
    throw protocolError('there is authentication data without a method');
  const clientId = bytes.text();
  if (hasWill) readWill(bytes, version);
  const username = hasUsername ? bytes.text() : undefined;
  const password = hasPassword ? bytes.binary() : undefined;
  bytes.end();
  const refusal = refusalOf();
  if (refusal) throw new Violation(refusal, 'the broker does not do that');
  return {
    cmd: 'connect',
    version,
    clientId,
    keepAliveSeconds,
    properties,
    ...(username !== undefined && { username }),
    ...(password && { password }),
  };

  /** What the broker announces not to do; with 3.1.1, where nothing is announced, a last will is ignored like any other. */
  function refusalOf(): Reason | undefined {
    // [MQTT-3.1.3-8] of 3.1.1
    if (version === 4) return clientId === '' && !isClean ? 'clientIdInvalid' : undefined;
    // [MQTT-4.12.0-1]
    if (authenticationMethod !== undefined) return 'badAuthenticationMethod';
    // [MQTT-3.2.2-12], [MQTT-3.2.2-13]
    if (willQos === 2) return 'qosNotSupported';
    return willRetain ? 'retainNotSupported' : undefined;
  }
}

// Its content is not used: a broken connection itself says that the collector is gone.
function readWill(bytes: PacketBytes, version: Version): void {
  if (version === 5) readProperties(bytes, 'will');
  if (!isTopicName(bytes.text()))
    throw new Violation('topicNameInvalid', 'the topic of the last will is none');
  bytes.binary();
}
