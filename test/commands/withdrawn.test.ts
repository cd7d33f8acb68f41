import { expect, test } from 'vitest';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { disableKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import {
  disableAccount,
  enableAccount,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import { endAllAccess } from '../../packages/server/src/control/commands/all-access.ts';
import { authenticateCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import { findLivingToken } from '../../packages/server/src/identity/oauth/bearer.ts';
import {
  changeApplication,
  disableApplication,
  enableApplication,
} from '../../packages/server/src/identity/oauth/applications.ts';
import { revokeGrant } from '../../packages/server/src/identity/oauth/grants.ts';
import { readAccessToken } from '../../packages/server/src/identity/oauth/tokens.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { foundCompany } from '../../packages/server/src/fleet/plants/companies/companies.ts';
import {
  joinCompany,
  leaveCompany,
} from '../../packages/server/src/fleet/plants/companies/members.ts';
import { shareWithCompany } from '../../packages/server/src/fleet/plants/companies/plants.ts';
import { lockPlant } from '../../packages/server/src/fleet/plants/lock.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { userCaller } from '../support/world.ts';
import type { Home } from './scene.ts';
import { describeControl } from './wire.ts';

describeControl('a queued command whose requester loses the right to it', (wire) => {
  const { home, send, queueFor, show, pair, clock, running, database, write, act } = wire;

  /** Who asks, and what takes the right away; undefined where the device itself goes. */
  interface Loss {
    readonly caller: Caller;
    readonly lose: () => Promise<unknown>;
  }

  const installer = async (
    here: Home,
    lose: (email: string, accountId: string) => Promise<unknown>,
  ): Promise<Loss> => {
    const { id, email } = await wire.person();
    await write((trx) => sharePlant(trx, act(), here.plantId, email, 'control'));
    return { caller: userCaller(id), lose: () => lose(email, id) };
  };
  const sharer = async (here: Home) => {
    const one = await wire.person();
    await write((trx) => sharePlant(trx, act(), here.plantId, one.email, 'control'));
    return one;
  };
  const keyOf = async (
    here: Home,
    terms: object,
    lose: (keyId: string) => Promise<unknown>,
  ): Promise<Loss> => {
    const key = await wire.key({ accountId: here.ownerId, ...terms });
    return { caller: userCaller(here.ownerId, { keyId: key.keyId }), lose: () => lose(key.keyId) };
  };
  type Tokens = Awaited<ReturnType<typeof pair>>;
  const application = async (
    here: Home,
    lose: (tokens: Tokens, caller: Caller) => Promise<unknown>,
  ): Promise<Loss> => {
    const tokens = await pair(here.ownerId);
    const { caller } = (await findLivingToken(
      database().db,
      clock.now(),
      readAccessToken(tokens.access_token)!,
    ))!;
    return { caller, lose: () => lose(tokens, caller) };
  };
  /** Takes a right away, and gives it again later. */
  const anew = async (
    lose: (trx: Db) => Promise<unknown>,
    give: (trx: Db) => Promise<unknown>,
  ): Promise<void> => {
    clock.at += 1000;
    await write(lose);
    clock.at += 1000;
    await write(give);
  };
  const grantIdOf = (caller: Caller): string =>
    caller.kind === 'application' ? caller.grantId : '';

  const losses: readonly [string, (here: Home) => Promise<Loss>][] = [
    [
      'a withdrawn share',
      (here) =>
        installer(here, (email) => write((trx) => unsharePlant(trx, act(), here.plantId, email))),
    ],
    [
      'a share for reading from now on',
      (here) =>
        installer(here, (email) =>
          write((trx) => sharePlant(trx, act(), here.plantId, email, 'read')),
        ),
    ],
    [
      'a share that was withdrawn and given again',
      (here) =>
        installer(here, (email) =>
          anew(
            (trx) => unsharePlant(trx, act(), here.plantId, email),
            (trx) => sharePlant(trx, act(), here.plantId, email, 'control'),
          ),
        ),
    ],
    [
      'a share that was for reading for a while',
      (here) =>
        installer(here, (email) =>
          anew(
            (trx) => sharePlant(trx, act(), here.plantId, email, 'read'),
            (trx) => sharePlant(trx, act(), here.plantId, email, 'control'),
          ),
        ),
    ],
    [
      'a company’s share that its member, who may read by itself, lost and has again',
      async (here) => {
        const [member, founder] = [await wire.person(), await wire.person()];
        const { plantId } = here;
        const of = { accountId: member.id, role: 'member' } as const;
        const companyId = await write(async (trx) => {
          const id = await foundCompany(trx, act(), founder.id, 'Solar & Sons');
          await sharePlant(trx, act(), plantId, member.email, 'read');
          await joinCompany(trx, act(), { companyId: id, ...of }, founder.id);
          const share = { companyId: id, level: 'control', isInstaller: false } as const;
          const plant = await lockPlant(trx, plantId);
          await shareWithCompany(trx, act(), plant, { ...share, accountId: founder.id });
          return id;
        });
        const membership = { companyId, ...of };
        return {
          caller: userCaller(member.id),
          lose: () =>
            anew(
              (trx) => leaveCompany(trx, act(), { ...membership, createdAt: 0 }),
              (trx) => joinCompany(trx, act(), membership, founder.id),
            ),
        };
      },
    ],
    [
      'a disabled account',
      (here) => installer(here, (_, id) => write((trx) => disableAccount(trx, act(), id))),
    ],
    [
      'an account that was disabled and is enabled again',
      (here) =>
        installer(here, (_, id) =>
          write(async (trx) => {
            await disableAccount(trx, act(), id);
            await enableAccount(trx, act(), id);
          }),
        ),
    ],
    [
      'the end of all access, though it was asked for in a session',
      async (here) => ({
        caller: userCaller(here.ownerId),
        lose: () => write((trx) => endAllAccess(trx, act(), here.ownerId)),
      }),
    ],
    [
      'the end of all access of an installer',
      (here) => installer(here, (_, id) => write((trx) => endAllAccess(trx, act(), id))),
    ],
    [
      'a disabled key',
      (here) => keyOf(here, {}, (keyId) => write((trx) => disableKeyPair(trx, act(), keyId))),
    ],
    [
      'a key that has expired',
      (here) => keyOf(here, { expiresAt: clock.at + 60_000 }, async () => (clock.at += 60_000)),
    ],
    [
      'a key that lost its right to control',
      (here) =>
        keyOf(here, {}, (keyId) =>
          database()
            .db.updateTable('keyPair')
            .set({ canControl: 0 })
            .where('id', '=', keyId)
            .execute(),
        ),
    ],
    [
      'a key that waits for a log-in',
      (here) =>
        keyOf(here, {}, (keyId) =>
          database()
            .db.updateTable('keyPair')
            .set({ pending: 1 })
            .where('id', '=', keyId)
            .execute(),
        ),
    ],
    [
      'a key for other plants from now on',
      (here) =>
        keyOf(here, {}, (keyId) =>
          database()
            .db.updateTable('keyPair')
            .set({ plantIds: '["1300000000000000000"]' })
            .where('id', '=', keyId)
            .execute(),
        ),
    ],
    [
      'a consent for other plants from now on',
      (here) =>
        application(here, (_, caller) =>
          database()
            .db.updateTable('oauthGrant')
            .set({ plantIds: '["1300000000000000000"]' })
            .where('id', '=', grantIdOf(caller))
            .execute(),
        ),
    ],
    [
      'an application that is not approved any more',
      (here) =>
        application(here, ({ client }) =>
          database()
            .db.updateTable('application')
            .set({ status: 'submitted' })
            .where('id', '=', client.application.id)
            .execute(),
        ),
    ],
    [
      'a revoked authorization',
      (here) =>
        application(here, (_, caller) =>
          write((trx) => revokeGrant(trx, act(), grantIdOf(caller), null)),
        ),
    ],
    [
      'a revoked refresh token',
      (here) =>
        application(here, ({ client, refresh_token: token }) => running.revoke(client, token)),
    ],
    [
      'a revoked refresh token, beside another that lives',
      (here) =>
        application(here, async ({ client, refresh_token: token }) => {
          await running.pair(client, { owner: { id: here.ownerId } as never });
          await running.revoke(client, token);
        }),
    ],
    [
      'tokens that lost the scope',
      (here) =>
        application(here, (_, caller) =>
          database()
            .db.updateTable('tokenFamily')
            .set({ scopes: 1 })
            .where('grantId', '=', grantIdOf(caller))
            .execute(),
        ),
    ],
    [
      'a revoked access token',
      (here) =>
        application(here, ({ client, access_token: token }) => running.revoke(client, token)),
    ],
    [
      'an application that lost the scope',
      (here) =>
        application(here, ({ client }) =>
          write((trx) =>
            changeApplication(trx, act(), client.application.id, { scopes: ['access_data'] }),
          ),
        ),
    ],
    [
      'a disabled application',
      (here) =>
        application(here, ({ client }) =>
          write((trx) => disableApplication(trx, act(), client.application.id)),
        ),
    ],
    [
      'an application that was disabled for a while',
      (here) =>
        application(here, ({ client }) =>
          anew(
            (trx) => disableApplication(trx, act(), client.application.id),
            (trx) => enableApplication(trx, act(), client.application.id),
          ),
        ),
    ],
    [
      'an application that lost the scope for a while',
      (here) =>
        application(here, ({ client }) =>
          anew(
            (trx) =>
              changeApplication(trx, act(), client.application.id, { scopes: ['access_data'] }),
            (trx) =>
              changeApplication(trx, act(), client.application.id, {
                scopes: ['access_data', 'control_device'],
              }),
          ),
        ),
    ],
    [
      'an archived plant',
      (here) => keyOf(here, {}, () => write((trx) => archivePlant(trx, act(), here.plantId))),
    ],
    [
      'a plant that went to another owner',
      (here) =>
        keyOf(here, {}, async () => {
          const { id } = await wire.person();
          await write((trx) => transferPlant(trx, act(), here.plantId, id));
        }),
    ],
    [
      'a device that left its plant',
      (here) =>
        keyOf(here, {}, () => write((trx) => endBinding(trx, act(), here.deviceId, here.plantId))),
    ],
    [
      'a device that left its plant for a while',
      (here) =>
        keyOf(here, {}, () =>
          anew(
            (trx) => endBinding(trx, act(), here.deviceId, here.plantId),
            (trx) => bindDevice(trx, act(), here.deviceId, here.plantId),
          ),
        ),
    ],
    [
      'a device that moved to another plant of its owner',
      (here) =>
        keyOf(here, {}, async () => {
          const other = await wire.plant(here.ownerId);
          await write(async (trx) => {
            await endBinding(trx, act(), here.deviceId, here.plantId);
            await bindDevice(trx, act(), here.deviceId, other);
          });
        }),
    ],
  ];

  const step = async (here: Home): Promise<void> =>
    void (await here.box.report(...(await here.box.fetch()).map(here.box.carryOut)));
  // The archive unbinds the collector too.
  const fetchIfAllowed = (here: Home) => here.box.fetch().catch(() => []);

  test.each(losses)(
    'by %s is not sent: neither before anything was, nor after the device was read (C18)',
    async (_, losing) => {
      for (const before of [0, 1]) {
        const here = await home();
        const { caller, lose } = await losing(here);
        const { id } = await queueFor(caller, here, '157', '20', 3_600_000);
        for (let i = 0; i < before; i++) await step(here);
        await lose();
        expect(await fetchIfAllowed(here)).toEqual([]);
        expect(here.box.writes).toEqual([]);
        const { state } = await database()
          .db.selectFrom('command')
          .select('state')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        expect(['refused', 'queued']).toContain(state);
        // What no collector can fetch any more is never sent either.
        clock.at += 3_600_000;
        await wire.runTime();
        expect(await fetchIfAllowed(here)).toEqual([]);
      }
    },
  );

  test('by the end of all access ends at once, even if no collector calls; what is asked for afterwards is sent', async () => {
    const here = await home();
    const caller = userCaller(here.ownerId);
    const stateOf = (id: string) =>
      database()
        .db.selectFrom('command')
        .select(['state', 'reason'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const before = await queueFor(caller, here, '157', '20', 3_600_000);
    const others = await queueFor(
      userCaller((await sharer(here)).id),
      here,
      '158',
      '20',
      3_600_000,
    );
    clock.at += 1;
    await write((trx) => endAllAccess(trx, act(), here.ownerId));
    await wire.runTime();
    expect(await stateOf(before.id)).toEqual({
      state: 'refused',
      reason: 'the requester’s access was ended',
    });
    expect(await stateOf(others.id)).toMatchObject({ state: 'queued' });
    clock.at += 1;
    const after = await queueFor(caller, here, '157', '20', 3_600_000);
    await wire.runTime();
    expect(await stateOf(after.id)).toMatchObject({ state: 'queued' });
    for (let i = 0; i < 6; i++) await step(here);
    expect(await stateOf(after.id)).toMatchObject({ state: 'verified' });
  });

  test('of somebody else ends when the owner stops the writes of others, and stays so when they are released', async () => {
    const here = await home();
    const { id } = await sharer(here);
    const others = await queueFor(userCaller(id), here, '157', '20', 3_600_000);
    const own = await queueFor(userCaller(here.ownerId), here, '158', '20', 3_600_000);
    const stateOf = async (of: { readonly id: string }) => (await show(here, of.id)).state;
    await wire.ask('control/stop', userCaller(here.ownerId), { plantId: here.plantId });
    expect([await stateOf(others), await stateOf(own)]).toEqual(['refused', 'queued']);
    await wire.ask('control/release', userCaller(here.ownerId), { plantId: here.plantId });
    for (let i = 0; i < 6; i++) await step(here);
    expect(here.box.writes).toHaveLength(1);
  });

  // The device itself does not go.
  const ofRequester = losses.slice(0, -5);

  test.each(ofRequester)(
    'by %s is read back if it was sent before, and says what became of it; what waited behind it is not sent',
    async (_, losing) => {
      for (const state of ['sent', 'confirmed']) {
        const here = await home();
        const { caller, lose } = await losing(here);
        const { id } = await queueFor(caller, here, '157', '20', 3_600_000);
        const next = await queueFor(caller, here, '158', '12', 3_600_000);
        await step(here);
        const [written] = await here.box.fetch();
        if (state === 'confirmed') await here.box.report(here.box.carryOut(written!));
        expect((await show(here, id)).state).toBe(state);
        await lose();
        if (state === 'sent') await here.box.report(here.box.carryOut(written!));
        expect(await here.box.obey()).toEqual(['read 157']);
        expect([(await show(here, id)).state, (await show(here, next.id)).state]).toEqual([
          'verified',
          'refused',
        ]);
      }
    },
  );

  test.each(ofRequester)(
    'to read, by %s, is not handed over, nor handed over again',
    async (_, losing) => {
      for (const before of [0, 1]) {
        const here = await home();
        const { caller, lose } = await losing(here);
        const { id } = await queueFor(caller, here, '157', undefined, 3_600_000);
        if (before === 1) await here.box.fetch();
        await lose();
        clock.at += 20_000;
        expect(await here.box.fetch()).toEqual([]);
        expect((await show(here, id)).state).toBe('refused');
      }
    },
  );

  test('by an authorization that outlives its last refresh token is not sent; by one whose token was renewed it is', async () => {
    const here = await home();
    const { client, refresh_token: refreshToken, ...tokens } = await pair(here.ownerId);
    const { caller } = (await findLivingToken(
      database().db,
      clock.now(),
      readAccessToken(tokens.access_token)!,
    ))!;
    const renewed = await queueFor(caller, here, '157', '20');
    await running.refresh(client, refreshToken);
    await here.box.obey();
    expect((await show(here, renewed.id)).state).toBe('verified');
    await database()
      .db.updateTable('tokenFamily')
      .set({ refreshExpiresAt: clock.at + 30_000 })
      .where('grantId', '=', grantIdOf(caller))
      .execute();
    const { id } = await queueFor(caller, here, '157', '25');
    clock.at += 30_000;
    expect(await here.box.fetch()).toEqual([]);
    expect(await show(here, id)).toMatchObject({
      state: 'refused',
      reason: 'the authorization has ended',
    });
  });

  test('says why, and what waited behind it goes on', async () => {
    const here = await home();
    const { caller, lose } = await losses[0]![1](here);
    const [lost, own] = [await queueFor(caller, here, '157', '20'), await send(here, '158', '12')];
    await lose();
    expect(await here.box.obey()).toEqual(['read 158', 'write 158 12', 'read 158']);
    expect(await show(here, lost.id)).toMatchObject({
      state: 'refused',
      reason: 'the requester may no longer control the plant',
    });
    expect((await show(here, own.id)).state).toBe('verified');
  });

  test(
    'is not sent once the withdrawal has returned, however close they are',
    { timeout: 120_000 },
    async () => {
      for (let round = 0; round < 20; round++) {
        const here = await home();
        const { caller, lose } = await losses[round % 2 === 0 ? 0 : 3]![1](here);
        await queueFor(caller, here, '157', '20');
        await step(here);
        let returned = false;
        const collector = await authenticateCollector(database().db, here.token, clock.now());
        const fetching = Promise.resolve(
          round % 4 < 2 ? undefined : new Promise((resolve) => setImmediate(resolve)),
        ).then(async () => {
          const begunAfter = returned;
          const handed = await wire
            .exchange()
            .instructions(collector, 0, new AbortController().signal);
          return { begunAfter, handed };
        });
        await lose();
        returned = true;
        const { begunAfter, handed } = await fetching;
        if (begunAfter) expect(handed).toEqual([]);
        expect(await here.box.fetch()).toEqual([]);
        const { state } = await database()
          .db.selectFrom('command')
          .select('state')
          .where('deviceId', '=', here.deviceId)
          .executeTakeFirstOrThrow();
        expect(state).toBe(handed.length > 0 ? 'sent' : 'refused');
      }
    },
  );
});
