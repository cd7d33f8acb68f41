import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connectAsync, type IPublishPacket } from 'mqtt';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '../../support/free-port.ts';
import { vi } from 'vitest';
import type { Certificate } from './certificates.ts';
import type { Received } from './suite.ts';

export const hasMosquitto = spawnSync('mosquitto', ['-h']).error === undefined;
if (!hasMosquitto) console.log('skipped: the MQTT sink (Mosquitto is not installed)');

export interface MqttMessage extends Received {
  readonly topic: string;
  readonly packet: IPublishPacket;
}

/** Mosquitto with TLS and credentials, and a subscriber to everything. */
export interface Mosquitto {
  readonly port: number;
  readonly messages: MqttMessage[];
  /** Subscriptions that it has granted so far. */
  subscriptions(): number;
  close(): Promise<void>;
}

export const CREDENTIALS = { username: 'solar', password: 'p@ss:word/1' };

export async function startMosquitto({ certFile, keyFile, cert }: Certificate): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-mosquitto-'));
  const port = await freePort();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const passwords = file('passwords', '');
  const access = file('acl', `user ${CREDENTIALS.username}\ntopic readwrite solar/#\n`);
  spawnSync('mosquitto_passwd', ['-b', passwords, CREDENTIALS.username, CREDENTIALS.password]);
  const settings = [
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    `listener ${port} 127.0.0.1`,
    `certfile ${certFile}`,
    `keyfile ${keyFile}`,
    'allow_anonymous false',
    `password_file ${passwords}`,
    `acl_file ${access}`,
    'max_packet_size 65536',
    'persistence false',
    // A subscriber that falls behind for a moment misses nothing.
    'max_queued_messages 0',
    'set_tcp_nodelay true',
    'log_type all',
  ];
  const child = spawn('mosquitto', ['-c', file('mosquitto.conf', settings.join('\n'))], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { promise: running, resolve, reject } = Promise.withResolvers<void>();
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (/running/.test(output)) resolve();
  });
  const ended = once(child, 'close');
  void ended.then(() => reject(new Error(`mosquitto ended:\n${output}`)));
  await running;

  const messages: MqttMessage[] = [];
  const subscriber = await connectAsync(`mqtts://localhost:${port}`, {
    ...CREDENTIALS,
    ca: cert,
    protocolVersion: 5,
  });
  subscriber.on('message', (topic, payload, packet) => {
    const body = payload.toString('utf8');
    messages.push({ id: idOf(body), body, topic, packet });
  });
  await subscriber.subscribeAsync('solar/#', { qos: 1 });
  const subscriptions = (): number => output.split('Sending SUBACK').length - 1;
  // The log is behind.
  await vi.waitUntil(() => subscriptions() === 1, 60_000);
  return {
    port,
    messages,
    subscriptions,
    async close() {
      await subscriber.endAsync(true);
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const idOf = (body: string): string => (JSON.parse(body) as { id: string }).id;
