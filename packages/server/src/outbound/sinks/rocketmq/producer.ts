import { Producer, type ILogger } from 'rocketmq-client-nodejs';
import { capped } from '../send-in-time.ts';
import { attributesOf } from '../attributes.ts';
import type { OutgoingEvent } from '../sink.ts';
import type { AttemptedSend, WorkerSettings } from './messages.ts';

/** MessageType.FIFO of apache/rocketmq/v2/definition.proto, which the client does not export. */
const FIFO = 2;

const EXCERPT_LETTERS = 500;

/** A producer that tells whether its topic keeps the order within message groups. */
class TopicProducer extends Producer {
  async isFifo(topic: string): Promise<boolean> {
    const { messageQueues } = await this.getRouteData(topic);
    return messageQueues.some(({ acceptMessageTypesList }) =>
      acceptMessageTypesList.includes(FIFO),
    );
  }
}

/** Sends events through the official client; to be called in a worker, since the client may end its process. */
export interface EventProducer {
  send(events: readonly OutgoingEvent[]): Promise<AttemptedSend>;
}

export function createEventProducer({
  endpoint,
  encrypted,
  topic,
  username,
  password,
  requestMs,
}: WorkerSettings): EventProducer {
  let lastError = '';
  // The client's errors say less than its log: a wrong password is "Failed to fetch topic routes after 3 attempts".
  const logger: ILogger = {
    info() {},
    warn() {},
    error(...words: unknown[]) {
      if (typeof words[0] === 'string') lastError = String(words.at(-1));
    },
  };
  const producer = new TopicProducer({
    endpoints: endpoint,
    namespace: '',
    sslEnabled: encrypted,
    topic,
    logger,
    requestTimeout: requestMs,
    // The dispatcher repeats what failed.
    maxAttempts: 1,
    ...(username !== null &&
      password !== null && { sessionCredentials: { accessKey: username, accessSecret: password } }),
  });
  let started: Promise<void> | undefined;

  async function sendOne(event: OutgoingEvent, isFifo: boolean): Promise<void> {
    const { id, kind, deviceSn, plantId, body } = event;
    const receipt = await producer.send({
      topic,
      tag: kind,
      keys: [id],
      body: Buffer.from(body),
      properties: new Map(Object.entries(attributesOf(event))),
      ...(isFifo && { messageGroup: deviceSn ?? plantId }),
    });
    // Of an answer without a status, the client makes a success without a receipt.
    if (!receipt?.messageId) throw new Error('the broker did not say that it has the message');
  }

  return {
    async send(events) {
      try {
        await (started ??= producer.startup());
        const isFifo = await producer.isFifo(topic);
        for (const event of events) await sendOne(event, isFifo);
        return { outcome: { kind: 'delivered' }, isStarted: true };
      } catch (error) {
        const excerpt = capped(lastError || (error as Error).message, EXCERPT_LETTERS);
        lastError = '';
        const isStarted = producer.isRunning();
        return {
          outcome: {
            kind: 'failed',
            reason: isStarted
              ? 'RocketMQ did not take the message'
              : 'RocketMQ could not be reached',
            excerpt,
          },
          isStarted,
        };
      }
    },
  };
}
