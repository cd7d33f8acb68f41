import { expect, test } from 'vitest';
import {
  changePassword,
  disableAccount,
  type Account,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import { logIn } from '../../packages/server/src/identity/accounts/log-in.ts';
import { makeVerifiers } from '../../packages/server/src/identity/accounts/passwords.ts';
import {
  listSessions,
  newSessionId,
} from '../../packages/server/src/identity/accounts/sessions.ts';
import {
  continueSignIn,
  signIn,
  type RequestPlace,
} from '../../packages/server/src/identity/accounts/sign-in.ts';
import { legacyDigest } from '../../packages/server/src/platform/kernel/passwords/password.ts';
import type { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { addOwner, PASSWORD } from '../oauth/fixture.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { overtaken } from './overtaken.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { addApp, sources, STEP_MS } from './factors/fixture.ts';

describeEngines('a password that is replaced while it is verified', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);
  const codeOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      (error: Failure) => error.code ?? String(error),
    );
  const deps = (db: Db) => ({ db, clock, ids: fleet.newId, factors: sources });
  const place = (): RequestPlace => ({
    entrance: 'portal',
    address: '203.0.113.7',
    sessionId: newSessionId(),
    knownBrowser: undefined,
    userAgent: undefined,
    freshFor: null,
  });
  /** Replaces the password, as a reset does; returns how often it did so. */
  const replacing = async ({ id }: Account) => {
    const verifiers = await makeVerifiers('meadow lane in july', true);
    let times = 0;
    const replace = async (): Promise<void> => {
      await fleet.write((trx) => changePassword(trx, fleet.act(), id, verifiers));
      times++;
    };
    return { replace, times: () => times };
  };
  const sessionsOf = async ({ id }: Account): Promise<number> =>
    (await listSessions(database().db, clock.at, id)).length;

  test('gets no session', async () => {
    const owner = await addOwner(fleet);
    const { replace, times } = await replacing(owner);
    const credentials = { email: owner.email, password: PASSWORD };
    expect(
      await codeOf(signIn(deps(overtaken(database().db, 'phc', replace)), place(), credentials)),
    ).toBe('wrongLogin');
    expect([times(), await sessionsOf(owner)]).toEqual([1, 0]);
  });

  test('in the form of control clients neither', async () => {
    const owner = await addOwner(fleet);
    const { replace, times } = await replacing(owner);
    const both = await makeVerifiers(PASSWORD, true);
    await fleet.write((trx) => changePassword(trx, fleet.act(), owner.id, both));
    const credentials = { email: owner.email, digest: legacyDigest(PASSWORD) };
    expect(await codeOf(logIn(database().db, fleet.act(), credentials))).toBe('done');
    expect(
      await codeOf(logIn(overtaken(database().db, 'phc', replace), fleet.act(), credentials)),
    ).toBe('wrongLogin');
    expect(times()).toBe(1);
  });

  test('nor does that of an account which is disabled meanwhile', async () => {
    const owner = await addOwner(fleet);
    const disable = () => fleet.write((trx) => disableAccount(trx, fleet.act(), owner.id));
    expect(
      await codeOf(
        signIn(deps(overtaken(database().db, 'phc', disable)), place(), {
          email: owner.email,
          password: PASSWORD,
        }),
      ),
    ).toBe('wrongLogin');
    expect(await sessionsOf(owner)).toBe(0);
  });

  test('gets none by a second factor', async () => {
    clock.at += 10 * STEP_MS;
    const owner = await addOwner(fleet);
    const { app } = await addApp(fleet, database().db, owner.id);
    clock.at += STEP_MS;
    const { replace, times } = await replacing(owner);
    const where = place();
    const ticket = await signIn(deps(database().db), where, {
      email: owner.email,
      password: PASSWORD,
    }).catch((error: Failure) => error.data!['ticket'] as string);
    const step = { ticket: ticket as string, secondFactor: app.at(clock.at) };
    // After the ticket was compared.
    expect(
      await codeOf(
        continueSignIn(deps(overtaken(database().db, 'passwordHash', replace)), where, step),
      ),
    ).toBe('wrongFactor');
    expect([times(), await sessionsOf(owner)]).toEqual([1, 0]);
  });

  test('is changed by one of two who know it', async () => {
    const owner = await addOwner(fleet);
    const attempts = ['meadow lane in may', 'meadow lane in june'].map((newPassword) =>
      codeOf(
        fleet.ask('password/change', userCaller(owner.id, { address: '203.0.113.9' }), {
          password: PASSWORD,
          newPassword,
        }),
      ),
    );
    expect((await Promise.all(attempts)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'done',
      'wrongLogin',
    ]);
  });
});
