import { eventKindNames, eventKinds, eventSchema, exampleEvent } from '../events.ts';
import type { AsyncApiDocument } from './index.ts';

const nameOf = (kind: string): string =>
  kind.replace(/(^|\.)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/** Forwarded events, as the receiver sees them. */
export const forwardingAsyncApi = ({
  version,
}: {
  readonly version: string;
}): AsyncApiDocument => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Helioport, forwarded events',
    version,
    description:
      'Events of the plants that owners have given an application access to, sent to its destinations as they happen. Each arrives at least once, those of a device ' +
      'in their order; the same `id` means the same event. Numbers of a sequence have no gaps, unless an event says `resumed`. Any version may add kinds and fields: ' +
      'ignore those that you do not know.',
  },
  defaultContentType: 'application/json',
  servers: {
    webhook: {
      host: 'receiver.example',
      protocol: 'https',
      description:
        'POST, signed as Standard Webhooks says. A status from 200 to 299 acknowledges, 410 ends deliveries, anything else is tried again.',
    },
    broker: {
      host: 'broker.example:8883',
      protocol: 'mqtt',
      description: 'MQTT 5 or 3.1.1, QoS 1. The address is the destination’s topic template.',
    },
    rocketmq: {
      host: 'broker.example:8081',
      protocol: 'rocketmq',
      description: 'RocketMQ 5 through its gRPC proxy; the key is the id of the event.',
    },
  },
  channels: {
    events: {
      address: 'helioport/{plantId}/{deviceSn}/{kind}',
      parameters: {
        plantId: { description: 'id of the plant; - for events of authorizations' },
        deviceSn: { description: 'serial number of the device; - for events of a whole plant' },
        kind: { description: 'kind of the event', enum: eventKindNames },
      },
      messages: Object.fromEntries(
        eventKindNames.map((kind) => [
          nameOf(kind),
          { $ref: `#/components/messages/${nameOf(kind)}` },
        ]),
      ),
    },
  },
  operations: {
    receive: {
      action: 'receive',
      channel: { $ref: '#/channels/events' },
      summary: 'Learns what happened.',
    },
  },
  components: {
    messages: Object.fromEntries(
      eventKindNames.map((kind) => [
        nameOf(kind),
        {
          name: kind,
          summary: eventKinds[kind].summary,
          payload: { $ref: `#/components/schemas/${nameOf(kind)}` },
          examples: [{ payload: exampleEvent(kind) }],
        },
      ]),
    ),
    schemas: Object.fromEntries(eventKindNames.map((kind) => [nameOf(kind), eventSchema(kind)])),
  },
});
