import { ErrorWithReasonCode, MqttClient, type IClientPublishOptions } from 'mqtt';
import { randomHex } from '../../platform/kernel/secrets.ts';
import { withTimeout } from '../../platform/kernel/within.ts';
import { openSocket, type Peer } from '../../platform/egress/socket.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import { readDestinationAddress } from './address.ts';
import { capped, sendInTime, SEND_MS } from './send-in-time.ts';
import { attributesOf } from './attributes.ts';
import { gatherWrites } from './gather-writes.ts';
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

/** Functions instead of promises for each message: those took a tenth of its time. */
type Done = (error?: Error) => void;

interface Connection {
  /** `done` is called when the broker has the message, or with what has gone wrong. */
  publish(topic: string, event: OutgoingEvent, done: Done): void;
  readonly closed: Promise<void>;
  /** Ends it at once, with what is not acknowledged. */
  drop(): void;
  close(): Promise<void>;
}

/** Publishes events with QoS 1. */
export const openMqttSink: OpenSink<MqttDestination> = async (
  destination,
  { egress, limitMs = SEND_MS },
) => {
  const topicOf = parseTopicTemplate(destination.topic);
  const peer = {
    ...readDestinationAddress(destination.url),
    caCertificates: destination.caCertificates,
  };
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
    const faults: Error[] = [];
    await publishLines(
      Map.groupBy(events, ({ deviceSn }) => deviceSn),
      (event, done) =>
        open.publish(topicOf(event), event, (error) => {
          if (error) faults.push(error);
          done(error);
        }),
    );
    signal.removeEventListener('abort', onAbort);
    if (faults.length > 0)
      throw faults.find((fault) => !(fault instanceof MessageRefused)) ?? faults[0]!;
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
            if (error instanceof MessageRefused)
              return { kind: 'failed', reason: capped(error.message), isRefusal: true };
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

/** Publishes those of each device one after the other: if one was refused, a later one must not have arrived before it. */
function publishLines(
  lines: ReadonlyMap<unknown, readonly OutgoingEvent[]>,
  publish: (event: OutgoingEvent, done: Done) => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = lines.size;
  for (const line of lines.values()) {
    let next = 0;
    const goOn: Done = (error) => {
      if (!error && next < line.length) publish(line[next++]!, goOn);
      else if (--left === 0) resolve();
    };
    goOn();
  }
  return promise;
}

/** So many at a time. `begin` is called with what ends it. */
function createPlaces(places: number): (begin: (leave: () => void) => void) => void {
  const waiting: ((leave: () => void) => void)[] = [];
  let isBeginning = false;
  // Not from within another, since on a connection that has ended, all fail at once.
  const goOn = (): void => {
    if (isBeginning) return;
    isBeginning = true;
    while (places > 0 && waiting.length > 0) {
      places -= 1;
      waiting.shift()!(leave);
    }
    isBeginning = false;
  };
  const leave = (): void => {
    places += 1;
    goOn();
  };
  return (begin) => {
    waiting.push(begin);
    goOn();
  };
}

async function connect(
  destination: MqttDestination,
  egress: Egress,
  peer: Peer,
  limitMs: number,
): Promise<Connection> {
  const isVersion5 = destination.protocolVersion === '5';
  const socket = openSocket(egress, peer);
  gatherWrites(socket);
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
    log() {},
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

  const places = createPlaces(Math.min(IN_FLIGHT, receiveMaximum ?? IN_FLIGHT));
  const reasonOf = (error: Error): Error => {
    if (fault) return fault;
    return error instanceof ErrorWithReasonCode && REFUSALS.includes(error.code)
      ? new MessageRefused(error.message)
      : error;
  };
  return {
    publish: (topic, event, done) =>
      places((leave) =>
        client.publish(
          topic,
          event.body,
          isVersion5 ? { qos: 1, properties: propertiesOf(event) } : { qos: 1 },
          (error) => {
            if (!error) unasked = 0;
            done(error ? reasonOf(error) : undefined);
            leave();
          },
        ),
      ),
    closed: closed.promise,
    drop: () => void socket.destroy(),
    async close() {
      await withTimeout(FAREWELL_MS, client.endAsync());
      socket.destroy();
    },
  };
}

const propertiesOf = (event: OutgoingEvent): IClientPublishOptions['properties'] => ({
  payloadFormatIndicator: true,
  contentType: 'application/json',
  userProperties: attributesOf(event),
});
