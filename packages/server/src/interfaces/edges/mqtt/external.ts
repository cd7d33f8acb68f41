import { isDeepStrictEqual } from 'node:util';
import { connect, type IPublishPacket } from 'mqtt';
import { collectorPublishes, collectorTopic, type ServerMessage } from '@helioport/contract';
import type { Registry } from 'prom-client';
import { declareGauge } from '../http/metrics/declared.ts';
import {
  getReportingCollector,
  type ReportingCollector,
} from '../../../fleet/collectors/authenticate.ts';
import type { CommandExchange } from '../../../control/commands/exchange.ts';
import { graceMs } from '../../../fleet/devices/states.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { randomHex } from '../../../platform/kernel/secrets.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { expiryOf } from '../../../platform/kernel/surroundings/certificate.ts';
import type { Observability } from '../http/observability.ts';
import { expiryOfPeer, readIdentity, type BrokerFiles } from './broker-identity.ts';
import { isFarewell, type Inbox } from './inbox.ts';
import { collectorMessageOf } from './topics.ts';

export interface ExternalBrokerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly inbox: Inbox;
  readonly exchange: CommandExchange;
  readonly metrics: Registry;
  readonly observability: Observability;
  /** Its address, with user and password. */
  readonly url: string;
  readonly files: BrokerFiles;
}

/** The connection to an external broker. */
export interface ExternalBroker {
  /** Why nothing is received from it now; undefined if nothing is wrong. */
  ailment(): string | undefined;
  /** Reads the certificates again and, if they are others, connects anew with them. Throws if they cannot be used; then the former ones stay. */
  reload(): void;
  /** Resolves when what was received has been answered. */
  close(): Promise<void>;
}

/** Shared subscriptions: each message reaches one instance. */
const topics = collectorPublishes.map(
  (message) => `$share/helioport/${collectorTopic('+', message)}`,
);

/** Maximum number of messages in progress; the broker keeps the others. */
const AT_ONCE = 200;

const PACKET_BYTES = 1024 * 1024;

/** An instruction that the broker cannot deliver within this time would arrive too late. */
const COMMAND_EXPIRY_SECONDS = 10;

const RECONNECT_MS = 1_000;
const FORGET_EVERY_MS = 10_000;

/** Connects to an external broker as soon as it can be reached, and again whenever the connection is lost. */
export function joinBroker({
  db,
  clock,
  inbox,
  exchange,
  metrics,
  observability,
  url,
  files,
}: ExternalBrokerDeps): ExternalBroker {
  /** Collectors that have sent something through the broker, and until when they count as connected to it. */
  const heard = new Map<string, number>();
  const attended = new Map<string, () => void>();
  /** The last message in progress of each collector, whose messages are taken one at a time. */
  const lines = new Map<string, Promise<void>>();
  const { address, ...credentials } = partsOf(url);
  let isSubscribed = false;
  let lastFault: string | undefined;
  let identity = readIdentity(files);
  let peerExpiresAt: number | undefined;
  let inWork = 0;
  let resume: (() => void) | undefined;

  const client = connect(address, {
    ...credentials,
    ...identity,
    protocolVersion: 5,
    clientId: `helioport-${randomHex(8)}`,
    reconnectPeriod: RECONNECT_MS,
    // One that refuses may have its users later, or again.
    reconnectOnConnackError: true,
    resubscribe: false,
    queueQoSZero: false,
    properties: { receiveMaximum: AT_ONCE, maximumPacketSize: PACKET_BYTES },
  });
  const failed = (operation: string, error: unknown): void =>
    observability.failed(error, { requestId: '', listener: 'mqtt', operation });

  declareGauge(metrics, 'helioport_mqtt_broker_connected', (made) =>
    made.set(isSubscribed ? 1 : 0),
  );

  declareGauge(metrics, 'helioport_certificate_expiry_timestamp_seconds', (made) => {
    made.reset();
    if (peerExpiresAt !== undefined) made.set({ listener: 'broker' }, peerExpiresAt / 1000);
    if (identity.cert) made.set({ listener: 'mqtt' }, expiryOf(identity.cert) / 1000);
  });

  function send(
    collectorId: string,
    message: ServerMessage,
    content: object,
    expirySeconds?: number,
  ): void {
    const properties = expirySeconds === undefined ? {} : { messageExpiryInterval: expirySeconds };
    // With QoS 0, the broker keeps nothing for later: an instruction must not arrive late, and a report without its ack is sent again.
    client.publish(
      collectorTopic(collectorId, message),
      JSON.stringify(content),
      { qos: 0, properties },
      () => {},
    );
  }

  function attend(collectorId: string): void {
    if (attended.has(collectorId)) return;
    const leave = exchange.attend(
      { collectorId },
      {
        deliver: (commands) => send(collectorId, 'command', { commands }, COMMAND_EXPIRY_SECONDS),
        refuse: () => forget(collectorId),
      },
    );
    attended.set(collectorId, leave);
  }

  function forget(collectorId: string): void {
    heard.delete(collectorId);
    attended.get(collectorId)?.();
    attended.delete(collectorId);
  }

  async function take(collectorId: string, delivery: Parameters<Inbox['take']>[1]): Promise<void> {
    let known: ReportingCollector | undefined;
    const acknowledgement = await inbox.take(
      async () => (known = await getReportingCollector(db, { collectorId }, clock.now())),
      delivery,
    );
    // A last will needs no ack.
    if (isFarewell(delivery)) return forget(collectorId);
    if (known) {
      heard.set(collectorId, clock.now() + graceMs(known.expectedSeconds));
      if (client.connected) attend(collectorId);
    }
    send(collectorId, 'ack', acknowledgement);
  }

  function receive({ topic, payload, retain }: IPublishPacket): void {
    const found = collectorMessageOf(topic);
    // Retained messages are old.
    if (!found || retain) return;
    const { collectorId, message } = found;
    inWork += 1;
    const line = (lines.get(collectorId) ?? Promise.resolve())
      .then(() => take(collectorId, { message, payload: Buffer.from(payload) }))
      .catch((error: unknown) => failed(message, error))
      .finally(() => {
        inWork -= 1;
        if (lines.get(collectorId) === line) lines.delete(collectorId);
        resume?.();
        resume = undefined;
      });
    lines.set(collectorId, line);
  }

  client.handleMessage = (packet, done) => {
    receive(packet);
    // The broker sends nothing more until this one is acknowledged.
    if (inWork < AT_ONCE) done();
    else resume = done;
  };
  client.on('connect', () => {
    peerExpiresAt = expiryOfPeer(client.stream);
    client.subscribe(topics, { qos: 1 }, (error) => {
      if (error) failed('subscribe', error);
      else {
        isSubscribed = true;
        lastFault = undefined;
      }
    });
    for (const collectorId of heard.keys()) attend(collectorId);
  });
  client.on('close', () => {
    isSubscribed = false;
    // Instructions that cannot be delivered must not be handed over.
    for (const leave of attended.values()) leave();
    attended.clear();
  });
  client.on('error', (error) => {
    // What is tried every second is logged once.
    if (lastFault !== error.message) failed('connect', error);
    lastFault = error.message;
  });

  const forgetting = setInterval(() => {
    for (const [collectorId, until] of heard) if (until <= clock.now()) forget(collectorId);
  }, FORGET_EVERY_MS).unref();

  return {
    ailment: () =>
      isSubscribed
        ? undefined
        : `the MQTT broker of HELIOPORT_MQTT_URL is not connected${lastFault === undefined ? '' : `: ${lastFault}`}`,
    reload() {
      const renewed = readIdentity(files);
      if (isDeepStrictEqual(renewed, identity)) return;
      identity = renewed;
      // What the next connection is made with, which comes by itself once this one has ended.
      Object.assign(client.options, renewed);
      if (client.connected) client.stream.end();
    },
    async close() {
      clearInterval(forgetting);
      for (const collectorId of heard.keys()) forget(collectorId);
      // While there is no connection, both would wait for one.
      if (client.connected) await client.unsubscribeAsync(topics).catch(() => {});
      await Promise.allSettled(lines.values());
      await client.endAsync(!client.connected);
    },
  };
}

const TRY_MS = 5_000;

/** Whether a broker can be used: what is wrong, or until when its certificate is valid, in epoch milliseconds. */
export interface BrokerTrial {
  readonly fault?: string;
  readonly expiresAt?: number;
}

/** Connects to a broker once, as another client. Throws if the files cannot be used. */
export async function tryBroker(url: string, files: BrokerFiles): Promise<BrokerTrial> {
  const { address, ...credentials } = partsOf(url);
  const client = connect(address, {
    ...credentials,
    ...readIdentity(files),
    protocolVersion: 5,
    clientId: `helioport-${randomHex(8)}`,
    reconnectPeriod: 0,
    connectTimeout: TRY_MS,
  });
  const { promise, resolve } = Promise.withResolvers<BrokerTrial>();
  const late = setTimeout(() => resolve({ fault: 'it does not answer' }), TRY_MS);
  client.on('error', ({ message }) => resolve({ fault: message }));
  client.on('close', () => resolve({ fault: 'it closed the connection' }));
  client.on('connect', () => {
    const expiresAt = expiryOfPeer(client.stream);
    resolve(expiresAt === undefined ? {} : { expiresAt });
  });
  const trial = await promise;
  clearTimeout(late);
  client.end(true);
  return trial;
}

/** Address and credentials apart: the client library splits them at the wrong colon if the password contains one. */
function partsOf(url: string): { address: string; username?: string; password?: string } {
  const parsed = new URL(url);
  const { username, password } = parsed;
  parsed.username = '';
  parsed.password = '';
  if (username === '') return { address: parsed.href };
  return {
    address: parsed.href,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}
