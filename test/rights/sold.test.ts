import type { OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { authenticateCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import { listReaders } from '../../packages/server/src/fleet/plants/access.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { minimal } from '../management/fixture.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { addKey } from '../user-api/fixture.ts';
import { createRightsScene, LIMITED, type Scene } from './scene.ts';

describeEngines('who sells a plant', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);
  const ask = (caller: Caller, id: OperationId, body: Record<string, unknown> = {}): Promise<any> =>
    fleet.wire(id, caller, body);
  const as = (account: Pick<Account, 'id'>) => userCaller(account.id);
  const codeOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      ({ code, message }) => code ?? message,
    );

  /** Somebody accepts to install the owner's plant, for the company or for themselves. */
  const install = async (
    { owner, plantId }: Scene,
    installer: Account,
    forCompany: boolean,
  ): Promise<void> => {
    await ask(as(owner), 'stationUpdate', {
      ...minimal,
      id: plantId,
      installerEmail: installer.email,
    });
    const { records } = await ask(as(installer), 'invitation/list');
    const { id } = records.find((one: any) => one.kind === 'installer' && one.state === 'open');
    await ask(as(installer), 'invitation/accept', { id, ...(forCompany && { forCompany: 1 }) });
  };
  const offerTo = async (
    { owner, buyer, plantId }: Scene,
    keep?: 'read' | 'control',
  ): Promise<any> => {
    await ask(as(owner), 'plant/offer', { plantId, email: buyer.email, ...(keep && { keep }) });
    const { records } = await ask(as(buyer), 'invitation/list');
    return records.find((one: any) => one.kind === 'owner' && one.state === 'open');
  };
  const accept = ({ buyer }: Scene, { id }: { id: string }, withoutSender: boolean) =>
    ask(as(buyer), 'invitation/accept', { id, ...(withoutSender && { withoutSender: 1 }) });
  const sell = async (scene: Scene): Promise<void> => accept(scene, await offerTo(scene), true);

  /** What somebody may do with the plant, however they ask. */
  const mayDo = async ({ plantId, sn }: Scene, caller: Caller): Promise<string> => {
    const sees = await codeOf(ask(caller, 'stationDetail', { id: plantId }));
    const sends = await codeOf(ask(caller, 'command/send', { sn, cid: '160', value: '9' }));
    return sees === 'done' ? (sends === 'done' ? 'control' : 'read') : sends;
  };
  /** Who has access to the plant beside its owner, as the owner sees. */
  const others = async ({ buyer, plantId }: Scene): Promise<Record<string, string>> => {
    const shares = await ask(as(buyer), 'share/list', { plantId });
    return Object.fromEntries(
      shares.flatMap((one: any) =>
        one.accountId === buyer.id ? [] : [[one.email, one.companyLevel ?? one.level]],
      ),
    );
  };

  test.each([
    ['a colleague installs it for the company', true],
    ['a colleague installs it', false],
  ])('keeps nothing where %s', async (_, forCompany) => {
    const scene = await createRightsScene(fleet);
    const { owner, colleague, buyer, plantId } = scene;
    await install(scene, colleague, forCompany);
    const offer = await offerTo(scene);
    // What is shown is what would remain.
    expect(offer).toMatchObject({
      ...(forCompany && { keeps: 'control' }),
      installer: forCompany ? 'Sun & Sons' : colleague.email,
      installerEnds: true,
    });
    expect('keeps' in offer).toBe(forCompany);
    await accept(scene, offer, true);
    expect(await others(scene)).toEqual({});
    for (const who of [owner, colleague]) expect(await mayDo(scene, as(who))).toBe('deviceUnknown');
    const detail = await ask(as(buyer), 'stationDetail', { id: plantId });
    expect(JSON.stringify(detail)).not.toContain(colleague.email);
    expect((await ask(as(colleague), 'company/plants')).records).toEqual([]);
    expect(await countMiscounts(database().db)).toBe(0);
  });

  test.each([
    [undefined, true],
    ['read', true],
    ['control', true],
    [undefined, false],
    ['read', false],
  ] as const)(
    'keeps exactly what the offer says (%s, a company installs it: %s), and no more',
    async (keep, installs) => {
      const scene = await createRightsScene(fleet);
      const { owner, colleague } = scene;
      if (installs) await install(scene, colleague, true);
      const offer = await offerTo(scene, keep);
      expect(offer.keeps).toBe(installs ? 'control' : keep);
      await accept(scene, offer, false);
      const kept = offer.keeps ?? 'deviceUnknown';
      expect(await mayDo(scene, as(owner))).toBe(kept === 'read' ? 'read' : kept);
      expect(Object.keys(await others(scene)).toSorted()).toEqual(
        [
          ...(kept === 'deviceUnknown' ? [] : [owner.email]),
          ...(installs ? [colleague.email] : []),
        ].toSorted(),
      );
    },
  );

  test('leaves an installer who is nobody of theirs, and says so', async () => {
    const scene = await createRightsScene(fleet);
    const installer = await fleet.person({ role: 'installer' });
    await install(scene, installer, false);
    const offer = await offerTo(scene);
    expect(offer).toMatchObject({ installer: installer.email, installerEnds: false });
    await accept(scene, offer, true);
    expect(await others(scene)).toEqual({ [installer.email]: 'control' });
    expect(await mayDo(scene, as(scene.owner))).toBe('deviceUnknown');
  });

  test('has no access by a company that the plant was given to, nor by anything of its people', async () => {
    const scene = await createRightsScene(fleet);
    const { owner, colleague, plantId } = scene;
    await ask(as(owner), 'company/give', { plantIds: [plantId] });
    const keys = [owner, colleague].map(async ({ id }) => {
      const { keyId } = await addKey(fleet, { accountId: id, plantIds: [plantId] });
      return userCaller(id, { keyId, plantIds: [plantId] });
    });
    expect(await mayDo(scene, as(colleague))).toBe('control');
    await sell(scene);
    for (const caller of [as(colleague), ...(await Promise.all(keys))])
      expect(await mayDo(scene, caller)).toBe('deviceUnknown');
    expect(await listReaders(database().db, [owner.id, colleague.id], [plantId])).toEqual([]);
  });

  test('ends what applications may: they see nothing, begin nothing, and what goes on ends at once', async () => {
    const scene = await createRightsScene(fleet);
    const { application, strategy, plantId, sn, buyer, deviceId } = scene;
    await ask(application, 'strategy/dispatch', { id: strategy });
    await sell(scene);
    expect(await codeOf(ask(application, 'stationDetail', { id: plantId }))).toBe('noPermission');
    const body = { reference: 'r', name: 'n', sn, end: clock.at + 60_000, intervals: LIMITED };
    expect(await codeOf(ask(application, 'strategy/create', body))).toBe('deviceUnknown');
    const course = await database()
      .db.selectFrom('strategyDevice')
      .select(['state', 'reason'])
      .where('deviceId', '=', deviceId)
      .executeTakeFirstOrThrow();
    expect(course).toEqual({ state: 'cancelled', reason: 'the plant has another owner' });
    // Nor is the buyer shown it.
    expect(await ask(as(buyer), 'strategy/list', { plantId })).toEqual([]);
    expect(await codeOf(ask(as(buyer), 'strategy/detail', { id: strategy }))).toBe('noPermission');
  });

  test('has no command carried out that waited, nor has anybody whose access has ended', async () => {
    const scene = await createRightsScene(fleet);
    const { owner, colleague, command, sn, plantId } = scene;
    await install(scene, colleague, true);
    const theirs = await ask(as(colleague), 'command/send', { sn, cid: '157', value: '30' });
    await sell(scene);
    const open = await database()
      .db.selectFrom('command')
      .select(['id', 'state', 'reason'])
      .where('plantId', '=', plantId)
      .orderBy('id')
      .execute();
    const ended = { state: 'cancelled', reason: 'the requester may no longer control the plant' };
    expect(open).toEqual([
      { id: command, ...ended },
      { id: theirs.id, ...ended },
    ]);
    expect(await codeOf(ask(as(owner), 'command/show', { id: command }))).toBe('noPermission');
  });

  test('knows tokens of its collectors: the offer says so, and without the sender they end', async () => {
    const scene = await createRightsScene(fleet);
    const { owner, buyer, collector: sn, plantId } = scene;
    const { token } = await ask(as(owner), 'collector/replaceToken', { plantId, sn });
    const now = () => clock.at;
    const heard = (secret: string) => codeOf(authenticateCollector(database().db, secret, now()));
    expect(await heard(token)).toBe('done');
    const offer = await offerTo(scene);
    expect(offer).toMatchObject({ collectors: 1 });
    await accept(scene, offer, true);
    expect(await heard(token)).toBe('notAuthenticated');
    const { token: fresh } = await ask(as(buyer), 'collector/replaceToken', { plantId, sn });
    expect(await heard(fresh)).toBe('done');
    // With the sender, it goes on; the offer has said it.
    const back = { ...scene, owner: buyer, buyer: owner };
    await accept(back, await offerTo(back), false);
    expect(await heard(fresh)).toBe('done');
  });

  test.each([
    ['accepts', async (scene: Scene) => sell(scene)],
    [
      'is given it by the operator',
      ({ plantId, buyer }: Scene) =>
        ask({ kind: 'operator', accountId: null, plantIds: null }, 'plant/transfer', {
          plantId,
          owner: buyer.email,
        }),
    ],
  ])(
    'gets nothing of what was given for the plant alive by getting it back (the buyer %s)',
    async (_, handOver) => {
      const scene = await createRightsScene(fleet);
      const { owner, buyer, colleague, plantId, application } = scene;
      await ask(as(owner), 'company/give', { plantIds: [plantId] });
      const second = await fleet.plant(owner.id);
      const { db } = database();
      const listed = async () => {
        const grants = await ask(as(owner), 'grant/list');
        const keys = await Promise.all(
          [owner, colleague].map(({ id }) => ask(as({ id }), 'key/list')),
        );
        return [grants.records ?? grants, ...keys.map((of) => of.records ?? of)]
          .flat()
          .map((one: any) => one.plantIds);
      };
      for (const { id } of [owner, colleague])
        await addKey(fleet, { accountId: id, plantIds: [plantId] });
      await ask(as(owner), 'grant/narrow', {
        id: application.grantId,
        plantIds: [plantId, second],
      });
      expect(await listed()).toEqual([[plantId, second], [plantId], [plantId]]);
      await handOver(scene);
      expect(await listed()).toEqual([[second], [], []]);
      await accept(
        { ...scene, owner: buyer, buyer: owner },
        await offerTo({ ...scene, owner: buyer, buyer: owner }),
        true,
      );
      expect(await mayDo(scene, as(owner))).toBe('control');
      expect(await listed()).toEqual([[second], [], []]);
      const keys = await db.selectFrom('keyPair').selectAll().execute();
      expect(keys.filter((key) => key.plantIds?.includes(plantId))).toEqual([]);
      // What is for no plant any more can still be restricted.
      await ask(as(owner), 'grant/narrow', { id: application.grantId, scopes: ['access_data'] });
    },
  );

  test('leaves key pairs of those who keep their access as they are', async () => {
    const scene = await createRightsScene(fleet);
    const { owner, plantId } = scene;
    await addKey(fleet, { accountId: owner.id, plantIds: [plantId] });
    await accept(scene, await offerTo(scene, 'read'), false);
    const keys = await ask(as(owner), 'key/list');
    expect((keys.records ?? keys).map((one: any) => one.plantIds)).toEqual([[plantId]]);
  });

  test('shows nothing more to the support, and lets nobody in by an invitation that was open', async () => {
    const scene = await createRightsScene(fleet);
    const { owner, operator, plantId, sent } = scene;
    const guest = await fleet.person({ email: 'guest@example.com' });
    const support = userCaller(owner.id, { supporterId: operator.id, canControl: false });
    expect(await codeOf(ask(support, 'stationDetail', { id: plantId }))).toBe('done');
    await sell(scene);
    expect(await codeOf(ask(support, 'stationDetail', { id: plantId }))).toBe('noPermission');
    expect(await codeOf(ask(as(guest), 'invitation/accept', { id: sent }))).toBe('noPermission');
    const open = await database()
      .db.selectFrom('invitation')
      .select('id')
      .where('plantId', '=', plantId)
      .where('state', '=', 'open')
      .execute();
    expect(open).toEqual([]);
  });
});
