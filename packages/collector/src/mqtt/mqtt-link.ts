import { collectorTopic } from '@helioport/contract/collector-topics';
import { connect, type MqttClient } from 'mqtt';
import { INSTRUCTIONS_AT_MOST, instructionsIn } from '../answers/instructions.ts';
import { parsedJson } from '../answers/shapes.ts';
import type { Clock } from '../clock.ts';
import type { Answer, ArrivedInstruction, Link, Setback } from '../link.ts';
import type { ReportOutcome } from '../report.ts';
import { boundPackets } from './bounded-packets.ts';
import { ackIn, setbackOfConnection } from './setbacks.ts';

export interface MqttLinkOptions {
  /** Address of the broker, for example `mqtt://127.0.0.1:1883`. */
  readonly url: string;
  readonly collectorId: string;
  /** The token's public id, which is the user name. */
  readonly tokenId: string;
  readonly token: string;
  readonly clock: Clock;
  /** How long a broker may take to connect a client and then to subscribe it, milliseconds. */
  readonly connectLimitMs?: number;
  /** How long the server may take to acknowledge a message, milliseconds. */
  readonly ackLimitMs?: number;
}

/** A message has at most 1 MiB. */
const REPORT_BYTES = 900_000;
const KEEP_ALIVE_SECONDS = 45;
/** An ack names each element of a report at most. */
const PACKET_BYTES = 4_000_000;
const CONNECT_LIMIT_MS = 30_000;
const ACK_LIMIT_MS = 60_000;
const GOODBYE_LIMIT_MS = 1_000;

const GONE: Setback = { cause: 'away', reason: 'the connection to the broker has ended' };

/**
 * Creates a link to the server over MQTT 3.1.1. It connects when a method is called, and reconnects when one is called after the connection
 * has ended. So the caller determines how often it tries.
 */
export function createMqttLink(options: MqttLinkOptions): Link {
  const { url, collectorId, tokenId, token, clock } = options;
  const { connectLimitMs = CONNECT_LIMIT_MS, ackLimitMs = ACK_LIMIT_MS } = options;
  const topic = {
    report: collectorTopic(collectorId, 'report'),
    backlog: collectorTopic(collectorId, 'backlog'),
    result: collectorTopic(collectorId, 'result'),
    ack: collectorTopic(collectorId, 'ack'),
    command: collectorTopic(collectorId, 'command'),
  };
  const pending = new Map<string, (answer: Answer<ReportOutcome>) => void>();
  let arrived: ArrivedInstruction[] = [];
  let listener: ((answer: Answer<readonly ArrivedInstruction[]>) => void) | undefined;
  let current: MqttClient | undefined;
  let connection: Promise<MqttClient | Setback> | undefined;
  let lastId = 0;
  let isClosed = false;

  /** Each connection is a new client: the callers repeat what the last one could not send. */
  function open(): Promise<MqttClient | Setback> {
    const client = connect(url, {
      protocolVersion: 4,
      clientId: collectorId,
      username: tokenId,
      password: token,
      clean: true,
      keepalive: KEEP_ALIVE_SECONDS,
      connectTimeout: connectLimitMs,
      reconnectPeriod: 0,
      will: {
        topic: topic.report,
        payload: Buffer.from('{"offline":true}'),
        qos: 1,
        retain: false,
      },
    });
    current = client;
    let setback = GONE;
    boundPackets(client, PACKET_BYTES);
    client.on('message', take);
    client.on('error', (error) => {
      setback = setbackOfConnection(error);
      client.end(true);
    });
    return new Promise((resolve) => {
      client.on('connect', () => {
        const limit = setTimeout(() => {
          setback = { cause: 'away', reason: 'the broker does not answer the subscriptions' };
          client.end(true);
        }, connectLimitMs);
        client.once('close', () => clearTimeout(limit));
        client.subscribe([topic.ack, topic.command], { qos: 0 }, (error) => {
          clearTimeout(limit);
          if (!error) return resolve(client);
          setback = {
            cause: 'away',
            reason: `the broker refuses the subscriptions: ${error.message}`,
          };
          client.end(true);
        });
      });
      client.once('close', () => {
        [connection, current] = [undefined, undefined];
        client.end(true);
        resolve(setback);
        for (const settle of pending.values()) settle({ setback });
        hear({ setback });
      });
    });
  }

  const connected = async (): Promise<MqttClient | Setback> =>
    isClosed ? GONE : await (connection ??= open());

  function hear(answer: Answer<readonly ArrivedInstruction[]>): void {
    listener?.(answer);
    listener = undefined;
  }

  /** Only a misconfigured broker lets others publish here: what is no message of the server is nothing. */
  function take(from: string, payload: Buffer): void {
    const message = parsedJson(payload.toString('utf8'));
    if (from === topic.ack) {
      const ack = ackIn(message);
      return ack && pending.get(ack.id)?.(ack.answer);
    }
    const instructions = from === topic.command ? instructionsIn(message) : undefined;
    if (!instructions || instructions.length === 0) return;
    const arrivedAt = clock.now();
    const all = [...arrived, ...instructions.map((instruction) => ({ instruction, arrivedAt }))];
    arrived = all.slice(-INSTRUCTIONS_AT_MOST);
    if (listener) hear({ value: arrived.splice(0) });
  }

  /** Publishes a message and waits for its acknowledgement. */
  async function exchange(to: string, body: object): Promise<Answer<ReportOutcome>> {
    const client = await connected();
    if ('cause' in client) return { setback: client };
    const id = `m-${++lastId}`;
    return new Promise((resolve) => {
      // If the acknowledgement does not arrive, try again with a new connection.
      const limit = setTimeout(() => client.end(true), ackLimitMs);
      pending.set(id, (settled) => {
        clearTimeout(limit);
        pending.delete(id);
        resolve(settled);
      });
      // If this fails, the connection ends, which settles all pending messages.
      client.publish(to, JSON.stringify({ id, ...body }), { qos: 1 });
    });
  }

  return {
    reportBytes: REPORT_BYTES,
    report: (report, urgency) =>
      exchange(urgency === 'live' ? topic.report : topic.backlog, {
        readings: [],
        ...report,
      }),
    async instructions() {
      const client = await connected();
      if ('cause' in client) return { setback: client };
      if (arrived.length > 0) return { value: arrived.splice(0) };
      return new Promise((resolve) => (listener = resolve));
    },
    results: (results) => exchange(topic.result, { results }),
    async close() {
      isClosed = true;
      const client = current;
      if (!client?.connected) return void client?.end(true);
      const limit = setTimeout(() => client.end(true), GOODBYE_LIMIT_MS);
      await client.endAsync();
      clearTimeout(limit);
    },
  };
}
