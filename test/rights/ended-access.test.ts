import { beforeEach, expect, test } from 'vitest';
import { createRelations, relations, type Relation } from '../access/relations.ts';
import { createNotificationScene } from '../notifications/scene.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { userCaller } from '../support/world.ts';

/** Whether the other could see the plant until somebody else ended that; who leaves by themselves knows it. */
const ended: Readonly<Record<Relation, 'told' | 'themselves' | 'never'>> = {
  member: 'never',
  left: 'themselves',
  dissolved: 'told',
  companyEnded: 'told',
  installer: 'never',
  installerEnded: 'told',
  mayInstall: 'never',
  mayInstallEnded: 'told',
  sold: 'never',
  soldWithInstaller: 'never',
  soldWithColleague: 'told',
};

describeEngines('people whose access to a plant ends', (database) => {
  const scene = createNotificationScene(database);
  const fleet = createFleet(database, scene.clock);
  const as = (accountId: string, id: never, body = {}): Promise<any> =>
    fleet.wire(id, userCaller(accountId), body);
  const relate = createRelations({ as: as as never, person: () => scene.person() });
  beforeEach(scene.clear);
  const settle = async (minutes: number): Promise<void> => {
    scene.clock.at += minutes * 60_000;
    await scene.arm('endedAccess');
    await scene.work();
  };

  test.each(relations)('are told so, on its page and by e-mail: %s', async (relation) => {
    const [owner, other] = [await scene.person(), await scene.person()];
    const plantId = await scene.plant(owner.id, { name: 'Lakeside' });
    const stranger = await scene.person();
    await relate[relation]({ owner: owner.id, other: other.id, otherEmail: other.email, plantId });
    const endedAt = scene.clock.at;
    await settle(3);
    const letters = (await scene.letters()).filter(
      ({ address, subject }) =>
        [owner.email, other.email, stranger.email].includes(address) && subject.includes('access'),
    );
    // Some relations begin with another name.
    const { name } = await scene
      .db()
      .selectFrom('plant')
      .select('name')
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow();
    const how = ended[relation];
    expect(letters.map(({ address, subject }) => [address, subject])).toEqual(
      how === 'told' ? [[other.email, `Your access to “${name}” has ended`]] : [],
    );
    const page = (who: string): Promise<unknown> =>
      as(who, 'plant/ended' as never, { plantId }).catch(({ code }) => code);
    expect(await page(other.id)).toEqual(
      how === 'never' ? 'noPermission' : { plantName: name, endedAt },
    );
    expect(await page(stranger.id)).toBe('noPermission');
    // Once only.
    await settle(30);
    expect((await scene.letters()).filter(({ subject }) => subject.includes('access'))).toEqual([]);
  });

  test('are not told where it begins anew before the e-mail is sent', async () => {
    const [owner, other] = [await scene.person(), await scene.person()];
    const plantId = await scene.plant(owner.id);
    const share = async (): Promise<void> => {
      const sent = await as(owner.id, 'share/give' as never, { plantId, email: other.email });
      await as(other.id, 'invitation/accept' as never, { id: sent.invitationId });
    };
    await share();
    await as(owner.id, 'share/withdraw' as never, { plantId, email: other.email });
    await share();
    await settle(3);
    expect((await scene.letters()).filter(({ subject }) => subject.includes('access'))).toEqual([]);
  });

  test('are told once a day, of all plants of others that they see no more', async () => {
    const [owner, other] = [await scene.person(), await scene.person()];
    const take = async (): Promise<void> => {
      const plantId = await scene.plant(owner.id);
      const sent = await as(owner.id, 'share/give' as never, { plantId, email: other.email });
      await as(other.id, 'invitation/accept' as never, { id: sent.invitationId });
      await as(owner.id, 'share/withdraw' as never, { plantId, email: other.email });
      await settle(3);
    };
    for (let i = 0; i < 3; i++) await take();
    const told = async () =>
      (await scene.letters())
        .filter(({ address }) => address === other.email)
        .flatMap(({ subject }) => (subject.includes('access') ? [subject] : []));
    const first = await told();
    await settle(24 * 60);
    expect([first.length, ...(await told())]).toEqual([1, expect.stringContaining('2 plants')]);
  });
});
