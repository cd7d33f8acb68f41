import { expect, test } from 'vitest';
import {
  changePassword,
  disableAccount,
  setLanguage,
} from '../../../packages/server/src/identity/accounts/accounts.ts';
import { listAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import {
  insertKeyPair,
  listKeyPairs,
} from '../../../packages/server/src/identity/accounts/key-pairs.ts';
import { rememberBrowser } from '../../../packages/server/src/identity/accounts/known-browsers.ts';
import { logIn } from '../../../packages/server/src/identity/accounts/log-in.ts';
import { resetPassword } from '../../../packages/server/src/identity/accounts/mail-tokens/reset.ts';
import { sweepMailTokens } from '../../../packages/server/src/identity/accounts/mail-tokens/tokens.ts';
import { makeVerifiers } from '../../../packages/server/src/identity/accounts/passwords.ts';
import {
  insertSession,
  listSessions,
} from '../../../packages/server/src/identity/accounts/sessions.ts';
import { verifyPassword } from '../../../packages/server/src/platform/kernel/passwords/password.ts';
import { hashSecret } from '../../../packages/server/src/platform/kernel/secrets.ts';
import { endAllAccess } from '../../../packages/server/src/control/commands/all-access.ts';
import { addOwner, PASSWORD } from '../../oauth/fixture.ts';
import { describeEngines } from '../../support/engines.ts';
import { hashesIn } from './hashes.ts';
import { listening } from '../../support/listening.ts';
import { overtaken } from '../overtaken.ts';
import { createWorld, settableClock } from '../../support/world.ts';
import { addApp, sources, STEP_MS } from '../factors/fixture.ts';
import { createMailScene, tokenIn } from './fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NEW_PASSWORD = 'meadow lane in july';
const nothingElse = async (): Promise<void> => {};

describeEngines('a forgotten password', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createWorld(database, clock);
  const { ask, work, letters, sent } = createMailScene(database, world);
  const deps = () => ({
    db: database().db,
    clock,
    ids: world.newId,
    factors: sources,
    legacyLogin: false,
  });
  const codeOf = (asked: Promise<unknown>): Promise<string | undefined> =>
    asked.then(
      () => 'done',
      ({ code, data, message }: Error & { code?: string; data?: { field?: string } }) =>
        code === 'invalidValue' ? data!.field : (code ?? message),
    );
  const reset = (
    token: string,
    secondFactor?: string,
    newPassword = NEW_PASSWORD,
    also: Parameters<typeof resetPassword>[3] = nothingElse,
  ) => codeOf(resetPassword(deps(), '203.0.113.9', { token, newPassword, secondFactor }, also));
  const opens = (email: string, password: string) =>
    codeOf(
      logIn(
        database().db,
        { at: clock.at, newId: world.newId, address: null },
        { email, password },
      ),
    );
  /** An owner whom no other test has written to. */
  const owner = () => addOwner(world);
  const signedIn = ({ id: accountId }: { id: string }) =>
    world.write((trx) =>
      insertSession(trx, world.act(), {
        accountId,
        entrance: 'portal',
        freshFor: null,
        userAgent: null,
      }),
    );

  test('is replaced by the link of an e-mail in the account’s language, once; sessions end, key pairs do not', async () => {
    const account = await owner();
    await world.write((trx) => setLanguage(trx, account.id, 'de'));
    await signedIn(account);
    await world.write((trx) =>
      insertKeyPair(trx, world.act(), sources.secretBox, account.id, {
        label: '',
        canControl: true,
        plantIds: null,
        cidrs: null,
        expiresAt: null,
      }),
    );
    const [letter, ...more] = await sent(` ${account.email.toUpperCase()}`, { language: 'es' });
    expect(more).toEqual([]);
    expect(letter).toMatchObject({
      address: account.email,
      language: 'de',
      subject: 'Neues Passwort wählen',
    });
    expect(letter!.link!.url).toMatch(/^https:\/\/portal\.example\.org\/reset#[A-Za-z0-9]{43}$/);
    const token = tokenIn(letter);
    expect(await reset(token)).toBe('done');
    expect([
      await opens(account.email, PASSWORD),
      await opens(account.email, NEW_PASSWORD),
    ]).toEqual(['wrongLogin', 'done']);
    expect(await listSessions(database().db, clock.at, account.id)).toEqual([]);
    expect(await listKeyPairs(database().db, account.id)).toMatchObject([{ disabledAt: null }]);
    expect(await reset(token, undefined, 'meadow lane in august')).toBe('token');
    expect(await opens(account.email, NEW_PASSWORD)).toBe('done');
    const trail = await listAudit(database().db, account.id, { limit: 50 });
    expect(
      trail.filter(({ kind }) => kind.includes('reset') || kind.includes('Reset')),
    ).toMatchObject([
      { kind: 'account.passwordReset', actor: `account:${account.id}`, address: '203.0.113.9' },
      { kind: 'account.resetSent', actor: 'service' },
    ]);
  });

  test('ends all access too, if asked to, in one transaction with the password', async () => {
    const account = await owner();
    await world.write((trx) =>
      insertKeyPair(trx, world.act(), sources.secretBox, account.id, {
        label: '',
        canControl: true,
        plantIds: null,
        cidrs: null,
        expiresAt: null,
      }),
    );
    const token = tokenIn((await sent(account.email))[0]);
    const fails = async (): Promise<void> => {
      throw new Error('power cut');
    };
    expect(await reset(token, undefined, NEW_PASSWORD, fails)).toContain('power cut');
    expect(await opens(account.email, PASSWORD)).toBe('done');
    expect(await reset(token, undefined, NEW_PASSWORD, endAllAccess)).toBe('done');
    expect(await listKeyPairs(database().db, account.id)).toMatchObject([{ disabledAt: clock.at }]);
  });

  test('is asked for alike with an account, without one, and with a disabled one: the same statements, and only the first gets an e-mail', async () => {
    const [account, disabled] = [await owner(), await owner()];
    await world.write((trx) => disableAccount(trx, world.act(), disabled.id));
    const { db, texts } = listening(database().db, { transactions: true });
    const heard: (readonly string[])[] = [];
    for (const email of ['nobody@example.com', account.email, disabled.email]) {
      texts.length = 0;
      await ask(email, {}, db);
      heard.push([...texts]);
    }
    expect(heard[0]!.length).toBeGreaterThan(3);
    expect(heard).toEqual([heard[0], heard[0], heard[0]]);
    await work();
    expect((await letters()).map(({ address }) => address)).toEqual([account.email]);
    // Nothing stays of those who asked in vain.
    expect(await database().db.selectFrom('mailTokenRequest').selectAll().execute()).toEqual([]);
    expect(
      await database()
        .db.selectFrom('mailToken')
        .select('email')
        .where('email', 'in', ['nobody@example.com', disabled.email])
        .execute(),
    ).toEqual([]);
  });

  test('has no link sent that was asked for long ago, when no worker was there', async () => {
    const account = await owner();
    await ask(account.email);
    clock.at += HOUR;
    await work();
    expect(await letters()).toEqual([]);
  });

  test('is refused an address that is none', async () => {
    for (const email of [
      '',
      'x',
      'a b@example.com',
      `${'x'.repeat(300)}@example.com`,
      'a@\u0000.com',
    ])
      expect(await codeOf(ask(email))).toBe('email');
  });

  test('has a link that works for an hour, until a newer one is sent, and is stored as a digest alone', async () => {
    const account = await owner();
    const [former] = await sent(account.email);
    const [newer] = await sent(account.email);
    expect(await reset(tokenIn(former))).toBe('token');
    const row = await database()
      .db.selectFrom('mailToken')
      .selectAll()
      .where('email', '=', account.email)
      .executeTakeFirstOrThrow();
    expect(Buffer.from(row.hash)).toEqual(hashSecret(tokenIn(newer)));
    clock.at += HOUR;
    for (const token of [tokenIn(newer), '', 'x', `${tokenIn(newer)}A`])
      expect(await reset(token)).toBe('token');
    expect(await opens(account.email, PASSWORD)).toBe('done');
    expect(await sweepMailTokens(database().db, clock.at, 500)).toBeGreaterThan(0);
    expect(
      await database()
        .db.selectFrom('mailToken')
        .selectAll()
        .where('email', '=', account.email)
        .execute(),
    ).toEqual([]);
  });

  test('that strangers ask for again and again fills no inbox, and its owner always has a link that works', async () => {
    const account = await owner();
    let [count, token] = [0, ''];
    for (let minute = 0; minute < 6 * 60; minute += 7) {
      const [letter] = await sent(account.email);
      if (letter) [count, token] = [count + 1, tokenIn(letter)];
      // A weak password is refused after the link was found to be good.
      expect([minute, await reset(token, undefined, 'short')]).toEqual([minute, 'password']);
      clock.at += 7 * MINUTE;
    }
    expect(count).toBe(3 + 5);
    const [last] = await sent(account.email);
    expect(await reset(last ? tokenIn(last) : token)).toBe('done');
    // A person who has followed a link is written to again.
    expect(await sent(account.email)).toHaveLength(1);
  });

  test('is asked for a limited number of times from a network, but from elsewhere and from a known browser as before', async () => {
    const account = await owner();
    const browser = await world.write((trx) =>
      rememberBrowser(trx, clock.at, account.id, undefined),
    );
    const address = '198.51.100.7';
    for (let i = 0; i < 10; i++) await ask(`nobody-${i}@example.com`, { address });
    expect(await codeOf(ask(account.email, { address }))).toBe('tooManyRequests');
    expect(await codeOf(ask(account.email, { address, browser: 'not one of ours' }))).toBe(
      'tooManyRequests',
    );
    expect(await codeOf(ask('nobody@example.com', { address, browser }))).toBe('tooManyRequests');
    expect(await codeOf(ask(account.email, { address: '192.0.2.7' }))).toBe('done');
    expect(await codeOf(ask(account.email, { address, browser }))).toBe('done');
    clock.at += MINUTE;
    expect(await codeOf(ask(account.email, { address }))).toBe('done');
    await work();
    await letters();
  });

  test('still asks for the second factor, and changes nothing without it', async () => {
    clock.at += 10 * STEP_MS;
    const account = await owner();
    const { app, recoveryCodes } = await addApp(world, database().db, account.id);
    clock.at += STEP_MS;
    const token = tokenIn((await sent(account.email))[0]);
    await expect(
      resetPassword(deps(), '', { token, newPassword: NEW_PASSWORD }, nothingElse),
    ).rejects.toMatchObject({
      code: 'secondFactorRequired',
      data: { methods: ['totp', 'recoveryCode'] },
    });
    // Before anything is asked for.
    expect(await reset(token, undefined, 'short')).toBe('password');
    expect(await reset('forged', app.at(clock.at))).toBe('token');
    expect(await reset(token, '000000')).toBe('wrongFactor');
    expect(await reset(token, 'aaaa-aaaa-aaaa-aaaa')).toBe('wrongFactor');
    // A password that is refused costs no code.
    expect(await reset(token, app.at(clock.at), 'short')).toBe('password');
    expect(await opens(account.email, PASSWORD)).toContain('second factor');
    expect(await reset(token, app.at(clock.at))).toBe('done');
    const again = tokenIn((await sent(account.email))[0]);
    expect(await reset(again, app.at(clock.at))).toBe('wrongFactor');
    // Nobody guesses codes with a link, and a person with recovery codes gets in all the same.
    for (let i = 0; i < 10; i++) await reset(again, '000001');
    expect(await reset(again, '000001')).toBe('tooManyRequests');
    expect(await reset(again, recoveryCodes[0])).toBe('done');
  });

  test('costs no hash before the factor is accepted, and only a limited number for one link', async () => {
    clock.at += 10 * STEP_MS;
    const [account, plain] = [await owner(), await owner()];
    await addApp(world, database().db, account.id);
    const token = tokenIn((await sent(account.email))[0]);
    const fails = async (): Promise<void> => {
      throw new Error('power cut');
    };
    expect(
      await hashesIn(async () => {
        for (const given of [undefined, '000000', 'aaaa-aaaa-aaaa-aaaa', '{}'])
          expect(await reset(token, given)).not.toBe('done');
      }),
    ).toBe(0);
    const link = tokenIn((await sent(plain.email))[0]);
    const hashes = await hashesIn(async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, () => reset(link, undefined, NEW_PASSWORD, fails)),
      );
      expect(outcomes.filter((outcome) => outcome === 'tooManyRequests')).toHaveLength(10);
    });
    expect(hashes).toBe(20);
    // Others are not kept from theirs.
    const other = await owner();
    expect(await reset(tokenIn((await sent(other.email))[0]))).toBe('done');
    clock.at += MINUTE;
    expect(await reset(link)).toBe('done');
  });

  test('is not replaced without the factor that was set up while it was hashed', async () => {
    const account = await owner();
    const token = tokenIn((await sent(account.email))[0]);
    const db = overtaken(database().db, 'logInAttempt', () =>
      addApp(world, database().db, account.id),
    );
    await expect(
      resetPassword({ ...deps(), db }, '', { token, newPassword: NEW_PASSWORD }, nothingElse),
    ).rejects.toMatchObject({
      code: 'secondFactorRequired',
      data: { methods: ['totp', 'recoveryCode'] },
    });
    expect(await opens(account.email, PASSWORD)).toContain('second factor');
  });

  test('is not replaced in an account that is disabled while it is hashed', async () => {
    const account = await owner();
    const token = tokenIn((await sent(account.email))[0]);
    const disable = () => world.write((trx) => disableAccount(trx, world.act(), account.id));
    const db = overtaken(database().db, 'logInAttempt', disable);
    expect(
      await codeOf(
        resetPassword({ ...deps(), db }, '', { token, newPassword: NEW_PASSWORD }, nothingElse),
      ),
    ).toBe('token');
    const { passwordHash } = await database()
      .db.selectFrom('account')
      .select('passwordHash')
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(await verifyPassword(passwordHash, PASSWORD)).toBe(true);
  });

  test('has another link sent once the former ones were made worthless, however many strangers asked for', async () => {
    const account = await owner();
    for (let i = 0; i < 3; i++) expect(await sent(account.email)).toHaveLength(1);
    expect(await sent(account.email)).toEqual([]);
    const verifiers = await makeVerifiers('meadow lane in may', false);
    await world.write((trx) => changePassword(trx, world.act(), account.id, verifiers));
    expect(await sent(account.email)).toHaveLength(1);
  });

  test('leaves no request behind where nobody answers them any more', async () => {
    const account = await owner();
    await ask(account.email);
    const { db } = database();
    const waiting = async (): Promise<number> =>
      (await db.selectFrom('mailTokenRequest').select('id').execute()).length;
    await sweepMailTokens(db, clock.at + HOUR - 1, 500);
    expect(await waiting()).toBe(1);
    await ask(account.email);
    await ask(account.email);
    while ((await sweepMailTokens(db, clock.at + HOUR, 1)) > 0);
    expect(await waiting()).toBe(0);
    await work();
  });

  test('has a worthless link once the password was changed otherwise, or the account disabled', async () => {
    const account = await owner();
    const first = tokenIn((await sent(account.email))[0]);
    const verifiers = await makeVerifiers('meadow lane in may', false);
    await world.write((trx) => changePassword(trx, world.act(), account.id, verifiers));
    expect(await reset(first)).toBe('token');
    const second = tokenIn((await sent(account.email))[0]);
    await world.write((trx) => disableAccount(trx, world.act(), account.id));
    expect(await reset(second)).toBe('token');
  });

  test('is replaced by one of several who follow the same link at once', async () => {
    const account = await owner();
    const token = tokenIn((await sent(account.email))[0]);
    const outcomes = await Promise.all(
      [1, 2, 3].map((i) => reset(token, undefined, `meadow lane number ${i}`)),
    );
    expect(outcomes.filter((outcome) => outcome === 'token')).toHaveLength(2);
    const won = outcomes.indexOf('done') + 1;
    expect(await opens(account.email, `meadow lane number ${won}`)).toBe('done');
  });
});
