import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { createControlScene } from '../commands/scene.ts';
import { describeEngines } from '../support/engines.ts';
import { openBroker, type OpenBroker } from './broker-fixture.ts';
import { connectCollector, protocols } from './collector.ts';

const AT_ONCE = 14;

describeEngines('two instances', (database) => {
  const storages: Storage[] = [];
  const brokers: OpenBroker[] = [];
  const scene = createControlScene(database);
  const { clock } = scene;
  beforeAll(async () => {
    for (let i = 0; i < 2; i++) {
      const storage = openStorage(database().address);
      storages.push(storage);
      brokers.push(
        await openBroker(
          { db: storage.db, clock, wakeUps: storage.wakeUps },
          { limits: { sweepMs: 50 } },
        ),
      );
    }
  });
  afterAll(async () => {
    for (const broker of brokers) await broker.close();
    for (const storage of storages) await storage.close();
  });

  const stateOf = async (id: string): Promise<number> =>
    (
      await database()
        .db.selectFrom('device')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).state;

  test('carry a command to the collector wherever it is connected', async () => {
    for (const broker of brokers) {
      const home = await scene.home();
      const collector = await connectCollector(broker.url, home);
      collector.obey();
      const { id } = await scene.send(home, '157', '20');
      // Far less than the time after which a read would be handed over again.
      await expect
        .poll(async () => (await scene.show(home, id)).state, { timeout: 15_000, interval: 20 })
        .toBe('verified');
      expect(home.box.writes).toEqual([['157', '20']]);
      await collector.leave();
    }
  });

  test.each(protocols)(
    '%s: a connection to one takes over that to the other, and nobody is offline',
    async (_, protocol) => {
      const home = await scene.home();
      const first = await connectCollector(brokers[0]!.url, home, protocol);
      const second = await connectCollector(brokers[1]!.url, home, protocol);
      await first.ended;
      expect(await second.say('report', { id: 'r', readings: [] })).toMatchObject({ status: 200 });
      expect(await stateOf(home.collectorId)).toBe(presence.online);
      await second.vanish();
      await expect.poll(() => stateOf(home.collectorId)).toBe(presence.offline);
    },
  );

  test.each(protocols)(
    '%s: of many connections at once to one of them, exactly one stays open',
    async (_, protocol) => {
      const { db, wakeUps } = storages[0]!;
      let committed = 0;
      // Answers of the database arrive in another order than that in which it has committed.
      const transaction = () => ({
        async execute(work: (trx: Db) => Promise<unknown>) {
          const result = await db.transaction().execute(work);
          await pause(Math.max(0, AT_ONCE - committed++) * 10);
          return result;
        },
      });
      const shuffled = new Proxy(db, {
        get(target, key) {
          if (key === 'transaction') return transaction;
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
      const broker = await openBroker(
        { db: shuffled, clock, wakeUps },
        { limits: { sweepMs: 50 } },
      );
      const home = await scene.home();
      const open = new Set<Awaited<ReturnType<typeof connectCollector>>>();
      await Promise.allSettled(
        Array.from({ length: AT_ONCE }, async () => {
          const collector = await connectCollector(broker.url, home, protocol);
          open.add(collector);
          void collector.ended.then(() => open.delete(collector));
        }),
      );
      await expect.poll(() => open.size).toBe(1);
      const [last] = open;
      // Several sweeps later it is still there.
      const until = performance.now() + 200;
      while (performance.now() < until)
        expect(await last!.say('report', { id: 'r', readings: [] })).toMatchObject({ status: 200 });
      expect([open.size, await stateOf(home.collectorId)]).toEqual([1, presence.online]);
      await last!.leave();
      await broker.close();
    },
  );
});
