import { connectAsync, type IClientPublishOptions } from 'mqtt';
import type { OutgoingEvent } from '../../packages/server/src/outbound/sinks/sink.ts';
import { attributesOf } from '../../packages/server/src/outbound/sinks/attributes.ts';

const IN_FLIGHT = 100;

/** The same messages with the same library, and nothing around it. */
export async function createBarePublisher(broker: string) {
  const client = await connectAsync(broker, { protocolVersion: 5 });
  const publish = (event: OutgoingEvent): Promise<unknown> => {
    const properties: IClientPublishOptions['properties'] = {
      payloadFormatIndicator: true,
      contentType: 'application/json',
      userProperties: attributesOf(event),
    };
    const topic = `helioport/${event.plantId}/${event.deviceSn}/${event.kind}`;
    return client.publishAsync(topic, event.body, { qos: 1, properties });
  };
  return {
    publish,
    /** As many at a time as a destination has. */
    async publishAll(events: readonly OutgoingEvent[]): Promise<void> {
      let next = 0;
      const lane = async (): Promise<void> => {
        while (next < events.length) await publish(events[next++]!);
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
    },
    close: () => client.endAsync(),
  };
}
