/** The messages that a collector publishes over MQTT. */
export const collectorPublishes = ['report', 'backlog', 'result'] as const;
/** The messages that a collector receives over MQTT. */
export const collectorReceives = ['ack', 'command'] as const;

export type CollectorMessage = (typeof collectorPublishes)[number];
export type ServerMessage = (typeof collectorReceives)[number];

/** The topic of a collector's messages. */
export const collectorTopic = (
  collectorId: string,
  message: CollectorMessage | ServerMessage,
): string => `helioport/v1/${collectorId}/${message}`;
