import { expect, test } from 'vitest';
import { listAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import { listFactors } from '../../../packages/server/src/identity/accounts/factors/factors.ts';
import { insertPasskey } from '../../../packages/server/src/identity/accounts/factors/passkey-rows.ts';
import { logIn } from '../../../packages/server/src/identity/accounts/log-in.ts';
import {
  insertSession,
  listSessions,
} from '../../../packages/server/src/identity/accounts/sessions.ts';
import { addOwner, PASSWORD } from '../../oauth/fixture.ts';
import { createFleet } from '../../operations/fleet.ts';
import { describeEngines } from '../../support/engines.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { addApp } from './fixture.ts';

const OPERATOR = { kind: 'operator', accountId: null, plantIds: null } as const;

describeEngines('second factors that were lost', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);

  /** Somebody with an app, recovery codes and a passkey, who is logged in. */
  const protectedOwner = async () => {
    const owner = await addOwner(fleet);
    await addApp(fleet, database().db, owner.id);
    const passkey = {
      accountId: owner.id,
      credentialId: Buffer.from(owner.id),
      publicKey: Buffer.alloc(1),
      counter: 0,
      transports: [],
      name: 'Phone',
    };
    const passkeyId = await fleet.write(async (trx) => {
      await insertSession(trx, fleet.act(), {
        accountId: owner.id,
        entrance: 'portal',
        freshFor: null,
        userAgent: null,
      });
      return insertPasskey(trx, fleet.act(), passkey);
    });
    return { owner, passkeyId };
  };
  const logsIn = ({ email }: { email: string }) =>
    logIn(
      database().db,
      { at: clock.at, newId: fleet.newId, address: null },
      { email, password: PASSWORD },
    ).then(
      () => 'done',
      (error: Error) => error.message,
    );

  test('are removed by the operator: log-ins end, and the password alone is asked for; those of others stay', async () => {
    const [{ owner }, { owner: other }] = [await protectedOwner(), await protectedOwner()];
    expect(await logsIn(owner)).toContain('second factor');
    expect(
      await fleet.ask('user/resetFactors', OPERATOR, { email: owner.email.toUpperCase() }),
    ).toEqual({ id: owner.id, email: owner.email });
    expect(await listFactors(database().db, owner.id)).toEqual({
      totpSince: null,
      recoveryCodesLeft: 0,
      passkeys: [],
    });
    expect(await listSessions(database().db, clock.at, owner.id)).toEqual([]);
    expect(await logsIn(owner)).toBe('done');
    expect(
      (await listAudit(database().db, owner.id, { limit: 20 })).map(({ kind, actor }) => [
        kind,
        actor,
      ]),
    ).toContainEqual(['factor.reset', 'operator']);
    expect(await logsIn(other)).toContain('second factor');
    expect(await listSessions(database().db, clock.at, other.id)).toHaveLength(1);
    await expect(
      fleet.ask('user/resetFactors', OPERATOR, { email: 'nobody@example.com' }),
    ).rejects.toMatchObject({ code: 'accountUnknown' });
  });

  test('a passkey gets another name from its owner alone', async () => {
    const [{ owner, passkeyId: id }, { owner: other }] = [
      await protectedOwner(),
      await protectedOwner(),
    ];
    const named = async () =>
      (await listFactors(database().db, owner.id)).passkeys.map(({ name }) => name);
    await fleet.ask('passkey/rename', userCaller(owner.id), { id, name: '  Küche <b>  ' });
    expect(await named()).toEqual(['Küche <b>']);
    for (const name of ['x'.repeat(101), 'a\u202eb'])
      await expect(
        fleet.ask('passkey/rename', userCaller(owner.id), { id, name }),
      ).rejects.toMatchObject({ code: 'invalidValue', data: { field: 'name' } });
    await expect(
      fleet.ask('passkey/rename', userCaller(other.id), { id, name: 'Mine' }),
    ).rejects.toMatchObject({ code: 'noPermission' });
    expect(await named()).toEqual(['Küche <b>']);
  });
});
