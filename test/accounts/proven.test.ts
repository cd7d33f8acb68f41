import type { OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import {
  changePassword,
  disableAccount,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import type { UserCaller } from '../../packages/server/src/identity/accounts/caller.ts';
import { insertPasskey } from '../../packages/server/src/identity/accounts/factors/passkey-rows.ts';
import { beginTotp } from '../../packages/server/src/identity/accounts/factors/totp.ts';
import type { Once } from '../../packages/server/src/identity/accounts/once.ts';
import {
  endOtherSessions,
  insertSession,
  listSessions,
} from '../../packages/server/src/identity/accounts/sessions.ts';
import type { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import {
  insertApplication,
  decideApplication,
} from '../../packages/server/src/identity/oauth/applications.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { addOwner, PASSWORD } from '../oauth/fixture.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { addApp, appOf, sources, STEP_MS } from './factors/fixture.ts';

describeEngines('what somebody may do who has proven the identity once more', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);

  interface Scene {
    readonly caller: UserCaller;
    readonly input: Readonly<Record<string, unknown>>;
  }
  type Change = (trx: Db, accountId: string) => Promise<unknown>;

  /** What each takes beside the password; those that need a factor to begin with get an app. */
  /** An application of an account that was approved. */
  const approvedOf = (ownerId: string): Promise<{ clientId: string }> =>
    fleet.write(async (trx) => {
      const stated = {
        name: `Yield ${ownerId}`,
        redirectUri: 'https://yield.example/callback',
        scopes: ['access_data'] as const,
        ownerId,
      };
      const { application } = await insertApplication(trx, fleet.act(), stated);
      await decideApplication(trx, fleet.act(), application.id, 'approved');
      return { clientId: application.clientId };
    });
  const takes: Readonly<
    Record<
      string,
      { factor?: true; input?: (accountId: string) => Promise<Readonly<Record<string, unknown>>> }
    >
  > = {
    'key/create': {},
    'password/change': { input: async () => ({ newPassword: 'meadow lane in july' }) },
    'account/close': {},
    'totp/begin': {},
    'totp/remove': { factor: true },
    'recovery/renew': { factor: true },
    'passkey/remove': {
      factor: true,
      input: async (accountId) => {
        const passkey = {
          accountId,
          credentialId: Buffer.from(accountId),
          publicKey: Buffer.of(1),
          counter: 0,
          transports: [],
          name: 'key',
        };
        return { id: await fleet.write((trx) => insertPasskey(trx, fleet.act(), passkey)) };
      },
    },
    'developer/rotateSecret': { input: approvedOf },
    'developer/addDestination': {
      input: async (ownerId) => ({
        ...(await approvedOf(ownerId)),
        url: 'https://93.184.215.14/events',
      }),
    },
    // The second step of what began with the password.
    'totp/confirm': {
      input: (id) =>
        fleet.write(async (trx) => {
          const { secret } = await beginTotp(trx, fleet.act(), sources.secretBox, {
            id,
            email: 'owner@example.com',
          });
          return { code: appOf(secret).at(clock.at), password: undefined };
        }),
    },
  };

  async function sceneFor(operation: string): Promise<Scene> {
    clock.at += 10 * STEP_MS;
    const { factor, input } = takes[operation]!;
    const { id } = await addOwner(fleet);
    const app = factor && (await addApp(fleet, database().db, id)).app;
    clock.at += STEP_MS;
    await fleet.write((trx) =>
      insertSession(trx, fleet.act(), {
        accountId: id,
        entrance: 'portal',
        freshFor: null,
        userAgent: null,
      }),
    );
    const [session] = await listSessions(database().db, clock.at, id);
    const caller = userCaller(id, { address: '203.0.113.7', sessionId: session!.id });
    return {
      caller,
      input: {
        password: PASSWORD,
        ...(app && { secondFactor: app.at(clock.at) }),
        ...(await input?.(id)),
      },
    };
  }

  /** Asks for an operation; `meanwhile` happens after the password was verified, first thing in the transaction. */
  const outcomeOf = (
    operation: string,
    { caller, input }: Scene,
    meanwhile?: Change,
  ): Promise<string> => {
    const carryOut = fleet.handlers()[operation as OperationId] as never as (
      caller: UserCaller,
      input: object,
      once?: Once,
    ) => Promise<unknown>;
    const once: Once | undefined =
      meanwhile && (async (trx) => void (await meanwhile(trx, caller.accountId)));
    return carryOut(caller, input, once).then(
      () => 'done',
      (error: Failure) => error.code ?? String(error),
    );
  };

  const ways: readonly (readonly [string, Change, string])[] = [
    [
      'whose session was ended',
      (trx, id) => endOtherSessions(trx, fleet.act(), id, undefined),
      'notAuthenticated',
    ],
    [
      'whose session ran out',
      (trx, id) =>
        trx
          .updateTable('session')
          .set({ expiresAt: clock.at })
          .where('accountId', '=', id)
          .execute(),
      'notAuthenticated',
    ],
    [
      'whose account was disabled',
      (trx, id) => disableAccount(trx, fleet.act(), id),
      'notAuthenticated',
    ],
    [
      'whose password was replaced',
      (trx, id) =>
        changePassword(trx, fleet.act(), id, { passwordHash: 'another', legacyHash: null }),
      'notAuthenticated',
    ],
  ];

  test.each(Object.keys(takes))(
    '%s is refused to somebody who lost the right to it while the password was verified',
    async (operation) => {
      const scene = await sceneFor(operation);
      const { factor } = takes[operation]!;
      for (const [way, meanwhile, code] of ways) {
        // Without a password to compare, it is the session that has ended.
        const expected =
          operation === 'totp/confirm' && way === 'whose password was replaced'
            ? 'notAuthenticated'
            : code;
        expect([
          way,
          await outcomeOf(operation, factor ? await sceneFor(operation) : scene, meanwhile),
        ]).toEqual([way, expected]);
      }
      expect(await outcomeOf(operation, factor ? await sceneFor(operation) : scene)).toBe('done');
    },
  );
});
