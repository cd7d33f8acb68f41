import { expect, test } from 'vitest';
import { listAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import type { UserCaller } from '../../packages/server/src/identity/accounts/caller.ts';
import { listKeyPairs } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { logIn } from '../../packages/server/src/identity/accounts/log-in.ts';
import { insertSession } from '../../packages/server/src/identity/accounts/sessions.ts';
import type { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import { recordConsent, listGrants } from '../../packages/server/src/identity/oauth/grants.ts';
import { addClient, addOwner, PASSWORD } from '../oauth/fixture.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { addKey } from '../user-api/fixture.ts';

const MINUTE_MS = 60_000;
const NEW_PASSWORD = 'meadow lane in july';

describeEngines('a password that is asked for once more', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);
  const codeOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      (error: Failure) => error.code,
    );
  const ways = {
    'key/create': (caller: UserCaller, password: string) =>
      codeOf(fleet.ask('key/create', caller, { password })),
    'password/change': (caller: UserCaller, password: string) =>
      codeOf(fleet.ask('password/change', caller, { password, newPassword: NEW_PASSWORD })),
  };
  const signedIn = async (address: string): Promise<UserCaller> =>
    userCaller((await addOwner(fleet)).id, { address });

  test.each(Object.entries(ways))(
    'is guessed by %s no oftener than by logging in',
    async (_, attempt) => {
      const caller = await signedIn('203.0.113.7');
      for (let i = 0; i < 5; i++) expect(await attempt(caller, `guess ${i}`)).toBe('wrongLogin');
      // The right one is not looked at either.
      for (const password of ['guess', PASSWORD])
        expect(await attempt(caller, password)).toBe('tooManyRequests');
      await expect(
        fleet.ask('password/change', caller, { password: 'guess', newPassword: NEW_PASSWORD }),
      ).rejects.toMatchObject({
        data: { retryAfterSeconds: 30 },
      });
      expect(await listKeyPairs(database().db, caller.accountId)).toEqual([]);
      clock.at += MINUTE_MS / 2;
      expect(await attempt(caller, 'guess')).toBe('wrongLogin');
      expect(await attempt(caller, PASSWORD)).toBe('tooManyRequests');
      clock.at += MINUTE_MS / 2;
      expect(await attempt(caller, PASSWORD)).toBe('done');
    },
  );

  test('counts whichever operation asks for it, and is not refused elsewhere', async () => {
    const caller = await signedIn('198.51.100.7');
    for (const attempt of [...Object.values(ways), ...Object.values(ways), ways['key/create']])
      expect(await attempt(caller, 'guess')).toBe('wrongLogin');
    for (const attempt of Object.values(ways))
      expect(await attempt(caller, PASSWORD)).toBe('tooManyRequests');
    expect(await ways['key/create']({ ...caller, address: '192.0.2.7' }, PASSWORD)).toBe('done');
  });

  test.each(Object.entries(ways))(
    'and is wrong is in the audit trail: for %s, by whom, from where, not what was typed',
    async (operation, attempt) => {
      const caller = await signedIn('198.51.100.23');
      const { accountId } = caller;
      expect(await attempt(caller, 'a wrong guess')).toBe('wrongLogin');
      const refused = async () =>
        (await listAudit(database().db, accountId, { limit: 10 })).filter(
          ({ kind }) => kind === 'logIn.refused',
        );
      expect(await refused()).toEqual([
        expect.objectContaining({
          at: clock.at,
          actor: `account:${accountId}`,
          address: '198.51.100.23',
          data: { operation },
        }),
      ]);
      // A right one is none.
      expect(await attempt(caller, PASSWORD)).toBe('done');
      expect(await refused()).toHaveLength(1);
    },
  );

  test('that was right gives its attempt back', async () => {
    const caller = await signedIn('198.51.100.99');
    for (let i = 0; i < 7; i++) expect(await ways['key/create'](caller, PASSWORD)).toBe('done');
    expect(await ways['key/create'](caller, 'guess')).toBe('wrongLogin');
  });

  test.each([
    ['ends log-ins alone', {}],
    ['ends key pairs and authorizations as well where that is asked for', { endAllAccess: 1 }],
  ])('and then changed %s', async (_, asked) => {
    const { db } = database();
    const caller = await signedIn('192.0.2.50');
    const { accountId } = caller;
    const bystander = await addOwner(fleet);
    const { application } = await addClient(fleet);
    for (const id of [accountId, bystander.id]) {
      await addKey(fleet, { accountId: id });
      await fleet.write(async (trx) => {
        await insertSession(trx, fleet.act(), {
          accountId: id,
          entrance: 'portal',
          freshFor: null,
          userAgent: null,
        });
        await recordConsent(trx, fleet.act(), {
          accountId: id,
          applicationId: application.id,
          asked: 1,
          approved: 1,
          plantIds: null,
        });
      });
    }
    const left = async (id: string): Promise<unknown> => ({
      sessions: (await db.selectFrom('session').selectAll().where('accountId', '=', id).execute())
        .length,
      keys: (await listKeyPairs(db, id)).filter(({ disabledAt }) => disabledAt === null).length,
      grants: (await listGrants(db, id)).filter(({ revokedAt }) => revokedAt === null).length,
    });
    const before = await left(accountId);
    expect(before).toEqual({ sessions: 1, keys: 1, grants: 1 });
    await expect(
      fleet.ask('password/change', caller, {
        password: 'guess',
        newPassword: NEW_PASSWORD,
        ...asked,
      }),
    ).rejects.toMatchObject({
      code: 'wrongLogin',
    });
    expect(await left(accountId)).toEqual(before);
    await fleet.ask('password/change', caller, {
      password: PASSWORD,
      newPassword: NEW_PASSWORD,
      ...asked,
    });
    expect(await left(accountId)).toEqual(
      'endAllAccess' in asked
        ? { sessions: 0, keys: 0, grants: 0 }
        : { sessions: 0, keys: 1, grants: 1 },
    );
    expect(await left(bystander.id)).toEqual(before);
    const { email } = await db
      .selectFrom('account')
      .select('email')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    await expect(logIn(db, fleet.act(), { email, password: PASSWORD })).rejects.toMatchObject({
      code: 'wrongLogin',
    });
    expect(await logIn(db, fleet.act(), { email, password: NEW_PASSWORD })).toMatchObject({
      id: accountId,
    });
  });
});
