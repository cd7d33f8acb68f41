import { collectorTopic, type CollectorMessage } from '@helioport/contract';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import type { HandedInstruction } from '../../packages/server/src/control/commands/instruction.ts';
import type { Home } from '../commands/scene.ts';

export interface Ack {
  readonly id: string | null;
  readonly status: number;
  readonly receivedAt: number;
  readonly accepted?: number;
  readonly duplicate?: number;
  readonly refused?: readonly { index: number; reason: string }[];
  readonly msg?: string;
  readonly retryAfterSeconds?: number;
}

/** A collector that is connected over MQTT, by a client that is not ours. */
export interface MqttCollector {
  readonly client: MqttClient;
  readonly acks: readonly Ack[];
  /** Every instruction that arrived. */
  readonly received: readonly HandedInstruction[];
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  /** Publishes a message and resolves to the acknowledgement with its id, or to the next one if it has none. */
  say(message: CollectorMessage, content: object | string): Promise<Ack>;
  /** From now on obeys, and reports it. */
  obey(): void;
  /** Ends the connection without a word. */
  vanish(): Promise<void>;
  leave(): Promise<void>;
}

export type Protocol = 4 | 5;

export const protocols: readonly (readonly [name: string, Protocol])[] = [
  ['MQTT 3.1.1', 4],
  ['MQTT 5', 5],
];

/** What the client says of a refused connection, in either version. */
export const REFUSED = /refused|not authorized|bad user/i;

/** Connects a collector as the documentation says. Rejects if the broker refuses it. */
export async function connectCollector(
  url: string,
  home: Home,
  protocolVersion: Protocol = 5,
  more: IClientOptions = {},
): Promise<MqttCollector> {
  const client = await connectAsync(
    url,
    {
      protocolVersion,
      clientId: home.collectorId,
      username: home.tokenId,
      password: home.token,
      reconnectPeriod: 0,
      connectTimeout: 60_000,
      will: {
        topic: collectorTopic(home.collectorId, 'report'),
        payload: Buffer.from('{"offline":true}'),
        qos: 1,
        retain: false,
      },
      ...more,
    },
    false,
  );
  const acks: Ack[] = [];
  const received: HandedInstruction[] = [];
  const listeners = new Set<(ack: Ack) => void>();
  let obeys = false;
  const ended = new Promise<void>((resolve) => client.once('close', () => resolve()));
  client.on('error', () => {});

  const topic = (message: Parameters<typeof collectorTopic>[1]): string =>
    collectorTopic(home.collectorId, message);
  const carryOut = (instructions: readonly HandedInstruction[]): void => {
    client.publish(
      topic('result'),
      JSON.stringify({
        id: `results ${received.length}`,
        results: instructions.map(home.box.carryOut),
      }),
      { qos: 1 },
    );
  };
  client.on('message', (name, payload) => {
    const content = JSON.parse(payload.toString()) as { commands: HandedInstruction[] } & Ack;
    if (name === topic('ack')) {
      acks.push(content);
      for (const listener of listeners) listener(content);
    } else if (name === topic('command')) {
      received.push(...content.commands);
      if (obeys) carryOut(content.commands);
    }
  });
  await client.subscribeAsync([topic('ack'), topic('command')], { qos: 1 });

  return {
    client,
    acks,
    received,
    ended,
    say(message, content) {
      const id = typeof content === 'object' ? (content as { id?: string }).id : undefined;
      const { promise, resolve } = Promise.withResolvers<Ack>();
      const listener = (ack: Ack): void => {
        if (id !== undefined && ack.id !== id) return;
        listeners.delete(listener);
        resolve(ack);
      };
      listeners.add(listener);
      client.publish(
        topic(message),
        typeof content === 'string' ? content : JSON.stringify(content),
        { qos: 1 },
      );
      return promise;
    },
    obey() {
      obeys = true;
      if (received.length > 0) carryOut(received);
    },
    async vanish() {
      client.stream.destroy();
      await ended;
    },
    // What is in flight on a connection that has ended would be waited for.
    leave: () => client.endAsync(!client.connected),
  };
}
