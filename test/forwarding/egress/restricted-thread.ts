import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import { mayReach } from '../../../packages/server/src/platform/egress/addresses.ts';
import { restrictConnections } from '../../../packages/server/src/outbound/sinks/rocketmq/restrict.ts';

const { allowed, hosts, port } = workerData as {
  allowed: readonly string[];
  hosts: readonly string[];
  port: number;
};

restrictConnections({
  mayConnect: (address) => mayReach(address, allowed, true),
  resolve: () => Promise.reject(new Error('not public')),
});

/** Whether a socket got through to the other side. */
const isConnected = (open: () => Socket): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = open();
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
  });

const ways: Readonly<Record<string, (host: string) => Promise<boolean>>> = {
  net: (host) =>
    isConnected(() =>
      connect(host.startsWith('/') ? { path: host, host: '127.0.0.1', port } : { host, port }),
    ),
  numbers: (host) => isConnected(() => connect({ port, host, family: 0 })),
  tls: (host) => isConnected(() => connectTls({ host, port })),
  http2: (host) =>
    new Promise((resolve) => {
      const session = connectHttp2(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
      // It says so of a socket that is already destroyed, too.
      session.on('connect', (_, socket) => resolve(!socket.destroyed));
      session.on('error', () => resolve(false));
    }),
};

const attempts: { way: string; host: string; connected: boolean }[] = [];
for (const host of hosts)
  for (const [way, attempt] of Object.entries(ways))
    attempts.push({ way, host, connected: await attempt(host).catch(() => false) });
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a thread's port has no origin
parentPort!.postMessage(attempts);
