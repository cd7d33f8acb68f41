import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEgress } from '../../../packages/server/src/platform/egress/egress.ts';
import { openSink } from '../../../packages/server/src/outbound/sinks/open.ts';
import { openRocketMqSink } from '../../../packages/server/src/outbound/sinks/rocketmq/sink.ts';
import type {
  OpenDestination,
  RocketMqDestination,
  Sink,
} from '../../../packages/server/src/outbound/sinks/sink.ts';
import { createSqliteDatabase } from '../../support/engines.ts';
import { createForwardingScene } from '../../forwarding/scene.ts';
import { makeEvent, makeEvents } from '../../forwarding/sinks/events.ts';
import {
  CREDENTIALS,
  GROUPS,
  startRocketMq,
  TOPICS,
  type RocketMqBroker,
} from '../../forwarding/sinks/rocketmq-broker.ts';
import { findRocketMq } from '../../forwarding/sinks/rocketmq-jars.ts';
import type { ReaderSettings, ReadMessage } from '../../forwarding/sinks/rocketmq-reader.ts';
import {
  createClock,
  delivered,
  LOOPBACK,
  sendUntilDelivered,
  silent,
  unstopped,
} from '../../forwarding/sinks/suite.ts';

const classPath = await findRocketMq();

describe.skipIf(classPath === undefined)(
  'the RocketMQ sink at a real RocketMQ 5 with access control',
  () => {
    let broker: RocketMqBroker;
    const clock = createClock();
    const sinks: Sink[] = [];
    const readers: Worker[] = [];
    const open = async (changes: Partial<RocketMqDestination> = {}): Promise<Sink> => {
      const destination = {
        id: '1',
        url: `rocketmq://127.0.0.1:${broker.port}`,
        topic: TOPICS.fifo,
        ...CREDENTIALS,
        caCertificates: null,
        ...changes,
      };
      const sink = await openRocketMqSink(
        { transport: 'rocketmq', ...destination },
        { egress: createEgress({ allow: LOOPBACK }), clock, logger: silent },
      );
      sinks.push(sink);
      return sink;
    };
    /** What the official consumer reads of a topic from now on. */
    const read = (kind: keyof typeof TOPICS): ReadMessage[] => {
      const messages: ReadMessage[] = [];
      const workerData: ReaderSettings = {
        port: broker.port,
        topic: TOPICS[kind],
        group: GROUPS[kind],
        ...CREDENTIALS,
      };
      // In a thread, since the client may end its process.
      const worker = new Worker(
        new URL('../../forwarding/sinks/rocketmq-reader.ts', import.meta.url),
        { workerData },
      );
      worker.on('message', (message: ReadMessage) => messages.push(message)).on('error', () => {});
      readers.push(worker);
      return messages;
    };

    beforeAll(async () => {
      broker = await startRocketMq(classPath!);
    }, 120_000);
    afterEach(async () => {
      await Promise.all(sinks.splice(0).map((sink) => sink.close()));
      await Promise.all(readers.splice(0).map((worker) => worker.terminate()));
    });
    afterAll(async () => {
      await broker?.close();
    });

    test('sends to a FIFO topic in the order of each device', async () => {
      const messages = read('fifo');
      const lines = ['A/1', 'B', 'C'].map((device) => makeEvents(20, [device]));
      const sink = await open();
      expect(await Promise.all(lines.map((line) => sink.send(line, unstopped)))).toEqual([
        delivered,
        delivered,
        delivered,
      ]);
      await vi.waitFor(() => expect(messages).toHaveLength(60), { timeout: 60_000 });
      for (const line of lines) {
        expect(
          messages
            .filter(({ group }) => group === line[0]!.deviceSn)
            .map(({ id, body }) => ({ id, body })),
        ).toEqual(line.map(({ id, body }) => ({ id, body })));
      }
    });

    test('sends to a normal topic with key, tag and properties', async () => {
      const messages = read('normal');
      const event = makeEvent({ kind: 'device.state', deviceSn: null });
      expect(await (await open({ topic: TOPICS.normal })).send([event], unstopped)).toEqual(
        delivered,
      );
      await vi.waitFor(() => expect(messages).toHaveLength(1), { timeout: 60_000 });
      const { id, plantId, body } = event;
      expect(messages[0]).toMatchObject({
        keys: [id],
        tag: 'device.state',
        body,
        properties: { id, kind: 'device.state', plantId, sequence: '1', version: '1' },
      });
    });

    test.each([
      [{ password: 'wrong' }, /signature|password|authenticat|access denied|401/i],
      [{ username: null, password: null }, /authenticat|credential|null|401/i],
      [{ topic: 'unknown' }, /No topic route|topic/i],
    ])('fails with %j and says why in the broker’s words', async (changes, words) => {
      const outcome = await (await open(changes)).send([makeEvent()], unstopped);
      expect(outcome).toMatchObject({
        kind: 'failed',
        reason: 'RocketMQ could not be reached',
        excerpt: expect.stringMatching(words),
      });
    });

    test('outlives a broker that is killed, and goes on when it is back', async () => {
      const sink = await open();
      await sendUntilDelivered(sink, [makeEvent()]);
      await broker.kill();
      expect(await sink.send([makeEvent()], unstopped)).toMatchObject({ kind: 'failed' });
      await broker.restart();
      const messages = read('fifo');
      const events = makeEvents(3, ['after']);
      await sendUntilDelivered(sink, events);
      await vi.waitFor(
        () =>
          expect(messages.filter(({ group }) => group === 'after').map(({ id }) => id)).toEqual(
            events.map(({ id }) => id),
          ),
        {
          timeout: 60_000,
        },
      );
    }, 90_000);

    test('gets everything in order after an hour in which it stood still, from the dispatcher', async () => {
      const database = await createSqliteDatabase();
      const scene = createForwardingScene(() => database);
      const { egress, logger } = scene;
      const url = `rocketmq://127.0.0.1:${broker.port}`;
      const { device } = await scene.connected(url, {
        topic: TOPICS.fifo,
        ...CREDENTIALS,
        kinds: ['telemetry.sample'],
      });
      const second = await scene.beside(device);
      const sinksWith = (limitMs?: number) => ({
        openSink: (destination: OpenDestination) =>
          openSink(destination, {
            egress,
            logger,
            clock: scene.clock,
            ...(limitMs !== undefined && { limitMs }),
          }),
      });
      const measure = async (): Promise<void> => {
        for (const { sn } of [device, second])
          await scene.report({ ...device, sn }, [
            { at: (scene.clock.at += 1_000), values: { acPowerW: 100 } },
          ]);
      };
      const messages = read('fifo');
      const numbersOf = (sn: string): string[] =>
        messages
          .filter(({ group }) => group === sn)
          .map(({ properties }) => properties['sequence']!);
      await measure();
      await scene.deliver(sinksWith());
      await vi.waitFor(
        () => expect([numbersOf(device.sn), numbersOf(second.sn)]).toEqual([['1'], ['1']]),
        { timeout: 60_000 },
      );
      broker.freeze();
      for (let round = 0; round < 2; round++) {
        await measure();
        await scene.deliver(sinksWith(1_500));
        scene.clock.at += 1_800_000;
      }
      broker.thaw();
      await scene.deliver(sinksWith());
      const distinct = (sn: string): string[] => [...new Set(numbersOf(sn))];
      await vi.waitFor(
        () =>
          expect([distinct(device.sn), distinct(second.sn)]).toEqual([
            ['1', '2', '3'],
            ['1', '2', '3'],
          ]),
        { timeout: 60_000 },
      );
      await database.drop();
    }, 90_000);
  },
);
