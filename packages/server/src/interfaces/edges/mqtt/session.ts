import { collectorTopic, type CollectorMessage, type ServerMessage } from '@helioport/contract';
import { setTimeout as pause } from 'node:timers/promises';
import {
  getReportingCollector,
  type ReportingCollector,
  type ReportSender,
} from '../../../fleet/collectors/authenticate.ts';
import { loseConnection, type CollectorConnection } from '../../../fleet/collectors/connections.ts';
import { markPosted } from '../../../fleet/collectors/presence.ts';
import type { CommandExchange } from '../../../control/commands/exchange.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { SharedBuckets } from '../../../platform/kernel/token-buckets.ts';
import type { Db } from '../../../platform/storage/database.ts';
import type { Outdated } from '../../../platform/kernel/surroundings/outdated.ts';
import type { Acknowledgement, Inbox } from './inbox.ts';
import type { Wire } from './wire.ts';

export interface SessionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly inbox: Inbox;
  readonly exchange: CommandExchange;
  readonly schema: Pick<Outdated, 'confirm'>;
  /** Limits the connections of each collector, and its packets that carry no message; null = no limit. */
  readonly packetRate: Pick<SharedBuckets, 'take'> | null;
}

interface Subscription {
  readonly identifier?: number | undefined;
}

/** A connected collector. */
export interface MqttSession {
  readonly connection: CollectorConnection;
  readonly wire: Wire;
  /** Takes a message; resolves to true if it may be acknowledged, because it is durable or will never be accepted. */
  take(message: CollectorMessage, payload: Buffer): Promise<boolean>;
  /** Sends such messages from now on, with the identifier of the subscription if it has one. */
  subscribe(message: ServerMessage, subscription: Subscription): void;
  /** Returns whether there was a subscription. */
  unsubscribe(message: ServerMessage): boolean;
  /** Counts a packet that carries no message, and resolves later if the collector sends too many of them. */
  paced(): Promise<void>;
  /** A sign of life other than a message. */
  seen(): Promise<void>;
  /** Its connection broke. */
  lost(): Promise<void>;
}

/** Creates the session of a collector that has presented a valid token. */
export function createSession(
  { db, clock, inbox, exchange, packetRate, schema }: SessionDeps,
  wire: Wire,
  connection: CollectorConnection,
  sender: Required<ReportSender>,
): MqttSession {
  const wanted = new Map<ServerMessage, Subscription>();
  let leave: (() => void) | undefined;

  // The token is checked for each message, so that a revoked one stops working at once.
  const collector = (): Promise<ReportingCollector> =>
    getReportingCollector(db, sender, clock.now());

  async function send(message: ServerMessage, content: object): Promise<void> {
    const subscription = wanted.get(message);
    if (!subscription) return;
    const { identifier } = subscription;
    const topic = collectorTopic(sender.collectorId, message);
    await wire.send({
      cmd: 'publish',
      topic,
      payload: JSON.stringify(content),
      qos: 0,
      retain: false,
      dup: false,
      // [MQTT-3.3.4-3]
      ...(identifier !== undefined && { properties: { subscriptionIdentifier: identifier } }),
    });
  }

  /** Ends the connection of a collector that may not report, unless this version alone does not know it. */
  const expel = async (): Promise<void> =>
    wire.end((await schema.confirm()) ? 'shuttingDown' : 'notAuthorized');

  const wait = (seconds = 1): Promise<void> => pause(seconds * 1000, undefined, { ref: false });

  /** Repeats while the collector sends too fast, which slows it down. Undefined if the connection ends meanwhile. */
  async function takeInTime(
    message: CollectorMessage,
    payload: Buffer,
  ): Promise<Acknowledgement | undefined> {
    for (;;) {
      const acknowledgement = await inbox.take(collector, { message, payload });
      if (acknowledgement.status !== 429) return acknowledgement;
      await wait(acknowledgement.retryAfterSeconds);
      if (wire.isClosed) return undefined;
    }
  }

  return {
    connection,
    wire,
    async take(message, payload) {
      const acknowledgement = await takeInTime(message, payload);
      if (!acknowledgement) return false;
      await send('ack', acknowledgement);
      const { status } = acknowledgement;
      if (status === 401 || status === 403) await expel();
      // Without a PUBACK, a client sends the message again after it has reconnected.
      else if (status >= 500) wire.end('busy');
      else return true;
      return false;
    },
    subscribe(message, subscription) {
      const isNew = !wanted.has(message);
      wanted.set(message, subscription);
      if (isNew && message === 'command')
        leave = exchange.attend(sender, {
          deliver: (commands) => void send('command', { commands }),
          refuse: () => void expel(),
        });
    },
    unsubscribe(message) {
      if (!wanted.delete(message)) return false;
      if (message === 'command') leave?.();
      return true;
    },
    async paced() {
      const rate = await packetRate?.take(sender.collectorId);
      if (rate?.granted === false) await wait(rate.retryAfterSeconds);
    },
    seen: async () => markPosted(db, await collector(), clock.now()),
    lost: () => loseConnection(db, connection, clock.now()),
  };
}
