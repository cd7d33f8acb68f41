import { collectorPublishes, collectorReceives, collectorTopic, type CollectorMessage, type ServerMessage } from '@helioport/contract';

const TOPIC = /^helioport\/v1\/([^/]+)\/(\w+)$/;

/** The collector and the message that a topic belongs to. Undefined for all other topics, and for those that only the server publishes to. */
export function collectorMessageOf(topic: string): { readonly collectorId: string; readonly message: CollectorMessage } | undefined {
  const [, collectorId, name] = TOPIC.exec(topic) ?? [];
  const message = collectorPublishes.find((one) => one === name);
  return collectorId !== undefined && message ? { collectorId, message } : undefined;
}

/** The message of a topic that a collector may publish to. */
export const publishedTo = (collectorId: string, topic: string): CollectorMessage | undefined =>
  collectorPublishes.find((message) => collectorTopic(collectorId, message) === topic);

/** The message of a topic that a collector may subscribe to. */
export const receivedFrom = (collectorId: string, topic: string): ServerMessage | undefined =>
  collectorReceives.find((message) => collectorTopic(collectorId, message) === topic);
