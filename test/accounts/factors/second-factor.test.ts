import { expect, test } from 'vitest';
import { listAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import type { UserCaller } from '../../../packages/server/src/identity/accounts/caller.ts';
import {
  insertWaitingKeyPair,
  listKeyPairs,
} from '../../../packages/server/src/identity/accounts/key-pairs.ts';
import { logIn } from '../../../packages/server/src/identity/accounts/log-in.ts';
import {
  listSessions,
  newSessionId,
} from '../../../packages/server/src/identity/accounts/sessions.ts';
import {
  beginSession,
  continueSignIn,
  signIn,
  type Place,
} from '../../../packages/server/src/identity/accounts/sign-in.ts';
import { legacyDigest } from '../../../packages/server/src/platform/kernel/passwords/password.ts';
import type { Failure } from '../../../packages/server/src/platform/kernel/failure.ts';
import { makeVerifiers } from '../../../packages/server/src/identity/accounts/passwords.ts';
import { changePassword } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { addOwner, PASSWORD } from '../../oauth/fixture.ts';
import { createFleet } from '../../operations/fleet.ts';
import { describeEngines } from '../../support/engines.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { addApp, appOf, sources, STEP_MS, toBase32 } from './fixture.ts';

const terms = { label: '', canControl: true, plantIds: null, cidrs: null, expiresAt: null };

describeEngines('a second factor', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);
  const deps = () => ({ db: database().db, clock, ids: fleet.newId, factors: sources });
  let places = 0;
  const place = (change: Partial<Place> = {}): Place => ({
    entrance: 'portal',
    address: `203.0.${(++places >> 8) % 256}.${places % 256}`,
    sessionId: newSessionId(),
    knownBrowser: undefined,
    userAgent: undefined,
    freshFor: null,
    ...change,
  });
  const failureOf = (asked: Promise<unknown>): Promise<Failure> =>
    asked.then(
      () => {
        throw new Error('was not refused');
      },
      (error: Failure) => error,
    );
  const codeOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      (error: Failure) => error.code ?? String(error),
    );
  /** An owner with an app, in a time step of its own. */
  const owner = async () => {
    clock.at += 10 * STEP_MS;
    const account = await addOwner(fleet);
    const factors = await addApp(fleet, database().db, account.id);
    clock.at += STEP_MS;
    return { account, ...factors };
  };
  const firstStep = async (email: string, where: Place): Promise<string> =>
    (await failureOf(signIn(deps(), where, { email, password: PASSWORD }))).data![
      'ticket'
    ] as string;

  test('is asked for at the log-in: the password alone gets no session, and activates no key', async () => {
    const { account, app } = await owner();
    await fleet.write((trx) =>
      insertWaitingKeyPair(
        trx,
        fleet.act({ actor: `account:${account.id}` }),
        sources.secretBox,
        account.id,
        terms,
      ),
    );
    clock.at += STEP_MS;
    const where = place();
    const refused = await failureOf(
      signIn(deps(), where, { email: account.email, password: PASSWORD }),
    );
    expect(refused).toMatchObject({
      code: 'secondFactorRequired',
      data: { methods: ['totp', 'recoveryCode'] },
    });
    const left = async () => ({
      sessions: (await listSessions(database().db, clock.at, account.id)).length,
      pending: (await listKeyPairs(database().db, account.id)).map(({ pending }) => pending),
      logIns: (await listAudit(database().db, account.id, { limit: 20 })).filter(
        ({ kind }) => kind === 'logIn.succeeded',
      ).length,
    });
    expect(await left()).toEqual({ sessions: 0, pending: [true], logIns: 0 });
    const ticket = refused.data!['ticket'] as string;
    expect(await codeOf(continueSignIn(deps(), where, { ticket, secondFactor: '000000' }))).toBe(
      'wrongFactor',
    );
    expect(await left()).toEqual({ sessions: 0, pending: [true], logIns: 0 });
    await continueSignIn(deps(), where, { ticket, secondFactor: app.at(clock.at) });
    expect(await left()).toEqual({ sessions: 1, pending: [false], logIns: 1 });
  });

  test('is not named before the password was right', async () => {
    const { account } = await owner();
    expect(await codeOf(signIn(deps(), place(), { email: account.email, password: 'guess' }))).toBe(
      'wrongLogin',
    );
  });

  test('belongs to the browser, the entrance and the password of the first step, for ten minutes', async () => {
    const { account, app } = await owner();
    const where = place();
    const ticket = await firstStep(account.email, where);
    const secondFactor = (): string => app.at(clock.at);
    expect(
      await codeOf(continueSignIn(deps(), place(), { ticket, secondFactor: secondFactor() })),
    ).toBe('loginExpired');
    expect(
      await codeOf(
        continueSignIn(
          deps(),
          { ...where, entrance: 'oauth' },
          { ticket, secondFactor: secondFactor() },
        ),
      ),
    ).toBe('loginExpired');
    for (const forged of ['', 'x', ticket.slice(1), `${ticket}AAAA`]) {
      expect(
        await codeOf(
          continueSignIn(deps(), where, { ticket: forged, secondFactor: secondFactor() }),
        ),
      ).toBe('loginExpired');
    }
    const verifiers = await makeVerifiers('meadow lane in july', false);
    await fleet.write((trx) => changePassword(trx, fleet.act(), account.id, verifiers));
    expect(
      await codeOf(continueSignIn(deps(), where, { ticket, secondFactor: secondFactor() })),
    ).toBe('loginExpired');
    const again = (
      await failureOf(
        signIn(deps(), where, { email: account.email, password: 'meadow lane in july' }),
      )
    ).data!['ticket'] as string;
    clock.at += 10 * 60_000;
    expect(
      await codeOf(continueSignIn(deps(), where, { ticket: again, secondFactor: secondFactor() })),
    ).toBe('loginExpired');
  });

  test('of an account that was disabled between the steps is refused', async () => {
    const { account, app } = await owner();
    const where = place();
    const ticket = await firstStep(account.email, where);
    await database()
      .db.updateTable('account')
      .set({ disabledAt: clock.at })
      .where('id', '=', account.id)
      .execute();
    expect(
      await codeOf(continueSignIn(deps(), where, { ticket, secondFactor: app.at(clock.at) })),
    ).toBe('wrongFactor');
    expect(await listSessions(database().db, clock.at, account.id)).toEqual([]);
  });

  test('from an app is what RFC 6238 says, through our own log-in', async () => {
    // Appendix B, SHA-1: the last six of its eight digits.
    const vectors = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ] as const;
    const before = clock.at;
    const { account } = await owner();
    const sealed = sources.secretBox.seal(
      toBase32(Buffer.from('12345678901234567890')),
      `totp ${account.id}`,
    );
    for (const [seconds, code] of vectors) {
      clock.at = seconds * 1000;
      await database()
        .db.updateTable('totp')
        .set({ secret: sealed, lastStep: 0 })
        .where('accountId', '=', account.id)
        .execute();
      // From where nobody has logged in yet: there, attempts of decades later are not counted.
      const where = place({ address: '192.0.2.1' });
      const ticket = await firstStep(account.email, where);
      expect([
        seconds,
        await codeOf(continueSignIn(deps(), where, { ticket, secondFactor: code })),
      ]).toEqual([seconds, 'done']);
    }
    clock.at = before + 3_600_000;
  });

  test('from an app may be of the step before or after, as clocks differ, and of no other', async () => {
    for (const [steps, outcome] of [
      [-2, 'wrongFactor'],
      [-1, 'done'],
      [0, 'done'],
      [1, 'done'],
      [2, 'wrongFactor'],
    ] as const) {
      const { account, app } = await owner();
      clock.at += 10 * STEP_MS;
      const where = place();
      const ticket = await firstStep(account.email, where);
      expect([
        steps,
        await codeOf(
          continueSignIn(deps(), where, {
            ticket,
            secondFactor: app.at(clock.at + steps * STEP_MS),
          }),
        ),
      ]).toEqual([steps, outcome]);
    }
  });

  test('from an app is used once, also by another log-in, and then no earlier one', async () => {
    const { account, app } = await owner();
    const step = async (secondFactor: string): Promise<string> => {
      const where = place();
      const ticket = await firstStep(account.email, where);
      return codeOf(continueSignIn(deps(), where, { ticket, secondFactor }));
    };
    const code = app.at(clock.at);
    expect(await step(`${code.slice(0, 3)} ${code.slice(3)}`)).toBe('done');
    expect(await step(code)).toBe('wrongFactor');
    expect(await step(app.at(clock.at - STEP_MS))).toBe('wrongFactor');
    clock.at += STEP_MS;
    expect(await step(code)).toBe('wrongFactor');
    expect(await step(app.at(clock.at))).toBe('done');
  });

  test.each(['a code of an app', 'a recovery code'])(
    '%s lets in one of several who have it at the same time',
    async (which) => {
      const { account, app, recoveryCodes } = await owner();
      const secondFactor = which === 'a recovery code' ? recoveryCodes[0]! : app.at(clock.at);
      const racers = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const where = place();
          return { where, ticket: await firstStep(account.email, where) };
        }),
      );
      const outcomes = await Promise.all(
        racers.map(({ where, ticket }) =>
          codeOf(continueSignIn(deps(), where, { ticket, secondFactor })),
        ),
      );
      expect(outcomes.toSorted()).toEqual(['done', 'wrongFactor', 'wrongFactor', 'wrongFactor']);
      expect(await listSessions(database().db, clock.at, account.id)).toHaveLength(1);
    },
  );

  test('may be a recovery code, however it is typed, each once; renewed ones replace all others', async () => {
    const { account, app, recoveryCodes } = await owner();
    const caller = userCaller(account.id, { address: '198.51.100.7' });
    const step = async (secondFactor: string): Promise<string> => {
      const where = place();
      return codeOf(
        continueSignIn(deps(), where, {
          ticket: await firstStep(account.email, where),
          secondFactor,
        }),
      );
    };
    expect(recoveryCodes).toHaveLength(10);
    expect(await step(recoveryCodes[0]!.toUpperCase().replaceAll('-', ' '))).toBe('done');
    expect(await step(recoveryCodes[0]!)).toBe('wrongFactor');
    expect(await fleet.ask('factor/list', caller, {})).toMatchObject({ recoveryCodesLeft: 9 });
    const renewed = (await fleet.ask('recovery/renew', caller, {
      password: PASSWORD,
      secondFactor: app.at(clock.at),
    })) as { recoveryCodes: string[] };
    expect(await step(recoveryCodes[1]!)).toBe('wrongFactor');
    expect(await step(renewed.recoveryCodes[0]!)).toBe('done');
    const stored = await database()
      .db.selectFrom('recoveryCode')
      .selectAll()
      .where('accountId', '=', account.id)
      .execute();
    expect(JSON.stringify(stored)).not.toContain(renewed.recoveryCodes[1]!.replaceAll('-', ''));
  });

  test('is guessed at most ten times in a row, from wherever, while recovery codes still let the owner in', async () => {
    const { account, app, recoveryCodes } = await owner();
    const where = place();
    const ticket = await firstStep(account.email, where);
    const attempt = (secondFactor: string, knownBrowser?: string): Promise<string> =>
      codeOf(
        continueSignIn(
          deps(),
          { ...place(), sessionId: where.sessionId, knownBrowser },
          { ticket, secondFactor },
        ),
      );
    const { browser } = await beginSession(deps(), place(), account);
    for (let i = 0; i < 10; i++) expect(await attempt('000000')).toBe('wrongFactor');
    // The right one is not looked at either.
    expect(await attempt(app.at(clock.at))).toBe('tooManyRequests');
    expect(await attempt(recoveryCodes[0]!)).toBe('done');
    // Nor does somebody with the password keep out a browser that has been let in before.
    expect(await attempt(app.at(clock.at), browser)).toBe('done');
    clock.at += 10 * 60_000;
    const later = await firstStep(account.email, where);
    const attemptLater = (secondFactor: string): Promise<string> =>
      codeOf(continueSignIn(deps(), where, { ticket: later, secondFactor }));
    expect(await attemptLater('000000')).toBe('wrongFactor');
    const refused = await failureOf(
      continueSignIn(deps(), where, { ticket: later, secondFactor: app.at(clock.at) }),
    );
    expect(refused).toMatchObject({ code: 'tooManyRequests', data: { retryAfterSeconds: 600 } });
  });

  test('that was right gives its attempt back', async () => {
    const { account, app } = await owner();
    const where = place();
    const ticket = await firstStep(account.email, where);
    for (let i = 0; i < 12; i++, clock.at += STEP_MS) {
      expect(
        await codeOf(continueSignIn(deps(), where, { ticket, secondFactor: app.at(clock.at) })),
      ).toBe('done');
    }
  });

  test('is not asked of control clients, which log in with a digest: they get nothing for it', async () => {
    clock.at += STEP_MS;
    const account = await addOwner(fleet);
    const verifiers = await makeVerifiers(PASSWORD, true);
    await fleet.write((trx) => changePassword(trx, fleet.act(), account.id, verifiers));
    await addApp(fleet, database().db, account.id);
    await fleet.write((trx) =>
      insertWaitingKeyPair(
        trx,
        fleet.act({ actor: `account:${account.id}` }),
        sources.secretBox,
        account.id,
        terms,
      ),
    );
    expect(
      await logIn(database().db, fleet.act(), {
        email: account.email,
        digest: legacyDigest(PASSWORD),
      }),
    ).toMatchObject({ id: account.id });
    expect(await listSessions(database().db, clock.at, account.id)).toEqual([]);
    expect((await listKeyPairs(database().db, account.id)).map(({ pending }) => pending)).toEqual([
      true,
    ]);
  });

  const proofs = {
    'key/create': { label: 'home' },
    'password/change': { newPassword: 'meadow lane in july' },
    'totp/remove': {},
    'recovery/renew': {},
    'passkey/begin': {},
    'totp/begin': {},
  } as const;

  test.each(Object.entries(proofs))('is asked for by %s, and used once', async (id, rest) => {
    const { account, app } = await owner();
    const caller: UserCaller = userCaller(account.id, { address: '198.51.100.23' });
    const ask = (secondFactor?: string) =>
      codeOf(
        fleet.ask(id as keyof typeof proofs, caller, {
          password: PASSWORD,
          ...rest,
          ...(secondFactor && { secondFactor }),
        }),
      );
    expect(await ask()).toBe('secondFactorRequired');
    expect(await ask('123456')).toBe('wrongFactor');
    expect(
      await codeOf(
        fleet.ask(id as keyof typeof proofs, caller, {
          password: 'guess',
          ...rest,
          secondFactor: app.at(clock.at),
        }),
      ),
    ).toBe('wrongLogin');
    // The code was not used by those.
    const outcome = await ask(app.at(clock.at));
    expect(outcome).toBe(
      { 'totp/begin': 'invalidValue', 'passkey/begin': 'noPermission' }[id] ?? 'done',
    );
    const refused = (await listAudit(database().db, account.id, { limit: 20 })).filter(
      ({ kind }) => kind === 'logIn.refused',
    );
    expect(refused.map(({ data }) => data)).toEqual([
      { operation: id },
      { operation: id, step: 'second factor' },
    ]);
    expect(JSON.stringify(refused)).not.toContain('123456');
    if (outcome === 'done' && id === 'key/create')
      expect(await ask(app.at(clock.at))).toBe('wrongFactor');
  });

  test('is set up by a code of the app, and shows its recovery codes once', async () => {
    clock.at += STEP_MS;
    const account = await addOwner(fleet);
    const caller = userCaller(account.id, { address: '198.51.100.50' });
    expect(await fleet.ask('factor/list', caller, {})).toMatchObject({
      passkeys: [],
      recoveryCodesLeft: 0,
    });
    expect(await codeOf(fleet.ask('totp/begin', caller, { password: 'guess' }))).toBe('wrongLogin');
    const first = (await fleet.ask('totp/begin', caller, { password: PASSWORD })) as {
      secret: string;
      uri: string;
    };
    const begun = (await fleet.ask('totp/begin', caller, { password: PASSWORD })) as {
      secret: string;
      uri: string;
    };
    expect(begun.uri).toMatch(/^otpauth:\/\/totp\/Helioport:owner-.*secret=/);
    // Nothing is asked for before the app has shown a code: a set-up that was left half-way locks nobody out.
    await signIn(deps(), place(), { email: account.email, password: PASSWORD });
    expect(
      await codeOf(fleet.ask('totp/confirm', caller, { code: appOf(first.secret).at(clock.at) })),
    ).toBe('wrongFactor');
    const { recoveryCodes } = (await fleet.ask('totp/confirm', caller, {
      code: appOf(begun.secret).at(clock.at),
    })) as { recoveryCodes: string[] };
    expect(recoveryCodes).toHaveLength(10);
    expect(await fleet.ask('factor/list', caller, {})).toMatchObject({
      totpSince: clock.at,
      recoveryCodesLeft: 10,
    });
    expect(
      await codeOf(signIn(deps(), place(), { email: account.email, password: PASSWORD })),
    ).toBe('secondFactorRequired');
    // The code that set it up is used.
    expect(
      await codeOf(
        fleet.ask('key/create', caller, {
          password: PASSWORD,
          secondFactor: appOf(begun.secret).at(clock.at),
        }),
      ),
    ).toBe('wrongFactor');
    const { secret } = await database()
      .db.selectFrom('totp')
      .select('secret')
      .where('accountId', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(Buffer.from(secret).includes(begun.secret)).toBe(false);
  });

  test('whose set-up was left half-way is not completed by a thief who guesses codes in a stolen session, nor after an hour', async () => {
    clock.at += STEP_MS;
    const { id } = await addOwner(fleet);
    const caller = userCaller(id, { address: '198.51.100.52' });
    const begin = async () =>
      appOf(
        ((await fleet.ask('totp/begin', caller, { password: PASSWORD })) as { secret: string })
          .secret,
      );
    const confirm = (code: string) => codeOf(fleet.ask('totp/confirm', caller, { code }));
    const app = await begin();
    const right = [-1, 0, 1].map((steps) => app.at(clock.at + steps * STEP_MS));
    const wrong = ['000001', '000002', '000003', '000004'].find((code) => !right.includes(code))!;
    for (let i = 0; i < 10; i++) expect(await confirm(wrong)).toBe('wrongFactor');
    expect(await confirm(app.at(clock.at))).toBe('tooManyRequests');
    clock.at += 3_600_000;
    expect(await confirm(app.at(clock.at))).toBe('wrongFactor');
    const again = await begin();
    clock.at += 3_600_000 - STEP_MS;
    expect(await confirm(again.at(clock.at))).toBe('done');
  });

  test('costs no code where the new password is refused', async () => {
    const { account, app } = await owner();
    const caller = userCaller(account.id, { address: '198.51.100.53' });
    const change = (newPassword: string) =>
      codeOf(
        fleet.ask('password/change', caller, {
          password: PASSWORD,
          newPassword,
          secondFactor: app.at(clock.at),
        }),
      );
    expect(await change('short')).toBe('invalidValue');
    expect(await change('meadow lane in july')).toBe('done');
  });

  test('ends the other log-ins when it is the first: they have shown the password alone', async () => {
    clock.at += STEP_MS;
    const account = await addOwner(fleet);
    for (let i = 0; i < 3; i++) await beginSession(deps(), place(), account);
    const present = async () =>
      (await listSessions(database().db, clock.at, account.id)).map(({ id }) => id);
    const [, own] = await present();
    const caller = userCaller(account.id, { sessionId: own!, address: '198.51.100.51' });
    const { secret } = (await fleet.ask('totp/begin', caller, { password: PASSWORD })) as {
      secret: string;
    };
    expect(
      await codeOf(
        fleet.ask('totp/confirm', caller, { code: appOf(secret).at(clock.at - 100 * STEP_MS) }),
      ),
    ).toBe('wrongFactor');
    expect(await present()).toHaveLength(3);
    await fleet.ask('totp/confirm', caller, { code: appOf(secret).at(clock.at) });
    expect(await present()).toEqual([own]);
    const latest = (await listAudit(database().db, account.id, { limit: 5 })).find(
      ({ kind }) => kind === 'session.ended',
    );
    expect(latest).toMatchObject({ actor: `account:${account.id}` });
  });

  test('is gone after it was removed, together with the recovery codes', async () => {
    const { account, app } = await owner();
    const caller = userCaller(account.id, { address: '198.51.100.60' });
    await fleet.ask('totp/remove', caller, { password: PASSWORD, secondFactor: app.at(clock.at) });
    expect(await fleet.ask('factor/list', caller, {})).toMatchObject({ recoveryCodesLeft: 0 });
    await signIn(deps(), place(), { email: account.email, password: PASSWORD });
    expect(await codeOf(fleet.ask('totp/remove', caller, { password: PASSWORD }))).toBe(
      'noPermission',
    );
    expect(await codeOf(fleet.ask('recovery/renew', caller, { password: PASSWORD }))).toBe(
      'invalidValue',
    );
  });

  test('that was lost is removed by the operator, which ends all log-ins and is in the audit trail', async () => {
    const { account } = await owner();
    await beginSession(deps(), place(), account);
    await fleet.ask(
      'user/resetFactors',
      { kind: 'operator', accountId: null, plantIds: null },
      { email: account.email },
    );
    expect(await listSessions(database().db, clock.at, account.id)).toEqual([]);
    const [latest] = await listAudit(database().db, account.id, { limit: 1 });
    expect(latest).toMatchObject({ kind: 'factor.reset', actor: 'operator' });
    await signIn(deps(), place(), { email: account.email, password: PASSWORD });
    expect(
      await codeOf(
        fleet.ask(
          'user/resetFactors',
          { kind: 'operator', accountId: null, plantIds: null },
          { email: 'nobody@example.com' },
        ),
      ),
    ).toBe('accountUnknown');
  });
});
