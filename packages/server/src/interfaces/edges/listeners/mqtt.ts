import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import type { OpenBuckets } from '../../../platform/kernel/token-buckets.ts';
import { expiryOf } from '../../../platform/kernel/surroundings/certificate.ts';
import { declareGauge } from '../http/metrics/declared.ts';
import { BROKER_LIMITS, createBroker, type BrokerDeps, type BrokerLimits } from '../mqtt/broker.ts';
import { createStrangerGate } from '../mqtt/stranger-gate.ts';
import { readNamedFile } from '../../../platform/kernel/files/read-file.ts';
export { tryBroker } from '../mqtt/external.ts';
import { joinBroker, type ExternalBroker, type ExternalBrokerDeps } from '../mqtt/external.ts';
import { StartFault, type Listener } from './listener.ts';

/** Settings of the embedded broker. */
export interface MqttConfig {
  /** Absolute path of a PEM file; null = no TLS. */
  readonly mqttTlsCert: string | null;
  readonly mqttTlsKey: string | null;
  /** Connections of one network that have not presented a token yet. */
  readonly mqttStrangers: number;
}

export interface MqttListenerDeps extends Omit<BrokerDeps, 'packetRate'> {
  readonly config: MqttConfig;
  /** Limit for the connections of each collector, and for its packets that carry no message; null = no limit. */
  readonly perSecond: number | null;
  /** Where these are counted. */
  readonly buckets: OpenBuckets;
  readonly limits?: BrokerLimits;
}

/** The listener of the embedded MQTT broker. Throws StartFault. */
export function createMqtt({
  config,
  perSecond,
  limits = { ...BROKER_LIMITS, strangersOfNetwork: config.mqttStrangers },
  buckets,
  ...deps
}: MqttListenerDeps): Listener {
  const sockets = new Set<Socket>();
  const packetRate =
    perSecond === null
      ? null
      : buckets('collector packets', { capacity: perSecond, refillPerSecond: perSecond });
  const broker = createBroker({ ...deps, packetRate }, limits);
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    broker.accept(socket);
  };
  const { server, certificate } = serverOf(config, accept, limits);
  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    await broker.close();
    await closed;
  }
  let expiresAt = certificate && expiryOf(certificate.cert);
  if (expiresAt !== undefined)
    declareGauge(deps.metrics, 'helioport_certificate_expiry_timestamp_seconds', (made) =>
      made.set({ listener: 'mqtt' }, expiresAt! / 1000),
    );
  return {
    server: {
      address: () => server.address(),
      closeAllConnections() {
        for (const socket of sockets) socket.destroy();
      },
    },
    listen: ({ host, port }) =>
      new Promise<void>((resolve, reject) => {
        server
          .once('error', reject)
          .listen(port, host, () => resolve(void server.off('error', reject)));
      }),
    reload() {
      if (!(server instanceof TlsServer)) return;
      const renewed = certificateOf(config)!;
      server.setSecureContext(renewed);
      expiresAt = expiryOf(renewed.cert);
    },
    retire: close,
    close,
  };
}

/** A listener that is connected to an external broker as long as it listens. */
export function besideExternalBroker(
  listener: Listener,
  deps: ExternalBrokerDeps,
): Listener & Pick<ExternalBroker, 'ailment'> {
  let broker: ExternalBroker | undefined;
  return {
    ailment: () => broker?.ailment(),
    reload() {
      listener.reload?.();
      broker?.reload();
    },
    server: listener.server,
    async listen(options) {
      await listener.listen(options);
      broker = joined(deps);
    },
    async retire() {
      await broker?.close();
      broker = undefined;
    },
    async close() {
      await Promise.all([listener.close(), broker?.close()]);
    },
  };
}

/** Throws StartFault if the certificates cannot be used. */
function joined(deps: ExternalBrokerDeps): ExternalBroker {
  try {
    return joinBroker(deps);
  } catch (error) {
    throw new StartFault(
      `the certificates for the broker of HELIOPORT_MQTT_URL cannot be used: ${(error as Error).message}`,
    );
  }
}

/** Bounds the connections of a network whose handshake is under way, of which the broker does not know yet. */
function boundHandshakes(server: Server, limits: BrokerLimits): void {
  const admitStranger = createStrangerGate(limits);
  const underWay = new Map<string, AbortController>();
  const peerOf = ({ remoteAddress = '', remotePort }: Socket): string =>
    `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const [peer, shaken] = [peerOf(socket), admitStranger(socket)];
    if (!shaken) return;
    underWay.set(peer, shaken);
    socket.once('close', () => {
      shaken.abort();
      if (underWay.get(peer) === shaken) underWay.delete(peer);
    });
  });
  server.on('secureConnection', (socket: Socket) => underWay.get(peerOf(socket))?.abort());
}

interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The certificate and its key; undefined without TLS. */
function certificateOf({ mqttTlsCert, mqttTlsKey }: MqttConfig): Certificate | undefined {
  return mqttTlsCert === null || mqttTlsKey === null
    ? undefined
    : { cert: readNamedFile(mqttTlsCert), key: readNamedFile(mqttTlsKey) };
}

function serverOf(
  config: MqttConfig,
  accept: (socket: Socket) => void,
  limits: BrokerLimits,
): { readonly server: Server; readonly certificate: Certificate | undefined } {
  try {
    const certificate = certificateOf(config);
    if (!certificate) return { server: createServer(accept), certificate };
    const { greetingMs: handshakeTimeout } = limits;
    const server = createTlsServer({ ...certificate, handshakeTimeout }, accept);
    boundHandshakes(server, limits);
    // A connection whose handshake fails has ended.
    server.on('tlsClientError', () => {});
    return { server, certificate };
  } catch (error) {
    throw new StartFault(
      `the certificate of HELIOPORT_MQTT_TLS_CERT and HELIOPORT_MQTT_TLS_KEY cannot be used: ${(error as Error).message}`,
    );
  }
}
