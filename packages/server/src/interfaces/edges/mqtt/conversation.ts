import type { IPublishPacket, ISubscribePacket, IUnsubscribePacket, Packet } from 'mqtt-packet';
import { reasons, SUBSCRIPTION_FAILED } from './reasons.ts';
import type { Session } from './session.ts';
import { publishedTo, receivedFrom } from './topics.ts';

/** Answers the packets of a connected collector until its connection ends. Resolves to true if it ended with DISCONNECT. Throws Malformed. */
export async function converse(session: Session, version: 4 | 5): Promise<boolean> {
  const { wire, connection } = session;
  const { collectorId } = connection;

  async function publish({ topic, qos, messageId, payload }: IPublishPacket): Promise<void> {
    if (qos === 2) return wire.end('qosNotSupported');
    const message = publishedTo(collectorId, topic);
    if (!message) {
      await session.paced();
      return refusePublish(qos, messageId);
    }
    const isAcknowledged = await session.take(message, payload as Buffer);
    if (isAcknowledged && qos === 1)
      await wire.send({ cmd: 'puback', messageId: messageId!, reasonCode: reasons.success });
  }

  // MQTT 3.1.1 has no other way to refuse a message (3.3.5).
  async function refusePublish(qos: number, messageId: number | undefined): Promise<void> {
    if (version === 5 && qos === 1)
      await wire.send({ cmd: 'puback', messageId: messageId!, reasonCode: reasons.notAuthorized });
    else wire.end('notAuthorized');
  }

  async function subscribe({ messageId, subscriptions }: ISubscribePacket): Promise<void> {
    // [MQTT-3.8.3-3], and below [MQTT-3.10.3-2]
    if (subscriptions.length === 0) return wire.end('protocolError');
    const messages = subscriptions.map(({ topic }) => receivedFrom(collectorId, topic));
    const failed = version === 5 ? reasons.notAuthorized : SUBSCRIPTION_FAILED;
    await wire.send({
      cmd: 'suback',
      messageId: messageId!,
      granted: messages.map((message) => (message ? GRANTED_QOS : failed)),
    });
    for (const message of messages) if (message) session.subscribe(message, true);
  }

  async function unsubscribe({ messageId, unsubscriptions }: IUnsubscribePacket): Promise<void> {
    if (unsubscriptions.length === 0) return wire.end('protocolError');
    const granted = unsubscriptions.map((topic) => {
      const message = receivedFrom(collectorId, topic);
      return message && session.subscribe(message, false)
        ? reasons.success
        : reasons.noSubscription;
    });
    await wire.send({ cmd: 'unsuback', messageId: messageId!, granted });
  }

  async function answer(packet: Packet): Promise<void> {
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
      default:
        return wire.end('protocolError');
    }
  }

  for (;;) {
    const packet = await wire.next();
    if (!packet) return false;
    if (packet.cmd === 'disconnect') return packet.reasonCode !== reasons.disconnectWithWill;
    if (packet.cmd !== 'publish') await session.paced();
    await answer(packet);
    if (wire.isClosed) return false;
  }
}

/** Messages to collectors have QoS 0: those that are lost are sent again or read back. */
const GRANTED_QOS = 0;
