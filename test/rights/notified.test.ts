import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listReaders } from '../../packages/server/src/fleet/plants/access.ts';
import { createRelations, relations, type Relation } from '../access/relations.ts';
import { createNotificationScene, startEndpoint } from '../notifications/scene.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { userCaller } from '../support/world.ts';

/** Who is still notified: the owner from before, and the other. */
const notified: Readonly<Record<Relation, readonly ('owner' | 'other')[]>> = {
  member: ['owner', 'other'],
  left: ['owner'],
  dissolved: ['owner'],
  companyEnded: ['owner'],
  installer: ['owner', 'other'],
  installerEnded: ['owner'],
  mayInstall: ['owner', 'other'],
  mayInstallEnded: ['owner'],
  sold: [],
  soldWithInstaller: ['other'],
  soldWithColleague: [],
};

describeEngines('of the alarms of a plant', (database) => {
  const scene = createNotificationScene(database);
  const fleet = createFleet(database, scene.clock);
  const as = (accountId: string, id: never, body = {}): Promise<any> =>
    fleet.wire(id, userCaller(accountId), body);
  const relate = createRelations({ as: as as never, person: () => scene.person() });
  let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
  beforeAll(async () => {
    endpoint = await startEndpoint();
  });
  afterAll(() => endpoint.close());
  beforeEach(scene.clear);

  test.each(relations)(
    'e-mails, webhooks, weeks and live pages speak to those alone who may see it: %s',
    async (relation) => {
      const { person: owner, plantId, device } = await scene.reader();
      const other = await scene.person();
      await scene.ask(other.id, 'notifications/set', { alarmsByMail: 1 });
      const people = { owner: owner.id, other: other.id };
      for (const [name, id] of Object.entries(people))
        await scene.ask(id, 'webhook/add', { url: `${endpoint.origin}/${relation}/${name}` });

      // It begins while everybody may know of it, and waits to be sent when that ends.
      await relate[relation](
        { owner: owner.id, other: other.id, otherEmail: other.email, plantId },
        async () => {
          await scene.raise(device.id);
          await scene.work();
        },
      );
      endpoint.posted.length = 0;
      await scene.pass(3);
      const told = async () => ({
        letters: (await scene.letters())
          // Others say who got or lost access.
          .filter(({ link }) => link?.url.endsWith('/alarms'))
          .map(({ address }) =>
            address === owner.email ? 'owner' : address === other.email ? 'other' : address,
          )
          .toSorted(),
        posted: endpoint.posted.length,
      });
      const expected = [...notified[relation]].toSorted();
      expect(await told()).toEqual({ letters: expected, posted: expected.length });

      for (const [name, id] of Object.entries(people)) {
        const mayKnow = expected.includes(name as never);
        expect([name, (await listReaders(scene.db(), [id], [plantId])).length > 0]).toEqual([
          name,
          mayKnow,
        ]);
        const week = JSON.stringify(await scene.ask(id, 'notifications/week'));
        expect([name, week.includes(device.sn)]).toEqual([name, mayKnow]);
      }

      // Another one begins afterwards, and both end.
      endpoint.posted.length = 0;
      await scene.raise(device.id, 'H104');
      await scene.pass(3);
      await scene.end(device.id);
      await scene.end(device.id, 'H104');
      await scene.pass(20);
      const later = await told();
      expect(new Set(later.letters)).toEqual(new Set(expected));
      expect(later.posted > 0).toBe(expected.length > 0);
    },
  );
});
