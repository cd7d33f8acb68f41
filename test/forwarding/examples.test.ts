import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEgress } from '../../packages/server/src/platform/egress/egress.ts';
import { openSink } from '../../packages/server/src/outbound/sinks/open.ts';
import type {
  OpenDestination,
  OutgoingEvent,
} from '../../packages/server/src/outbound/sinks/sink.ts';
import { freePort } from '../support/free-port.ts';
import { pythonWith } from '../support/python.ts';
import { hasOpenssl, makeCertificate, type Certificate } from './sinks/certificates.ts';
import { makeEvents } from './sinks/events.ts';
import {
  CREDENTIALS as MQTT,
  hasMosquitto,
  startMosquitto,
  type Mosquitto,
} from './sinks/mosquitto.ts';
import {
  CREDENTIALS as ACCESS,
  GROUPS,
  startRocketMq,
  TOPICS,
  type RocketMqBroker,
} from './sinks/rocketmq-broker.ts';
import { findRocketMq } from './sinks/rocketmq-jars.ts';
import { createClock, LOOPBACK, sendUntilDelivered, silent } from './sinks/suite.ts';
import { SECRET } from './sinks/webhook-endpoint.ts';

const python = await pythonWith(
  'forwarding',
  ['paho-mqtt==2.2.0', 'rocketmq-python-client==5.1.2'],
  'receivers in Python',
);
const classPath = await findRocketMq();

const root = join(import.meta.dirname, '../..');

/** The programs of docs/forwarding.md, by the name of their file. */
const programs = new Map(
  [
    ...readFileSync(join(root, 'docs/forwarding.md'), 'utf8').matchAll(
      /^```\w+ file=(\S+)\n([\s\S]*?)^```/gm,
    ),
  ].map(([, name, text]) => [name!, text!]),
);

describe.skipIf(!hasOpenssl)('the receivers of docs/forwarding.md', () => {
  let folder: string;
  let certificate: Certificate;
  let oauth: Server;
  const replays: { authorization: string | undefined; body: any }[] = [];
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    // Within the project, so that its packages are found.
    mkdirSync(join(root, '.cache'), { recursive: true });
    folder = mkdtempSync(join(root, '.cache', 'receivers-'));
    for (const [name, text] of programs) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    certificate = makeCertificate();
    oauth = createServer(async (request, response) => {
      replays.push({ authorization: request.headers.authorization, body: await json(request) });
      expect(request.url).toBe('/oauth/forwarding/replay');
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ success: true, code: '0', msg: 'success', data: { replays: 1 } }));
    }).listen(0, '127.0.0.1');
    await once(oauth, 'listening');
  });
  afterEach(async () => {
    for (const child of running.splice(0)) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
        await ended;
    }
    replays.length = 0;
  });
  afterAll(() => {
    oauth?.close();
    certificate?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a program; yields what it handles. */
  function start(program: string, environment: Record<string, string>): string[] {
    const handled: string[] = [];
    const child = spawn(
      program.endsWith('.py') ? python! : process.execPath,
      [join(folder, program)],
      {
        cwd: mkdtempSync(join(folder, 'run-')),
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          OAUTH_URL: `http://127.0.0.1:${(oauth.address() as AddressInfo).port}`,
          CLIENT_ID: 'app',
          CLIENT_SECRET: 's3cret',
          DESTINATION: '42',
          NODE_EXTRA_CA_CERTS: certificate.certFile,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    createInterface({ input: child.stdout }).on('line', (line) =>
      handled.push((JSON.parse(line) as { id: string }).id),
    );
    running.push(child);
    return handled;
  }

  async function deliver(
    destination: OpenDestination,
    events: readonly OutgoingEvent[],
  ): Promise<void> {
    const sink = await openSink(destination, {
      egress: createEgress({ allow: LOOPBACK }),
      clock: createClock(),
      logger: silent,
    });
    for (let i = 0; i < events.length; i += sink.atMost)
      await sendUntilDelivered(sink, events.slice(i, i + sink.atMost));
    await sink.close();
  }

  /** Loses an event and repeats others; the receiver asks for the lost one, gets it, and has each once. */
  async function expectReceiver(
    program: string,
    environment: Record<string, string>,
    destination: OpenDestination,
    ready: () => Promise<unknown>,
  ): Promise<void> {
    const handled = start(program, environment);
    await ready();
    const device = `SN-${program}`;
    const [first, lost, third, fourth] = makeEvents(4, [device]) as [
      OutgoingEvent,
      OutgoingEvent,
      OutgoingEvent,
      OutgoingEvent,
    ];
    await deliver(destination, [first, first, third]);
    await vi.waitFor(() => expect(replays).toHaveLength(1), { timeout: 60_000 });
    const { occurredAt } = first;
    expect(replays[0]).toEqual({
      authorization: `Basic ${btoa('app:s3cret')}`,
      body: { id: '42', from: occurredAt + 1, until: occurredAt + 3 + 1, deviceSn: device },
    });
    await deliver(destination, [first, lost, third, fourth]);
    await vi.waitFor(
      () => expect(handled).toEqual([first, third, lost, fourth].map(({ id }) => id)),
      { timeout: 60_000 },
    );
    expect(replays).toHaveLength(1);
  }

  const common = { id: '1', caCertificates: null };

  test.each(['http.ts', ...(python ? ['http_receiver.py'] : [])])('%s', async (program) => {
    const port = await freePort();
    const listening = (): Promise<unknown> =>
      vi.waitFor(
        async () => {
          const probe = connect(port, '127.0.0.1');
          await once(probe, 'connect');
          probe.destroy();
        },
        { timeout: 60_000, interval: 50 },
      );
    const http: OpenDestination = {
      ...common,
      transport: 'http',
      url: `http://127.0.0.1:${port}/`,
      secrets: [SECRET],
      batches: false,
      gzip: false,
    };
    await expectReceiver(
      program,
      { PORT: `${port}`, WEBHOOK_SECRET: `whsec_AAAA ${SECRET}` },
      http,
      listening,
    );
  });

  describe.skipIf(!hasMosquitto)('over MQTT', () => {
    let mosquitto: Mosquitto;
    beforeAll(async () => {
      mosquitto = await startMosquitto(certificate);
    });
    afterAll(() => mosquitto?.close());

    test.each(['mqtt.ts', ...(python ? ['mqtt_receiver.py'] : [])])('%s', async (program) => {
      const { port } = mosquitto;
      const environment = {
        MQTT_URL: `mqtts://localhost:${port}`,
        MQTT_HOST: 'localhost',
        MQTT_PORT: `${port}`,
        MQTT_USER: MQTT.username,
        MQTT_PASSWORD: MQTT.password,
        MQTT_CA: certificate.certFile,
      };
      const topic = 'solar/{plantId}/{deviceSn}/{kind}';
      const destination: OpenDestination = {
        ...common,
        transport: 'mqtt',
        url: `mqtts://localhost:${port}`,
        protocolVersion: '5',
        topic,
        ...MQTT,
        caCertificates: certificate.cert,
      };
      const before = mosquitto.subscriptions();
      await expectReceiver(program, environment, destination, () =>
        vi.waitFor(() => expect(mosquitto.subscriptions()).toBe(before + 1), { timeout: 60_000 }),
      );
    });
  });

  describe.skipIf(classPath === undefined)('over RocketMQ', () => {
    let broker: RocketMqBroker;
    beforeAll(async () => {
      broker = await startRocketMq(classPath!);
    }, 120_000);
    afterAll(() => broker?.close());

    test.each(['rocketmq.ts', ...(python ? ['rocketmq_receiver.py'] : [])])(
      '%s',
      async (program) => {
        const environment = {
          ROCKETMQ_ENDPOINT: `127.0.0.1:${broker.port}`,
          ROCKETMQ_TOPIC: TOPICS.fifo,
          ROCKETMQ_GROUP: GROUPS.fifo,
          ACCESS_KEY: ACCESS.username,
          ACCESS_SECRET: ACCESS.password,
        };
        const destination: OpenDestination = {
          ...common,
          transport: 'rocketmq',
          url: `rocketmq://127.0.0.1:${broker.port}`,
          topic: TOPICS.fifo,
          ...ACCESS,
        };
        // A consumer group begins where it was first seen or later: that the reader has begun shows by its first message.
        await expectReceiver(program, environment, destination, async () => {});
      },
      60_000,
    );
  });
});
