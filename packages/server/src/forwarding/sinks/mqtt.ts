import { ErrorWithReasonCode, MqttClient, type IClientPublishOptions } from 'mqtt';
import { createBoundedQueue } from '../../kernel/bounded-queue.ts';
import { randomHex } from '../../kernel/secrets.ts';
import { within } from '../../kernel/within.ts';
import { openSocket, type Peer } from '../egress/socket.ts';
import type { Egress } from '../egress/egress.ts';
import { readDestinationAddress } from './address.ts';
import { capped, sendInTime, SEND_MS } from './send-in-time.ts';
import { attributesOf } from './attributes.ts';
import type { MqttDestination, OpenSink, OutgoingEvent } from './sink.ts';
import { parseTopicTemplate } from './topic-template.ts';

const EVENTS_PER_SEND = 100;

/** Messages without an acknowledgement, unless the broker takes fewer. */
const IN_FLIGHT = 100;

/** What a broker may send while nothing is acknowledged: a few refusals with reasons. The library would collect a message of 256 MB. */
const UNASKED_BYTES = 64 * 1024;

/**
 * Reason codes of a broker that does not want a message: unspecified, implementation specific, not authorized, topic name invalid, payload format
 * invalid. MQTT 5, 3.4.2.1
 */
const REFUSALS: readonly number[] = [0x80, 0x83, 0x87, 0x90, 0x99];

const KEEP_ALIVE_SECONDS = 60;
const FAREWELL_MS = 1_000;

class MessageRefused extends Error {}

interface Connection {
  /** Resolves when the broker has the message. */
  publish(topic: string, event: OutgoingEvent): Promise<void>;
  readonly closed: Promise<void>;
  /** Ends it at once, with what is not acknowledged. */
  drop(): void;
  close(): Promise<void>;
}

/** Publishes events with QoS 1. */
export const openMqttSink: OpenSink<MqttDestination> = async (destination, { egress, limitMs = SEND_MS }) => {
  const topicOf = parseTopicTemplate(destination.topic);
  const peer = { ...readDestinationAddress(destination.url), caCertificates: destination.caCertificates };
  let current: Promise<Connection> | undefined;

  const forget = (ended: Promise<Connection>): void => {
    if (current === ended) current = undefined;
  };

  function connection(): Promise<Connection> {
    if (current) return current;
    const made = (current = connect(destination, egress, peer, limitMs));
    made.then(
      ({ closed }) => closed.then(() => forget(made)),
      () => forget(made),
    );
    return made;
  }

  async function publishAll(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<void> {
    const shared = connection();
    const open = await shared;
    signal.throwIfAborted();
    // What waits in buffers may no longer leave. Others on this connection fail with it, and are repeated.
    const onAbort = (): void => {
      forget(shared);
      open.drop();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const lines = Map.groupBy(events, ({ deviceSn }) => deviceSn);
    // One after the other for each device: if one was refused, a later one must not have arrived before it.
    const publishLine = async (line: readonly OutgoingEvent[]): Promise<void> => {
      for (const event of line) await open.publish(topicOf(event), event);
    };
    const ends = await Promise.allSettled(lines.values().map(publishLine));
    signal.removeEventListener('abort', onAbort);
    const faults = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
    if (faults.length > 0) throw faults.find((fault) => !(fault instanceof MessageRefused)) ?? faults[0];
  }

  return {
    atMost: EVENTS_PER_SEND,
    send: (events, stop) =>
      sendInTime(
        async (signal) => {
          try {
            await publishAll(events, signal);
            return { kind: 'delivered' };
          } catch (error) {
            if (error instanceof MessageRefused) return { kind: 'failed', reason: capped(error.message), isRefusal: true };
            throw error;
          }
        },
        stop,
        limitMs,
      ),
    async close() {
      await (await current?.catch(() => undefined))?.close();
    },
  };
};

async function connect(destination: MqttDestination, egress: Egress, peer: Peer, limitMs: number): Promise<Connection> {
  const isVersion5 = destination.protocolVersion === '5';
  const socket = openSocket(egress, peer);
  let unasked = 0;
  let fault: Error | undefined;
  socket.on('data', (chunk: Buffer) => {
    unasked += chunk.length;
    if (unasked <= UNASKED_BYTES) return;
    fault ??= new Error('the broker sends what nobody asked for');
    socket.destroy();
  });
  const client = new MqttClient(() => socket, {
    protocolVersion: isVersion5 ? 5 : 4,
    clientId: `helioport-${randomHex(6)}`,
    clean: true,
    keepalive: KEEP_ALIVE_SECONDS,
    connectTimeout: limitMs,
    // What failed is repeated by the dispatcher, in order; the library would do it on its own, beside it.
    reconnectPeriod: 0,
    resubscribe: false,
    ...(destination.username !== null && { username: destination.username }),
    ...(destination.password !== null && { password: destination.password }),
    ...(isVersion5 && { properties: { receiveMaximum: 1, topicAliasMaximum: 0 } }),
  });

  const connected = Promise.withResolvers<number | undefined>();
  const closed = Promise.withResolvers<void>();
  client.on('connect', ({ properties }) => connected.resolve(properties?.receiveMaximum));
  client.on('error', (error) => {
    fault ??= error;
  });
  client.on('disconnect', ({ reasonCode }) => {
    fault ??= new Error(`the broker ended the connection (reason ${reasonCode ?? 0})`);
  });
  client.on('close', () => {
    fault ??= new Error('the broker closed the connection');
    connected.reject(fault);
    closed.resolve();
    // Only then does the library give up what is not acknowledged.
    client.end(true);
  });
  const receiveMaximum = await connected.promise;

  const inFlight = createBoundedQueue({
    runningAtMost: Math.min(IN_FLIGHT, receiveMaximum ?? IN_FLIGHT),
    waitingAtMost: Infinity,
    waitingOfOriginAtMost: Infinity,
    retryAfterSeconds: 0,
  });
  const publish = async (topic: string, event: OutgoingEvent): Promise<void> => {
    try {
      await client.publishAsync(topic, event.body, isVersion5 ? { qos: 1, properties: propertiesOf(event) } : { qos: 1 });
      unasked = 0;
    } catch (error) {
      if (fault) throw fault;
      throw error instanceof ErrorWithReasonCode && REFUSALS.includes(error.code) ? new MessageRefused(error.message) : error;
    }
  };
  return {
    publish: (topic, event) => inFlight.run(() => publish(topic, event)),
    closed: closed.promise,
    drop: () => void socket.destroy(),
    async close() {
      await within(FAREWELL_MS, client.endAsync());
      socket.destroy();
    },
  };
}

const propertiesOf = (event: OutgoingEvent): IClientPublishOptions['properties'] => ({
  payloadFormatIndicator: true,
  contentType: 'application/json',
  userProperties: attributesOf(event),
});
