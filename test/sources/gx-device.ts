import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connectAsync } from 'mqtt';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '../support/free-port.ts';

export const hasMosquitto = spawnSync('mosquitto', ['-h']).error === undefined;
if (!hasMosquitto) console.log('skipped: Victron over MQTT (Mosquitto is not installed)');

export const PORTAL = 'c0619ab00001';

/** 1,500 W are sold by two phases, the battery is charged, and the third phase is not there. */
export const GX_VALUES: Readonly<Record<string, unknown>> = {
  'system/0/Serial': PORTAL,
  'system/0/Ac/Grid/L1/Power': -1000,
  'system/0/Ac/Grid/L2/Power': -500,
  'system/0/Ac/Grid/L3/Power': null,
  'system/0/Ac/Grid/NumberOfPhases': 2,
  'system/0/Ac/PvOnOutput/L1/Power': 2000,
  'system/0/Ac/PvOnGrid/L2/Power': 300.5,
  'system/0/Ac/Consumption/L1/Power': 700,
  'system/0/Ac/Consumption/L2/Power': 100,
  'system/0/Dc/Pv/Power': 1234.5,
  'system/0/Dc/Battery/Power': 950,
  'system/0/Dc/Battery/Soc': 81.5,
  'system/0/Dc/Battery/Voltage': 52.1,
  'system/0/Dc/Battery/Current': 18.2,
  'system/0/Relay/0/State': 1,
  'grid/30/Serial': 'BP98305081235',
  'grid/30/ProductName': 'Grid meter',
  'grid/30/Ac/L1/Power': -1000,
  'grid/30/Ac/L2/Power': -500,
  'grid/30/Ac/L1/Voltage': 231.2,
  'grid/30/Ac/L1/Current': -4.3,
  'grid/30/Ac/Energy/Forward': 1234.5,
  'grid/30/Ac/Energy/Reverse': 5432.1,
};

/** A GX device: a broker of somebody else's, and what says on it what a device says. */
export interface GxDevice {
  readonly port: number;
  /** Payloads of keep-alives. */
  readonly keepAlives: string[];
  readonly connections: () => number;
  say(path: string, payload: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface GxOptions {
  readonly values?: () => Readonly<Record<string, unknown>>;
  /** As firmware before 3.20: it keeps what it has said, and does not say when that is everything. */
  readonly isOld?: boolean;
  /** Nothing at all is said. */
  readonly isMute?: boolean;
  readonly host?: string;
  readonly port?: number;
}

export async function startGxDevice({
  values = () => GX_VALUES,
  isOld = false,
  isMute = false,
  host = '127.0.0.1',
  port: given,
}: GxOptions = {}): Promise<GxDevice> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-gx-'));
  const port = given ?? (await freePort());
  const settings = [
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    `listener ${port} ${host}`,
    'allow_anonymous true',
    'persistence false',
    'set_tcp_nodelay true',
    'log_type all',
  ];
  writeFileSync(join(folder, 'mosquitto.conf'), settings.join('\n'));
  const child = spawn('mosquitto', ['-c', join(folder, 'mosquitto.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const { promise: running, resolve, reject } = Promise.withResolvers<void>();
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (/running/.test(output)) resolve();
  });
  child.once('exit', () => reject(new Error(output)));
  await running;
  const client = await connectAsync(`mqtt://${host}:${port}`, { clientId: 'gx' });
  const keepAlives: string[] = [];
  const say = (path: string, payload: string) =>
    client.publishAsync(`N/${PORTAL}/${path}`, payload, { retain: isOld });
  const serial = JSON.stringify({ value: PORTAL });
  if (!isMute) {
    client.on('message', (_, payload) => {
      keepAlives.push(payload.toString());
      if (payload.includes('suppress-republish')) return;
      for (const [path, value] of Object.entries(values()))
        void say(path, JSON.stringify({ value }));
      if (!isOld) void say('full_publish_completed', '{"value":1702459522}');
    });
    await client.subscribeAsync(`R/${PORTAL}/keepalive`);
    await client.publishAsync(`N/${PORTAL}/system/0/Serial`, serial, { retain: true });
  }
  return {
    port,
    keepAlives,
    connections: () => output.match(/New client connected/g)!.length - 1,
    say,
    async close() {
      await client.endAsync(true);
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
