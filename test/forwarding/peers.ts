import { makeCertificate } from './sinks/certificates.ts';
import { openGate } from './sinks/gate.ts';
import { CREDENTIALS, hasMosquitto, startMosquitto } from './sinks/mosquitto.ts';
import { startStandIn } from './sinks/rocketmq-stand-in.ts';
import type { Peer as SinkPeer, Received } from './sinks/suite.ts';
import { openWebhookEndpoint, SECRET } from './sinks/webhook-endpoint.ts';
import type { Wants } from './scene.ts';

/** A receiver over some transport, with TLS and credentials, behind a gate. */
export interface Peer extends Pick<SinkPeer, 'gate' | 'received'> {
  readonly url: string;
  readonly wants: Wants;
  close(): Promise<void>;
}

/** The signing secret of an HTTP receiver, which a destination would have made by itself. */
export const SIGNED_WITH = SECRET;

/** Receivers by transport. `limitMs`: how long an attempt that fails may take: what a client needs to notice, and not much more. */
export const transports = {
  HTTP: { isThere: true, limitMs: 400, open: openHttp },
  'MQTT 5': { isThere: hasMosquitto, limitMs: 400, open: () => openMqtt('5') },
  'MQTT 3.1.1': { isThere: hasMosquitto, limitMs: 400, open: () => openMqtt('3.1.1') },
  RocketMQ: { isThere: true, limitMs: 1_500, open: openRocketMq },
} as const;

async function openHttp(): Promise<Peer> {
  const certificate = makeCertificate();
  const endpoint = await openWebhookEndpoint(certificate);
  return behindGate(endpoint.port, certificate, {
    scheme: 'https',
    wants: {},
    received: () => endpoint.deliveries,
    close: () => endpoint.close(),
  });
}

async function openMqtt(protocolVersion: '5' | '3.1.1'): Promise<Peer> {
  const certificate = makeCertificate();
  const mosquitto = await startMosquitto(certificate);
  return behindGate(mosquitto.port, certificate, {
    scheme: 'mqtts',
    wants: { protocolVersion, topic: 'solar/{plantId}/{deviceSn}/{kind}', ...CREDENTIALS },
    received: () => mosquitto.messages,
    close: () => mosquitto.close(),
  });
}

async function openRocketMq(): Promise<Peer> {
  const certificate = makeCertificate();
  const standIn = await startStandIn(certificate);
  const peer = await behindGate(standIn.port, certificate, {
    scheme: 'rocketmqs',
    wants: { topic: 'solar', username: 'key', password: 'secret' },
    received: () => standIn.messages,
    close: async () => standIn.close(),
  });
  standIn.route = { host: 'localhost', port: peer.gate.port };
  return peer;
}

interface Receiving {
  readonly scheme: string;
  readonly wants: Wants;
  received(): readonly Received[];
  close(): Promise<void>;
}

async function behindGate(
  port: number,
  certificate: ReturnType<typeof makeCertificate>,
  { scheme, wants, received, close }: Receiving,
): Promise<Peer> {
  const gate = await openGate(port);
  return {
    gate,
    url: `${scheme}://localhost:${gate.port}`,
    wants: { ...wants, caCertificates: certificate.cert },
    received,
    async close() {
      await gate.close();
      await close();
      certificate.remove();
    },
  };
}
