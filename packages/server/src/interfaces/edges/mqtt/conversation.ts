import type { CollectorMessage } from '@helioport/contract';
import type { Connect } from './read-connect.ts';
import type { Disconnect, Publish, ReceivedPacket, Subscribe, Unsubscribe } from './read-packet.ts';
import { reasons, SUBSCRIPTION_FAILED } from './reasons.ts';
import type { MqttSession } from './session.ts';
import { publishedTo, receivedFrom } from './topics.ts';

/** Answers the packets of a connected collector until its connection ends. Resolves to true if it ended with DISCONNECT. Throws Violation. */
export async function converse(
  session: MqttSession,
  { version, properties: { sessionExpiry = 0 } }: Connect,
): Promise<boolean> {
  const { wire, connection } = session;
  const { collectorId } = connection;
  /** The message of the past that is being taken, beside which others are: PUBACKs of a server are in no order (4.6). */
  let backlog: Promise<void> = Promise.resolve();

  async function publish({ topic, payload, ...packet }: Publish): Promise<void> {
    const { qos, messageId, isRetained, properties } = packet;
    // What CONNACK announces [MQTT-3.2.2-11], [MQTT-3.2.2-14], [MQTT-3.3.2-8], [MQTT-3.3.2-9].
    if (qos === 2) return wire.end('qosNotSupported');
    if (version === 5 && isRetained) return wire.end('retainNotSupported');
    if (properties.topicAlias !== undefined) return wire.end('topicAliasInvalid');
    const message = publishedTo(collectorId, topic);
    if (!message) {
      await session.paced();
      return refusePublish(qos, messageId);
    }
    if (message !== 'backlog') return take(message, payload, packet);
    await backlog;
    backlog = take(message, payload, packet);
    // Whoever awaits it hears of a fault; until then, it is no fault of the process.
    backlog.catch(() => {});
  }

  async function take(
    message: CollectorMessage,
    payload: Buffer,
    { qos, messageId }: Pick<Publish, 'qos' | 'messageId'>,
  ): Promise<void> {
    const isAcknowledged = await session.take(message, payload);
    if (isAcknowledged && qos === 1)
      await wire.send({ cmd: 'puback', messageId, reasonCode: reasons.success });
  }

  // MQTT 3.1.1 has no other way to refuse a message (3.3.5).
  async function refusePublish(qos: number, messageId: number): Promise<void> {
    if (version === 5 && qos === 1)
      await wire.send({ cmd: 'puback', messageId, reasonCode: reasons.notAuthorized });
    else wire.end('notAuthorized');
  }

  async function subscribe({ messageId, filters, properties }: Subscribe): Promise<void> {
    // As CONNACK announces (3.2.2.3.13).
    if (version === 5 && filters.some((filter) => filter.startsWith('$share/')))
      return wire.end('sharedNotSupported');
    const messages = filters.map((filter) => receivedFrom(collectorId, filter));
    const failed = version === 5 ? reasons.notAuthorized : SUBSCRIPTION_FAILED;
    await wire.send({
      cmd: 'suback',
      messageId,
      granted: messages.map((message) => (message ? GRANTED_QOS : failed)),
    });
    const { subscriptionIdentifier } = properties;
    for (const message of messages)
      if (message) session.subscribe(message, { identifier: subscriptionIdentifier });
  }

  async function unsubscribe({ messageId, filters }: Unsubscribe): Promise<void> {
    const granted = filters.map((filter) => {
      const message = receivedFrom(collectorId, filter);
      return message && session.unsubscribe(message) ? reasons.success : reasons.noSubscription;
    });
    await wire.send({ cmd: 'unsuback', messageId, granted });
  }

  async function answer(packet: Exclude<ReceivedPacket, Disconnect>): Promise<void> {
    switch (packet.cmd) {
      case 'publish':
        return publish(packet);
      case 'subscribe':
        return subscribe(packet);
      case 'unsubscribe':
        return unsubscribe(packet);
      case 'pingreq':
        // If it may no longer report, the next sweep finds out.
        await session.seen().catch(() => {});
        return wire.send({ cmd: 'pingresp' });
      case 'connect':
        return wire.end('protocolError');
    }
  }

  for (;;) {
    const packet = await wire.next();
    if (!packet || packet.cmd === 'disconnect') await backlog;
    if (!packet) return false;
    if (packet.cmd === 'disconnect') {
      // A session that was to end with the connection cannot outlive it after all (3.14.2.2.2).
      const isValid = sessionExpiry > 0 || !packet.properties.sessionExpiry;
      if (!isValid) wire.end('protocolError');
      return isValid && packet.reasonCode !== reasons.disconnectWithWill;
    }
    if (packet.cmd !== 'publish') await session.paced();
    await answer(packet);
    if (wire.isClosed) return false;
  }
}

/** Messages to collectors have QoS 0: those that are lost are sent again or read back. */
const GRANTED_QOS = 0;
