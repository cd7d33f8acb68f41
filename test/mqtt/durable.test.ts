import { collectorTopic } from '@helioport/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReadingIntake } from '../../packages/server/src/fleet/collectors/report.ts';
import { createControlScene } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { openBroker, type MqttOver } from './broker-fixture.ts';
import { connectCollector, protocols } from './collector.ts';

const away = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const taken = { accepted: 1, duplicate: 0, refused: [] };

let database: TestDatabase;
const scene = createControlScene(() => database);
beforeAll(async () => {
  database = await createSqliteDatabase();
});
afterAll(() => database.drop());

const over = (store: ReadingIntake['store'], more: Partial<MqttOver> = {}): MqttOver => ({
  db: database.db,
  clock: scene.clock,
  wakeUps: database.wakeUps,
  ingest: { begin: () => ({ add: async () => {}, store }) },
  ...more,
});

test.each(protocols)(
  '%s: PUBACK and acknowledgement wait until the report is stored',
  async (_, protocol) => {
    const stored = Promise.withResolvers<typeof taken>();
    const begun = Promise.withResolvers<void>();
    const broker = await openBroker(
      over(() => {
        begun.resolve();
        return stored.promise;
      }),
    );
    const home = await scene.home();
    const collector = await connectCollector(broker.url, home, protocol);
    const seen: string[] = [];
    collector.client.on('packetreceive', ({ cmd }) => seen.push(cmd));
    const published = collector.client.publishAsync(
      collectorTopic(home.collectorId, 'report'),
      '{"id":"r","readings":[]}',
      { qos: 1 },
    );
    await begun.promise;
    // What the broker answers at once has arrived when it answers to something later.
    const bystander = await connectCollector(broker.url, await scene.home(), protocol);
    await bystander.leave();
    expect(seen).toEqual([]);
    stored.resolve(taken);
    await published;
    expect(seen.toSorted()).toEqual(['puback', 'publish']);
    await collector.leave();
    await broker.close();
  },
);

test.each(protocols)(
  '%s: with the database away there is no PUBACK, and the connection ends',
  async (_, protocol) => {
    const broker = await openBroker(over(() => Promise.reject(away())));
    const home = await scene.home();
    const collector = await connectCollector(broker.url, home, protocol);
    const seen: string[] = [];
    collector.client.on('packetreceive', ({ cmd }) => seen.push(cmd));
    const ack = await collector.say('report', { id: 'r', readings: [] });
    expect(ack).toMatchObject({ id: 'r', status: 503, retryAfterSeconds: 5 });
    await collector.ended;
    expect(seen.filter((cmd) => cmd === 'puback')).toEqual([]);
    await broker.close();
  },
);

test('a collector that sends too fast is slowed down: every report is taken, none refused', async () => {
  const stored: number[] = [];
  const broker = await openBroker(over(async () => (stored.push(1), taken), { perSecond: 5 }));
  const home = await scene.home();
  const other = await scene.home();
  const [flooding, bystander] = [
    await connectCollector(broker.url, home, 4),
    await connectCollector(broker.url, other, 4),
  ];
  const answers = Array.from({ length: 8 }, (__, i) =>
    flooding.say('report', { id: `r-${i}`, readings: [] }),
  );
  await expect.poll(() => stored.length).toBe(5);
  expect(await bystander.say('report', { id: 'meanwhile', readings: [] })).toMatchObject({
    status: 200,
  });
  expect(stored).toHaveLength(6);
  scene.clock.at += 1_000;
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(
    Array.from({ length: 8 }, () => 200),
  );
  for (const one of [flooding, bystander]) await one.leave();
  await broker.close();
});

test('backlogs of many collectors leave room for live reports', async () => {
  const held = Promise.withResolvers<void>();
  const inWork = { backlog: 0 };
  const broker = await openBroker({
    ...over(async () => taken),
    ingest: {
      begin: () => ({
        add: async () => {},
        async store(__, { isBacklog }) {
          if (isBacklog) {
            inWork.backlog += 1;
            await held.promise;
          }
          return taken;
        },
      }),
    },
  });
  const collectors = await Promise.all(
    Array.from({ length: 4 }, async () => connectCollector(broker.url, await scene.home())),
  );
  const backlogs = collectors.map((collector) =>
    collector.say('backlog', { id: 'b', readings: [] }),
  );
  await expect.poll(() => inWork.backlog).toBe(2);
  const live = await connectCollector(broker.url, await scene.home());
  expect(await live.say('report', { id: 'live', readings: [] })).toMatchObject({ status: 200 });
  expect(inWork.backlog).toBe(2);
  held.resolve();
  expect((await Promise.all(backlogs)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (const one of [...collectors, live]) await one.leave();
  await broker.close();
});

test.each(protocols)(
  '%s: what is current is taken beside a message of the past, however long that takes; of those, one after the other',
  async (_, protocol) => {
    const past = Promise.withResolvers<typeof taken>();
    let begun = 0;
    const broker = await openBroker(
      over(async (_sender, { isBacklog }) => {
        if (!isBacklog) return taken;
        begun += 1;
        return past.promise;
      }),
    );
    const home = await scene.home();
    const collector = await connectCollector(broker.url, home, protocol);
    const publish = (message: 'report' | 'backlog') =>
      collector.client.publishAsync(collectorTopic(home.collectorId, message), '{"readings":[]}', {
        qos: 1,
      });
    const ended: string[] = [];
    const first = publish('backlog').then(() => ended.push('past'));
    await expect.poll(() => begun).toBe(1);
    await publish('report');
    await publish('report');
    const second = publish('backlog').then(() => ended.push('past'));
    expect([ended, begun]).toEqual([[], 1]);
    past.resolve(taken);
    await Promise.all([first, second]);
    expect([ended.length, begun]).toEqual([2, 2]);
    await collector.leave();
    await broker.close();
  },
);
