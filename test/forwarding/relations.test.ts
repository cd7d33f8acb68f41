import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { issueToken } from '../../packages/server/src/fleet/collectors/tokens.ts';
import { createRelations, relations, type Relation } from '../access/relations.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { userCaller } from '../support/world.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createForwardingScene } from './scene.ts';

/** Relations that end with another owner of the plant. */
const SOLD: readonly Relation[] = ['sold', 'soldWithInstaller', 'soldWithColleague'];

describeEngines('of the events of a plant', (database) => {
  const scene = createForwardingScene(database);
  const fleet = createFleet(database, scene.clock);
  const as = (accountId: string, id: never, body = {}): Promise<any> =>
    fleet.wire(id, userCaller(accountId), body);
  const relate = createRelations({ as: as as never, person: () => scene.person() });
  let receivers: Readonly<Record<'owner' | 'other', Receiver>>;
  beforeAll(async () => {
    receivers = { owner: await startReceiver(), other: await startReceiver() };
  });
  afterAll(async () => {
    for (const receiver of Object.values(receivers)) await receiver.close();
  });
  beforeEach(async () => {
    await database().db.updateTable('destination').set({ state: 'paused' }).execute();
    for (const { seen } of Object.values(receivers)) seen.length = 0;
  });

  test.each(relations)(
    'applications of its owner alone get them, be they of before the end or later: %s',
    async (relation) => {
      const { device, ownerId } = await scene.connected(receivers.owner.url, {
        kinds: ['telemetry.sample'],
      });
      const others = await scene.connected(receivers.other.url, { kinds: ['telemetry.sample'] });
      const other = await scene.person();
      await scene.grant(others.application.id, other.id);
      let reporter = device;
      const measure = (): Promise<unknown> =>
        scene.report(reporter, [{ at: (scene.clock.at += 1_000), values: { acPowerW: 100 } }]);
      const counts = () => ({
        owner: receivers.owner.seen.filter(({ deviceSn }) => deviceSn === device.sn).length,
        other: receivers.other.seen.filter(({ deviceSn }) => deviceSn === device.sn).length,
      });

      let waiting = 0;
      await relate[relation](
        { owner: ownerId, other: other.id, otherEmail: other.email, plantId: device.plantId },
        async () => {
          await measure();
          waiting += 1;
        },
      );
      if (SOLD.includes(relation)) {
        // The tokens that the seller may know have ended.
        await expect(measure()).rejects.toMatchObject({ code: 'notAuthenticated' });
        const collector = { id: device.collectorId, sn: 'of the plant' };
        const issued = await fleet.write((trx) => issueToken(trx, fleet.act(), collector));
        reporter = { ...device, ...issued };
      }
      await measure();
      await scene.deliver();
      expect(waiting).toBe(1);
      expect(counts()).toEqual({ owner: SOLD.includes(relation) ? 0 : 2, other: 0 });
    },
  );
});
