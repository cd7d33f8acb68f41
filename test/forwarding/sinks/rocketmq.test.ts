import { status } from '@grpc/grpc-js';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import definition from 'rocketmq-client-nodejs/proto/apache/rocketmq/v2/definition_pb.js';
import service from 'rocketmq-client-nodejs/proto/apache/rocketmq/v2/service_pb.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEgress } from '../../../packages/server/src/platform/egress/egress.ts';
import { openRocketMqSink } from '../../../packages/server/src/outbound/sinks/rocketmq/sink.ts';
import type {
  RocketMqDestination,
  Sink,
  SinkDeps,
} from '../../../packages/server/src/outbound/sinks/sink.ts';
import { hasOpenssl, makeCertificate, type Certificate } from './certificates.ts';
import { makeEvent, makeEvents } from './events.ts';
import { openGate, type Gate } from './gate.ts';
import { startStandIn, type RocketMqStandIn } from './rocketmq-stand-in.ts';
import {
  createClock,
  delivered,
  describeSink,
  LOOPBACK,
  sendUntilDelivered,
  silent,
  unstopped,
} from './suite.ts';

const LIMIT_MS = 4_000;

describe.skipIf(!hasOpenssl)('the RocketMQ sink at a stand-in', () => {
  let certificate: Certificate;
  let standIn: RocketMqStandIn;
  let gate: Gate;
  let destination: RocketMqDestination;
  const clock = createClock();
  const sinks: Sink[] = [];
  const open = async (
    changes: Partial<RocketMqDestination> = {},
    deps: Partial<SinkDeps> = {},
  ): Promise<Sink> => {
    const all = { egress: createEgress({ allow: LOOPBACK }), clock, logger: silent, ...deps };
    const sink = await openRocketMqSink({ ...destination, ...changes }, all);
    sinks.push(sink);
    return sink;
  };

  beforeAll(async () => {
    certificate = makeCertificate();
    standIn = await startStandIn(certificate);
    gate = await openGate(standIn.port);
    destination = {
      transport: 'rocketmq',
      id: '1',
      url: `rocketmqs://localhost:${gate.port}`,
      topic: 'solar',
      username: 'key',
      password: 'secret',
      caCertificates: certificate.cert,
    };
  });
  beforeEach(() => {
    standIn.route = { host: 'localhost', port: gate.port };
    standIn.isFifo = true;
  });
  afterEach(async () => {
    standIn.spoilSettings = undefined;
    standIn.answerMessage = undefined;
    await Promise.all(sinks.splice(0).map((sink) => sink.close()));
  });
  afterAll(async () => {
    await gate.close();
    standIn.close();
    certificate.remove();
  });

  describeSink({
    peer: () => ({ gate, destination, received: () => standIn.messages }),
    limitMs: LIMIT_MS,
    strangers: ['hang'],
  });

  test('sends the id as key, the kind as tag and all of it as properties; the device is the group of a FIFO topic, the plant where there is no device', async () => {
    const [event, ofPlant] = [
      makeEvent({ sequence: 7, kind: 'alarm.raised', deviceSn: 'A/1' }),
      makeEvent({ kind: 'authorization.granted', deviceSn: null }),
    ];
    expect(await (await open()).send([event, ofPlant], unstopped)).toEqual(delivered);
    const { id, plantId } = event;
    const properties = {
      id,
      sequence: '7',
      kind: 'alarm.raised',
      version: '1',
      occurredAt: '1780000000000',
      plantId,
      deviceSn: 'A/1',
    };
    expect(standIn.messages.slice(-2)).toMatchObject([
      { id, tag: 'alarm.raised', group: 'A/1', properties, body: event.body },
      { id: ofPlant.id, tag: 'authorization.granted', group: plantId, body: ofPlant.body },
    ]);
    expect(standIn.authorizations.at(-1)).toMatch(/^MQv2-HMAC-SHA1 Credential=key, /);
    expect(standIn.clientIds.at(-1), 'not the name of this machine').toMatch(
      /^helioport-[0-9a-f]{12}@/,
    );
  });

  test('forms no groups on a topic that has none', async () => {
    standIn.isFifo = false;
    expect(await (await open()).send([makeEvent()], unstopped)).toEqual(delivered);
    expect(standIn.messages.at(-1)).toMatchObject({ group: '' });
  });

  test('stops at the first message that is not taken, and says why in the broker’s words', async () => {
    const sink = await open();
    await sendUntilDelivered(sink, [makeEvent()]);
    const before = standIn.messages.length;
    standIn.answerMessage = (response) =>
      void response.setStatus(
        new definition.Status()
          .setCode(definition.Code.FORBIDDEN)
          .setMessage('no permission\nfor solar'),
      );
    const outcome = await sink.send(makeEvents(3), unstopped);
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'RocketMQ did not take the message',
      excerpt: expect.stringContaining('no permission for solar'),
    });
    expect(standIn.messages).toHaveLength(before);
  });

  test('takes an answer that says nothing for a failure', async () => {
    standIn.answerMessage = () => {};
    expect(await (await open()).send([makeEvent()], unstopped)).toMatchObject({
      kind: 'failed',
      excerpt: expect.stringContaining('did not say that it has the message'),
    });
  });

  test('is connected by another thread if it could not be reached at first', async () => {
    await gate.fail('refuse');
    const sink = await open();
    expect(await sink.send([makeEvent()], unstopped)).toMatchObject({
      kind: 'failed',
      reason: 'RocketMQ could not be reached',
    });
    await gate.heal();
    expect(await sink.send([makeEvent()], unstopped)).toEqual(delivered);
  });

  test('ends its thread when it is asked to stop, since the client cannot be', async () => {
    const sink = await open();
    await sendUntilDelivered(sink, [makeEvent()]);
    standIn.answerMessage = 'never';
    const stop = new AbortController();
    const sending = sink.send(makeEvents(2), stop.signal);
    await setImmediate();
    stop.abort();
    expect(await sending).toEqual({ kind: 'failed', reason: 'stopped' });
    await vi.waitFor(() => expect(standIn.streams.size).toBe(0), 60_000);
    standIn.answerMessage = undefined;
    expect(await sink.send([makeEvent()], unstopped)).toEqual(delivered);
  });

  test('has one thread per destination, which ends with it', async () => {
    const sink = await open();
    expect(
      await Promise.all(
        makeEvents(4, ['A', 'B', 'C', 'D']).map((event) => sink.send([event], unstopped)),
      ),
    ).toEqual(Array.from({ length: 4 }, () => delivered));
    expect(standIn.streams.size).toBe(1);
    await sink.close();
    await vi.waitFor(() => expect(standIn.streams.size).toBe(0), 60_000);
  });

  describe('whatever its client throws, the service stays, and the client is started again', () => {
    const noPolicy = (settings: definition.Settings): void => settings.clearBackoffPolicy();
    const customPolicy = (settings: definition.Settings): void => {
      settings.setBackoffPolicy(
        new definition.RetryPolicy().setCustomizedBackoff(new definition.CustomizedBackoff()),
      );
    };

    /** Sends settings that the client cannot read on an open stream. */
    const spoilLater = (stream: { write(command: service.TelemetryCommand): unknown }): void =>
      void stream.write(
        new service.TelemetryCommand().setSettings(
          new definition.Settings().setPublishing(new definition.Publishing()),
        ),
      );

    test.each([
      ['settings without a backoff policy', noPolicy],
      ['settings with a backoff policy of another kind', customPolicy],
    ])('%s', async (_, spoil) => {
      standIn.spoilSettings = spoil;
      const sink = await open();
      expect(await sink.send([makeEvent()], unstopped)).toMatchObject({
        kind: 'failed',
        reason: expect.stringContaining('the RocketMQ client failed'),
      });
      expect(await sink.send([makeEvent()], unstopped)).toEqual({
        kind: 'failed',
        reason: 'the RocketMQ client failed, and is started again after a pause',
        retryAfterMs: expect.any(Number),
      });
      standIn.spoilSettings = undefined;
      clock.advance(1_000);
      expect(await sink.send([makeEvent()], unstopped)).toEqual(delivered);
    });

    test('pauses grow with each failure in a row, and begin anew after a success', async () => {
      let now = 0;
      const sink = await open({}, { clock: { now: () => now } });
      standIn.spoilSettings = noPolicy;
      const pauses: unknown[] = [];
      for (let i = 0; i < 3; i++) {
        await sink.send([makeEvent()], unstopped);
        const { retryAfterMs } = (await sink.send([makeEvent()], unstopped)) as {
          retryAfterMs: number;
        };
        pauses.push(retryAfterMs);
        now += retryAfterMs;
      }
      standIn.spoilSettings = undefined;
      expect(await sink.send([makeEvent()], unstopped)).toEqual(delivered);
      expect(pauses).toEqual([1_000, 2_000, 4_000]);
      for (const stream of standIn.streams) spoilLater(stream);
      await vi.waitFor(
        async () =>
          expect(await sink.send([makeEvent()], unstopped)).toMatchObject({ retryAfterMs: 1_000 }),
        60_000,
      );
    });

    let disturbed: Sink;
    beforeAll(async () => {
      disturbed = await open();
      sinks.length = 0;
    });
    afterAll(() => disturbed.close());

    test.each<
      [string, (stream: RocketMqStandIn['streams'] extends Set<infer S> ? S : never) => void]
    >([
      ['bad settings while it works', spoilLater],
      [
        'an error on its stream',
        (stream) => stream.emit('error', { code: status.INTERNAL, details: 'broken' }),
      ],
      ['a cancelled stream', (stream) => stream.destroy()],
      ['a stream that ends', (stream) => stream.end()],
      [
        'the order to reconnect',
        (stream) =>
          void stream.write(
            new service.TelemetryCommand().setReconnectEndpointsCommand(
              new service.ReconnectEndpointsCommand(),
            ),
          ),
      ],
      [
        'an order that it does not know',
        (stream) => void stream.write(new service.TelemetryCommand()),
      ],
      [
        'a question about a message that is none',
        (stream) =>
          void stream.write(
            new service.TelemetryCommand().setVerifyMessageCommand(
              new service.VerifyMessageCommand(),
            ),
          ),
      ],
      [
        'a transaction that it never began',
        (stream) =>
          void stream.write(
            new service.TelemetryCommand().setRecoverOrphanedTransactionCommand(
              new service.RecoverOrphanedTransactionCommand(),
            ),
          ),
      ],
    ])('%s', async (_, disturb) => {
      await sendUntilDelivered(disturbed, [makeEvent()]);
      for (const stream of standIn.streams) disturb(stream);
      const events = makeEvents(3);
      await vi.waitFor(
        async () => {
          clock.advance(60_000);
          expect(await disturbed.send(events, unstopped)).toEqual(delivered);
        },
        { timeout: 60_000 },
      );
      expect(standIn.messages.slice(-3).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    });
  });

  const inward = {
    address: '10.0.0.1',
    machine: '127.0.0.2',
    mapped: '::ffff:127.0.0.1',
    metadata: '169.254.169.254',
    name: 'inside.example',
    'two-faced': 'two-faced.example',
    number: '2130706433',
    pipe: 'unix:/var/run/docker.sock',
    'name-server': 'dns://127.0.0.1/inside.example',
  };

  test('follows no route answer that leads inward', async () => {
    let connections = 0;
    const canary = createServer(() => void connections++).listen(0, '127.0.0.2');
    await once(canary, 'listening');
    const { port } = canary.address() as AddressInfo;
    const asked = new Set<string>();
    const names: Record<string, string[]> = {
      localhost: ['127.0.0.1'],
      'two-faced.example': ['127.0.0.1', '127.0.0.2'],
    };
    const egress = createEgress({
      allow: ['127.0.0.1/32'],
      async resolveName(name) {
        asked.add(name);
        return names[name] ?? ['127.0.0.2'];
      },
    });
    const before = standIn.clientIds.length;
    const stop = new AbortController();
    const sending = Object.entries(inward).map(async ([topic, host]) => {
      standIn.routes.set(topic, { host, port });
      return (await open({ topic }, { egress })).send([makeEvent()], stop.signal);
    });
    await vi.waitFor(
      () => {
        expect(standIn.clientIds.length).toBeGreaterThanOrEqual(before + sending.length);
        expect([...asked]).toEqual(
          expect.arrayContaining(['localhost', 'inside.example', 'two-faced.example']),
        );
      },
      { timeout: 40_000 },
    );
    stop.abort();
    for (const outcome of await Promise.all(sending))
      expect(outcome).toMatchObject({ kind: 'failed' });
    expect(connections).toBe(0);
    canary.close();
  });
});
