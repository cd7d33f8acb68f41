import { collectorTopic } from '@helioport/contract/collector-topics';
import { connect, type MqttClient } from 'mqtt';
import type { Clock } from '../clock.ts';
import { hasInstructions, isOutcome } from '../answer-shapes.ts';
import type { Answer, ArrivedInstruction, Link, Setback } from '../link.ts';
import type { Outcome, ReportOutcome } from '../report.ts';
import { setbackOfAck, setbackOfConnection, type Ack } from './setbacks.ts';

export interface MqttLinkOptions {
  /** Address of the broker, for example `mqtt://127.0.0.1:1883`. */
  readonly url: string;
  readonly collectorId: string;
  /** The token's public id, which is the user name. */
  readonly tokenId: string;
  readonly token: string;
  readonly clock: Clock;
}

/** A message has at most 1 MiB. */
const REPORT_BYTES = 900_000;
const KEEP_ALIVE_SECONDS = 45;
const CONNECT_LIMIT_MS = 30_000;
const ACK_LIMIT_MS = 60_000;
const GOODBYE_LIMIT_MS = 1_000;

const GONE: Setback = { cause: 'away', reason: 'the connection to the broker has ended' };

/**
 * Creates a link to the server over MQTT 3.1.1. It connects when a method is called, and reconnects when one is called after the connection
 * has ended. So the caller determines how often it tries.
 */
export function createMqttLink({ url, collectorId, tokenId, token, clock }: MqttLinkOptions): Link {
  const topic = {
    report: collectorTopic(collectorId, 'report'),
    backlog: collectorTopic(collectorId, 'backlog'),
    result: collectorTopic(collectorId, 'result'),
    ack: collectorTopic(collectorId, 'ack'),
    command: collectorTopic(collectorId, 'command'),
  };
  const pending = new Map<string, (answer: Answer<Ack>) => void>();
  const arrived: ArrivedInstruction[] = [];
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
      connectTimeout: CONNECT_LIMIT_MS,
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
    client.on('message', take);
    client.on('error', (error) => {
      setback = setbackOfConnection(error);
      client.end(true);
    });
    return new Promise((resolve) => {
      client.on('connect', () =>
        client.subscribe([topic.ack, topic.command], { qos: 0 }, (error) => {
          if (!error) return resolve(client);
          setback = {
            cause: 'away',
            reason: `the broker refuses the subscriptions: ${error.message}`,
          };
          client.end(true);
        }),
      );
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

  function take(from: string, payload: Buffer): void {
    let message: Partial<Ack> | null;
    try {
      message = JSON.parse(payload.toString('utf8')) as typeof message;
    } catch {
      // Only a misconfigured broker lets others publish here; that must not stop the collector.
      return;
    }
    if (from === topic.ack && typeof message?.id === 'string')
      return pending.get(message.id)?.({ value: message as Ack });
    if (from !== topic.command || !hasInstructions(message)) return;
    const arrivedAt = clock.now();
    arrived.push(...message.commands.map((instruction) => ({ instruction, arrivedAt })));
    if (listener) hear({ value: arrived.splice(0) });
  }

  /** Publishes a message and waits for its acknowledgement. */
  async function exchange<T extends Outcome>(to: string, body: object): Promise<Answer<T>> {
    const client = await connected();
    if ('cause' in client) return { setback: client };
    const id = `m-${++lastId}`;
    const answer = await new Promise<Answer<Ack>>((resolve) => {
      // If the acknowledgement does not arrive, try again with a new connection.
      const limit = setTimeout(() => client.end(true), ACK_LIMIT_MS);
      pending.set(id, (settled) => {
        clearTimeout(limit);
        pending.delete(id);
        resolve(settled);
      });
      // If this fails, the connection ends, which settles all pending messages.
      client.publish(to, JSON.stringify({ id, ...body }), { qos: 1 });
    });
    if ('setback' in answer) return answer;
    const { id: _, status, ...value } = answer.value;
    if (status !== 200) return { setback: setbackOfAck(answer.value) };
    return isOutcome(value)
      ? { value: value as T }
      : { setback: { cause: 'away', reason: 'that is no answer of the server' } };
  }

  return {
    reportBytes: REPORT_BYTES,
    report: (report, urgency) =>
      exchange<ReportOutcome>(urgency === 'live' ? topic.report : topic.backlog, {
        readings: [],
        ...report,
      }),
    async instructions() {
      const client = await connected();
      if ('cause' in client) return { setback: client };
      if (arrived.length > 0) return { value: arrived.splice(0) };
      return new Promise((resolve) => (listener = resolve));
    },
    results: (results) => exchange<Outcome>(topic.result, { results }),
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
