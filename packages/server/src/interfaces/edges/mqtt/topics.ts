import {
  collectorPublishes,
  collectorReceives,
  collectorTopic,
  type CollectorMessage,
  type ServerMessage,
} from '@helioport/contract';

const TOPIC = /^helioport\/v1\/([^/]+)\/(\w+)$/;

/** The collector and the kind of message that a topic stands for. Undefined for topics to which collectors do not publish. */
export function collectorMessageOf(
  topic: string,
): { readonly collectorId: string; readonly message: CollectorMessage } | undefined {
  const [, collectorId, name] = TOPIC.exec(topic) ?? [];
  const message = collectorPublishes.find((one) => one === name);
  return collectorId !== undefined && message ? { collectorId, message } : undefined;
}

/** The kind of message that a collector publishes to a topic; undefined if it may not. */
export const publishedTo = (collectorId: string, topic: string): CollectorMessage | undefined =>
  collectorPublishes.find((message) => collectorTopic(collectorId, message) === topic);

/** The kind of message that a collector receives from a topic; undefined if it may not subscribe to it. */
export const receivedFrom = (collectorId: string, topic: string): ServerMessage | undefined =>
  collectorReceives.find((message) => collectorTopic(collectorId, message) === topic);

/** Whether a text may be the name of a topic (MQTT 5, 4.7). */
export const isTopicName = (text: string): boolean => text !== '' && !/[#+]/.test(text);

/** Whether a text may be a filter of topics: wildcards stand for whole levels, and `#` comes last. */
export const isTopicFilter = (text: string): boolean =>
  text !== '' && /^(?:[^#+/]*|\+)(?:\/(?:[^#+/]*|\+))*(?:\/#)?$|^#$/.test(text);
