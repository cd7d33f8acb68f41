import { expect, test } from 'vitest';
import {
  addPasskey,
  beginPasskey,
} from '../../../packages/server/src/identity/accounts/factors/passkeys.ts';
import { newSessionId } from '../../../packages/server/src/identity/accounts/sessions.ts';
import {
  continueSignIn,
  passkeySignInOptions,
  signIn,
  signInWithPasskey,
  type RequestPlace,
} from '../../../packages/server/src/identity/accounts/sign-in.ts';
import type { Failure } from '../../../packages/server/src/platform/kernel/failure.ts';
import { addOwner, PASSWORD } from '../../oauth/fixture.ts';
import { factorSources } from '../../support/credentials.ts';
import { describeEngines } from '../../support/engines.ts';
import { createWorld, settableClock } from '../../support/world.ts';
import { addApp } from './fixture.ts';
import { createSoftwareAuthenticator } from './software-authenticator.ts';

const ORIGIN = 'https://portal.localhost';
const HERE = '203.0.113.7';

describeEngines('wrong factors', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createWorld(database, clock);
  const sources = factorSources(ORIGIN);
  const deps = () => ({ db: database().db, clock, ids: world.newId, factors: sources });
  const place = (change: Partial<RequestPlace> = {}): RequestPlace => ({
    entrance: 'portal',
    address: HERE,
    sessionId: newSessionId(),
    knownBrowser: undefined,
    userAgent: undefined,
    freshFor: null,
    ...change,
  });
  const outcome = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      (error: Failure) => error.code,
    );
  const counted = (outcomes: readonly string[]): Record<string, number> =>
    Object.fromEntries(
      [...Map.groupBy(outcomes, (one) => one)].map(([code, all]) => [code, all.length]),
    );
  const refusalsOf = async (accountId: string): Promise<number> => {
    const { amount } = await database()
      .db.selectFrom('auditEvent')
      .select((eb) => eb.fn.countAll<number>().as('amount'))
      .where('accountId', '=', accountId)
      .where('kind', '=', 'logIn.refused')
      .executeTakeFirstOrThrow();
    return amount;
  };
  /** An owner with a passkey; each log-in with it is right or wrong. */
  async function equipped() {
    const account = await addOwner(world);
    const own = createSoftwareAuthenticator(ORIGIN, 'localhost');
    const registering = (await beginPasskey(database().db, sources, clock.at, account)) as {
      challenge: string;
    };
    await world.write((trx) =>
      addPasskey(trx, sources, world.act(), account.id, 'Key', own.make(registering)),
    );
    const logIn = async (where: RequestPlace, isRight: boolean): Promise<string> => {
      const asked = (await passkeySignInOptions(deps(), where)) as { challenge: string };
      const shown = own.show(asked, {
        userHandle: account.id,
        ...(!isRight && { signature: Buffer.alloc(8) }),
      });
      return outcome(signInWithPasskey(deps(), where, shown));
    };
    return { account, logIn };
  }

  test('of passkeys are throttled like wrong passwords, and so are the rows that they write', async () => {
    const { account, logIn } = await equipped();
    const all = await Promise.all(Array.from({ length: 24 }, () => logIn(place(), false)));
    expect(counted(all)).toEqual({ wrongFactor: 5, tooManyRequests: 19 });
    expect(await refusalsOf(account.id)).toBe(5);
    // They count together with those of passwords.
    const password = outcome(
      signIn(deps(), place(), { email: account.email, password: 'not the right one' }),
    );
    expect(await password).toBe('tooManyRequests');
    expect(await refusalsOf(account.id)).toBe(5);
    // Elsewhere, and later, its owner is let in.
    expect(await logIn(place({ address: '198.51.100.9' }), true)).toBe('done');
    clock.at += 60_000;
    expect(await logIn(place(), true)).toBe('done');
  });

  test('of passkeys are forgotten after a right one', async () => {
    const { account, logIn } = await equipped();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) expect(await logIn(place(), false)).toBe('wrongFactor');
      expect(await logIn(place(), true)).toBe('done');
    }
    expect(await refusalsOf(account.id)).toBe(12);
  });

  test.each(['a recovery code', 'the answer of a passkey'])(
    'of the second step are counted where they come from: %s',
    async (what) => {
      const account = await addOwner(world);
      const { app } = await addApp(world, database().db, account.id);
      const wrong = what === 'a recovery code' ? 'abcd-efgh-ijkl' : '{"id":"AAAA"}';
      const ticketOf = async (where: RequestPlace): Promise<string> =>
        signIn(deps(), where, { email: account.email, password: PASSWORD }).then(
          () => '',
          ({ data }: Failure) => data!['ticket'] as string,
        );
      const where = place();
      const ticket = await ticketOf(where);
      const all = await Promise.all(
        Array.from({ length: 30 }, () =>
          outcome(continueSignIn(deps(), where, { ticket, secondFactor: wrong })),
        ),
      );
      expect(counted(all)).toEqual({ wrongFactor: 20, tooManyRequests: 10 });
      expect(await refusalsOf(account.id)).toBe(20);
      // A code of the app is counted by itself, and nobody elsewhere is kept out.
      const elsewhere = place({ address: '198.51.100.9' });
      const other = await ticketOf(elsewhere);
      expect(
        await outcome(continueSignIn(deps(), elsewhere, { ticket: other, secondFactor: wrong })),
      ).toBe('wrongFactor');
      clock.at += 30_000;
      const secondFactor = app.at(clock.at);
      expect(await outcome(continueSignIn(deps(), where, { ticket, secondFactor }))).toBe('done');
    },
  );
});
