import type { IConnackPacket } from 'mqtt-packet';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { declareGauge } from '../http/metrics/declared.ts';
import { networkOf } from '../../../platform/kernel/addresses/networks.ts';
import { listStanding, openConnection } from '../../../fleet/collectors/connections.ts';
import { markPosted } from '../../../fleet/collectors/presence.ts';
import { createBoundedQueue, createQueues } from '../../../platform/kernel/bounded-queue.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { Siblings } from '../../../platform/kernel/siblings.ts';
import type { Observability } from '../http/observability.ts';
import { createTokenCheck, type TokenCheckDeps } from '../http/token-check.ts';
import { converse } from './conversation.ts';
import type { Connect } from './read-connect.ts';
import { reasons, type Reason } from './reasons.ts';
import { createSession, type MqttSession, type SessionDeps } from './session.ts';
import { createStrangerGate } from './stranger-gate.ts';
import { Violation } from './violation.ts';
import { createWire, type Wire, type WireLimits } from './wire.ts';

export interface BrokerDeps extends SessionDeps, TokenCheckDeps {
  readonly ids: IdSource;
  readonly metrics: Registry;
  readonly observability: Observability;
  /** The other processes at the same port, if there are any. */
  readonly siblings?: Pick<Siblings, 'tell' | 'hear'> | undefined;
}

export interface BrokerLimits extends WireLimits {
  /** Connections at once. */
  readonly connections: number;
  /** Of these, connections that have not presented a token yet. */
  readonly strangers: number;
  /** Of these, connections from one network. */
  readonly strangersOfNetwork: number;
  /** How long a refusal is delayed. It costs the server as much as admitting a collector; the delay slows down peers that connect again at once. */
  readonly refusalMs: number;
  /** How often to look for collectors that may no longer be connected. */
  readonly sweepMs: number;
}

/** The limits in production. */
export const BROKER_LIMITS: BrokerLimits = {
  connections: 20_000,
  strangers: 5_000,
  strangersOfNetwork: 1_000,
  publishBytes: 1024 * 1024,
  otherBytes: 4 * 1024,
  greetingMs: 10_000,
  drainMs: 30_000,
  refusalMs: 500,
  sweepMs: 5_000,
};

/** Few enough that reports which arrive meanwhile hardly wait. */
const SWEPT_AT_ONCE = 200;

/** Collectors admitted at once. When a whole fleet reconnects, reports wait for this many admissions, not for all of them. */
const ADMITTED_AT_ONCE = 64;

const REFUSED_RETRY_SECONDS = 5;

/** What processes tell each other when a collector has connected. */
const CONNECTED = 'collector connected';

/** Finds dead peers that have no keep alive of their own. */
const PROBE_AFTER_MS = 60_000;

/** The embedded broker. It forwards nothing between clients: collectors communicate only with the server. */
export interface Broker {
  accept(socket: Socket): void;
  /** Ends all connections once the messages in progress have been answered. */
  close(): Promise<void>;
}

export function createBroker(deps: BrokerDeps, limits: BrokerLimits): Broker {
  const { db, clock, ids, packetRate, metrics, observability, siblings, schema } = deps;
  /** By collector. */
  const sessions = new Map<string, MqttSession>();
  const wires = new Map<Wire, Promise<void>>();
  const admissions = createBoundedQueue({
    runningAtMost: ADMITTED_AT_ONCE,
    waitingAtMost: limits.strangers,
    waitingOfOriginAtMost: limits.strangers,
    retryAfterSeconds: REFUSED_RETRY_SECONDS,
  });
  /** One after the other, so that the database and `sessions` agree on which of several connections is the last. */
  const ofCollector = createQueues({
    runningAtMost: 1,
    waitingAtMost: limits.strangers,
    waitingOfOriginAtMost: limits.strangers,
    retryAfterSeconds: REFUSED_RETRY_SECONDS,
  });
  const admitStranger = createStrangerGate(limits);
  const checkToken = createTokenCheck(deps);
  let closing = false;

  declareGauge(metrics, 'helioport_mqtt_connections', (made) => made.set(sessions.size));

  /** Admits a collector with its token, and ends its former connection. Throws notAuthenticated, collectorRefused, tooManyRequests, unavailable. */
  async function admit(
    wire: Wire,
    { username = '', password }: Connect,
    address: string,
  ): Promise<MqttSession | undefined> {
    if (sessions.size >= limits.connections) throw new Failure('unavailable');
    const now = clock.now();
    const collector = await checkToken(address, () => ({
      token: password?.toString() ?? '',
      tokenId: username,
    }));
    const { id: collectorId } = collector;
    if ((await packetRate?.take(collectorId))?.granted === false)
      throw new Failure('tooManyRequests');
    const sender = { collectorId, tokenId: username };
    return ofCollector.run(collectorId, async () => {
      if (wire.isClosed) return undefined;
      const connection = await openConnection(db, ids, sender, now);
      await markPosted(db, collector, now);
      const session = createSession(deps, wire, connection, sender);
      sessions.get(collectorId)?.wire.end('takenOver');
      sessions.set(collectorId, session);
      siblings?.tell(CONNECTED, collectorId);
      return session;
    });
  }

  async function refuse(wire: Wire, error: unknown): Promise<void> {
    const code = error instanceof Failure ? error.code : undefined;
    if (await schema.confirm()) return wire.refuse('unavailable');
    await pause(limits.refusalMs, undefined, { ref: false });
    if (code === 'notAuthenticated') return wire.refuse('badCredentials');
    if (code === 'collectorRefused') return wire.refuse('notAuthorized');
    if (code === 'tooManyRequests') return wire.refuse('connectionRate');
    if (code === undefined) failed(error, 'connect');
    wire.refuse('unavailable');
  }

  const failed = (error: unknown, operation: string): void =>
    observability.failed(error, { requestId: '', listener: 'mqtt', operation });

  async function serve(wire: Wire, address: string, known: () => void): Promise<void> {
    const greeting = await wire.greeting();
    if (!greeting) return;
    const session = await admissions
      // A session that has gone while waiting must not end the connection that has replaced it.
      .run(async () => (wire.isClosed ? undefined : admit(wire, greeting, address)), {
        origin: networkOf(address),
      })
      .catch((error: unknown) => refuse(wire, error));
    if (!session) return;
    known();
    let saidGoodbye = false;
    try {
      await wire.send(connackOf(greeting, session, limits));
      saidGoodbye = await converse(session, greeting);
    } finally {
      const { collectorId } = session.connection;
      session.unsubscribe('command');
      if (sessions.get(collectorId) === session) sessions.delete(collectorId);
      // When the server stops, its collectors are not offline: they connect to another instance.
      if (!saidGoodbye && !closing) await session.lost();
    }
  }

  /** Ends connections whose token has ended, whose owner is disabled, or that were taken over on another instance. */
  async function sweep(): Promise<void> {
    const all = [...sessions.values()];
    for (let from = 0; from < all.length; from += SWEPT_AT_ONCE) {
      await endFallen(all.slice(from, from + SWEPT_AT_ONCE), 'notAuthorized');
      await nextTurn();
    }
  }

  async function endFallen(some: readonly MqttSession[], reason: Reason): Promise<void> {
    const standing = await listStanding(
      db,
      some.map(({ connection }) => connection.id),
      clock.now(),
    );
    const fallen = some.filter(({ connection }) => !standing.has(connection.id));
    if (fallen.length === 0) return;
    const ending = (await schema.confirm()) ? 'shuttingDown' : reason;
    for (const { wire } of fallen) wire.end(ending);
  }

  // A collector that has connected to another process. The database knows which of two connections is the current one; if it is away, the next
  // sweep asks it.
  siblings?.hear(CONNECTED, (collectorId) => {
    const session = sessions.get(collectorId);
    if (session) void endFallen([session], 'takenOver').catch(() => {});
  });
  // If the database is away, the next sweep finds them.
  const sweeping = setInterval(() => void sweep().catch(() => {}), limits.sweepMs).unref();

  return {
    accept(socket) {
      if (closing) return void socket.destroy();
      const address = socket.remoteAddress ?? '';
      const known = admitStranger(socket);
      if (!known) return;
      socket.setNoDelay(true);
      socket.setKeepAlive(true, PROBE_AFTER_MS);
      const wire = createWire(socket, limits);
      const served = serve(wire, address, () => known.abort())
        .catch((error: unknown) => {
          if (error instanceof Violation) wire.end(error.reason);
          else failed(error, 'connection');
        })
        .finally(async () => {
          known.abort();
          await wire.over();
          wires.delete(wire);
        });
      wires.set(wire, served);
    },
    async close() {
      closing = true;
      clearInterval(sweeping);
      for (const wire of wires.keys()) wire.endSoon('shuttingDown');
      await Promise.all(wires.values());
    },
  };
}

function connackOf(
  { version, clientId }: Connect,
  { connection }: MqttSession,
  { publishBytes }: BrokerLimits,
): IConnackPacket {
  // No session outlives its connection: everything lost with it is sent again or read back.
  const accepted = { cmd: 'connack', sessionPresent: false } as const;
  if (version !== 5) return { ...accepted, returnCode: 0 };
  // No Receive Maximum: the broker takes one message at a time, so that further ones wait in the connection.
  const properties = {
    sessionExpiryInterval: 0,
    maximumQoS: 1,
    retainAvailable: false,
    maximumPacketSize: publishBytes,
    sharedSubscriptionAvailable: false,
    ...(clientId === '' && { assignedClientIdentifier: connection.collectorId }),
  };
  return { ...accepted, reasonCode: reasons.success, properties };
}
