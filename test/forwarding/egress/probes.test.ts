import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEgress, type Egress } from '../../../packages/server/src/platform/egress/egress.ts';
import { checkDestination } from '../../../packages/server/src/outbound/sinks/check.ts';
import { openSink } from '../../../packages/server/src/outbound/sinks/open.ts';
import type { OpenDestination } from '../../../packages/server/src/outbound/sinks/sink.ts';
import { makeEvent } from '../sinks/events.ts';
import { openScriptedBroker } from '../sinks/scripted-broker.ts';
import { createClock, LOOPBACK, silent, unstopped } from '../sinks/suite.ts';
import { hostProbes, nameProbes } from './probes.ts';

const settings = { id: '1', caCertificates: null, username: null, password: null };
const destinations = {
  https: (url: string): OpenDestination => ({
    ...settings,
    transport: 'http',
    url,
    secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`],
    batches: false,
    gzip: false,
  }),
  mqtts: (url: string): OpenDestination => ({
    ...settings,
    transport: 'mqtt',
    url,
    protocolVersion: '5',
    topic: '{kind}',
  }),
  rocketmqs: (url: string): OpenDestination => ({
    ...settings,
    transport: 'rocketmq',
    url,
    topic: 'solar',
  }),
};

/** Would be heard of by every connection to this machine. */
let port: number;
let connections = 0;
const canaries = ['127.0.0.1', '::1'].map((host) => ({
  host,
  server: createServer((socket) => void (connections++, socket.destroy())),
}));

beforeAll(async () => {
  port = 0;
  for (const { host, server } of canaries) {
    await once(server.listen(port, host), 'listening');
    ({ port } = server.address() as AddressInfo);
  }
});
afterAll(() => {
  for (const { server } of canaries) server.close();
});
beforeEach(() => {
  connections = 0;
});

const answers = new Map(nameProbes);
const guarded = createEgress({ allow: [], resolveName: async (name) => answers.get(name) ?? [] });

async function attemptAt(destination: OpenDestination, egress: Egress): Promise<unknown> {
  const sink = await openSink(destination, {
    egress,
    clock: createClock(),
    logger: silent,
    limitMs: 10_000,
  });
  try {
    return await sink.send([makeEvent()], unstopped);
  } finally {
    await sink.close();
  }
}

const refused = { kind: 'failed', reason: 'the host is not on the public internet' };

describe.each(Object.entries(destinations))('%s', (scheme, destination) => {
  const names = nameProbes.map(([name]) => name);

  test(`refuses ${hostProbes.length + names.length} hosts when a destination is made`, async () => {
    for (const host of [...hostProbes, ...names]) {
      await expect(
        checkDestination(destination(`${scheme}://${host}:${port}`), guarded),
        host,
      ).rejects.toMatchObject({
        code: 'invalidValue',
        data: { field: 'url' },
      });
    }
    expect(connections).toBe(0);
  });

  test('refuses them at each connection too', async () => {
    // The official client of RocketMQ knows no IPv6 in addresses; names and routes lead it there.
    const hosts = [...hostProbes, ...names].filter(
      (host) => scheme !== 'rocketmqs' || !host.startsWith('['),
    );
    for (const host of hosts)
      expect(await attemptAt(destination(`${scheme}://${host}:${port}`), guarded), host).toEqual(
        refused,
      );
    expect(connections).toBe(0);
  });

  test('refuses what the system calls this machine', async () => {
    const egress = createEgress({ allow: [] });
    for (const host of ['localhost', 'localhost.', 'LOCALHOST'])
      expect(await attemptAt(destination(`${scheme}://${host}:${port}`), egress), host).toEqual(
        refused,
      );
    expect(connections).toBe(0);
  });

  test('asks anew at each connection, so that a name that turns inward is refused', async () => {
    let asked = 0;
    const turning = createEgress({
      allow: [],
      resolveName: async () => (asked++ === 0 ? ['93.184.216.34'] : ['127.0.0.1']),
    });
    const turned = destination(`${scheme}://turning.example:${port}`);
    await checkDestination(turned, turning);
    expect(await attemptAt(turned, turning)).toEqual(refused);
    expect([asked, connections]).toEqual([2, 0]);
  });

  test('goes in the clear to no host but those that the operator allows', async () => {
    const plain = destination(`${scheme.slice(0, -1)}://public.example:${port}`);
    const egress = createEgress({ allow: [], resolveName: async () => ['93.184.216.34'] });
    await expect(checkDestination(plain, egress)).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field: 'url' },
    });
    expect(await attemptAt(plain, egress)).toMatchObject({
      reason:
        'the connection is not encrypted, and the operator has not allowed that for this host',
    });
  });

  test('reaches what the operator allows', async () => {
    const egress = createEgress({ allow: LOOPBACK, resolveName: async () => ['127.0.0.1'] });
    await checkDestination(destination(`${scheme}://127.0.0.1:${port}`), egress);
    expect(
      await attemptAt(destination(`${scheme}://inside.example:${port}`), egress),
    ).toMatchObject({ kind: 'failed' });
    expect(connections).toBeGreaterThan(0);
  });
});

test.each(['https', 'mqtts'] as const)(
  '%s connects to the very address that was judged',
  async (scheme) => {
    let asked = 0;
    // A second look-up would lead elsewhere.
    const egress = createEgress({
      allow: LOOPBACK,
      resolveName: async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.9.9.9']),
    });
    expect(
      await attemptAt(destinations[scheme](`${scheme}://turning.example:${port}`), egress),
    ).toMatchObject({ kind: 'failed' });
    expect([asked, connections]).toEqual([1, 1]);
  },
);

test('a broker that has moved is not followed', async () => {
  const broker = await openScriptedBroker();
  const reference = Buffer.from(`127.0.0.1:${port}`);
  // A DISCONNECT with "Server moved" and a Server Reference.
  const property = Buffer.concat([Buffer.from([0x1c, 0, reference.length]), reference]);
  broker.onPublication = (_, socket) =>
    void socket.end(
      Buffer.concat([Buffer.from([0xe0, property.length + 2, 0x9d, property.length]), property]),
    );
  const destination = destinations.mqtts(`mqtt://127.0.0.1:${broker.port}`);
  expect(await attemptAt(destination, createEgress({ allow: LOOPBACK }))).toEqual({
    kind: 'failed',
    reason: 'the broker ended the connection (reason 157)',
  });
  expect(connections).toBe(0);
  broker.close();
});

describe('the thread of RocketMQ’s client', () => {
  interface Attempt {
    readonly way: string;
    readonly host: string;
    readonly connected: boolean;
  }

  const attempts = async (
    allowed: readonly string[],
    hosts: readonly string[],
  ): Promise<Attempt[]> => {
    const worker = new Worker(new URL('restricted-thread.ts', import.meta.url), {
      workerData: { allowed, hosts, port },
    });
    const [made] = (await once(worker, 'message')) as [Attempt[]];
    await worker.terminate();
    return made;
  };

  test('connects to none of the hosts, whichever way: sockets, TLS, HTTP/2, pipes', async () => {
    const hosts = [
      ...hostProbes.map((host) => host.replace(/^\[(.*)\]$/, '$1')),
      'localhost',
      '/var/run/pipe.sock',
    ];
    const made = await attempts([], hosts);
    expect(made.length).toBeGreaterThanOrEqual(hosts.length * 3);
    expect(made.filter(({ connected }) => connected)).toEqual([]);
    expect(connections).toBe(0);
  });

  test.skipIf(process.platform === 'win32')(
    'connects to no pipe, and to nothing that is not an address, though the operator allows this machine',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'helioport-pipe-'));
      const pipe = createServer(() => void connections++).listen(join(folder, 'pipe.sock'));
      await once(pipe, 'listening');
      const made = await attempts(LOOPBACK, [join(folder, 'pipe.sock'), '0x7f.1']);
      // In addresses of the web, the second is one.
      expect(made.filter(({ way, connected }) => connected && way !== 'http2')).toEqual([]);
      pipe.close();
      rmSync(folder, { recursive: true, force: true });
    },
  );

  test('connects to those that the operator allows', async () => {
    const made = await attempts(LOOPBACK, ['127.0.0.1']);
    expect(made.map(({ connected }) => connected)).toEqual(made.map(() => true));
    expect(connections).toBe(made.length);
  });
});
