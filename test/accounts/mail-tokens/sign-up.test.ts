import { expect, test } from 'vitest';
import {
  disableAccount,
  findAccountByEmail,
  insertAccount,
} from '../../../packages/server/src/identity/accounts/accounts.ts';
import { logIn } from '../../../packages/server/src/identity/accounts/log-in.ts';
import { resetPassword } from '../../../packages/server/src/identity/accounts/mail-tokens/reset.ts';
import { signUp } from '../../../packages/server/src/identity/accounts/mail-tokens/sign-up.ts';
import { addOwner } from '../../oauth/fixture.ts';
import { describeEngines } from '../../support/engines.ts';
import { hashesIn } from './hashes.ts';
import { listening } from '../../support/listening.ts';
import { createWorld, settableClock } from '../../support/world.ts';
import { sources } from '../factors/fixture.ts';
import { createMailScene, tokenIn } from './fixture.ts';

const HOUR = 3_600_000;
const PASSWORD = 'meadow lane in june';

describeEngines('signing up', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createWorld(database, clock);
  const { ask, work, letters, sent } = createMailScene(database, world);
  const deps = () => ({ db: database().db, clock, ids: world.newId, legacyLogin: false });
  const codeOf = (asked: Promise<unknown>): Promise<string | undefined> =>
    asked.then(
      () => 'done',
      ({ code, data, message }: Error & { code?: string; data?: { field?: string } }) =>
        code === 'invalidValue' ? data!.field : (code ?? message),
    );
  const make = (
    token: string,
    change: { name?: string; password?: string; timeZone?: string } = {},
  ) =>
    codeOf(
      signUp(deps(), '203.0.113.9', {
        token,
        name: 'Ada',
        password: PASSWORD,
        timeZone: 'Europe/Berlin',
        language: 'de',
        ...change,
      }),
    );
  const asked = { purpose: 'signUp', language: 'de' } as const;
  let made = 0;
  const newAddress = (): string => `new-${++made}@example.com`;

  test('makes an account by the link of an e-mail, once, and none before', async () => {
    const email = newAddress();
    const [letter, ...more] = await sent(email.toUpperCase(), asked);
    expect(more).toEqual([]);
    expect(letter).toMatchObject({ address: email, language: 'de', subject: 'Ihr Konto' });
    expect(letter!.link!.url).toMatch(/^https:\/\/portal\.example\.org\/sign-up#[A-Za-z0-9]{43}$/);
    expect(await findAccountByEmail(database().db, email)).toBeUndefined();
    const token = tokenIn(letter);
    for (const password of ['short', 'password12'])
      expect(await make(token, { password })).toBe('password');
    expect(await make(token, { timeZone: 'Mars/Olympus' })).toBe('timeZone');
    expect(await findAccountByEmail(database().db, email)).toBeUndefined();
    const outcomes = await Promise.all([1, 2].map(() => make(token, { name: ' <b>Ada</b> ' })));
    expect(outcomes.toSorted((a, b) => (a! < b! ? -1 : 1))).toEqual(['done', 'token']);
    expect(await findAccountByEmail(database().db, email)).toMatchObject({
      name: '<b>Ada</b>',
      role: 'owner',
      timeZone: 'Europe/Berlin',
      language: 'de',
    });
    expect(
      await codeOf(
        logIn(
          database().db,
          { at: clock.at, newId: world.newId, address: null },
          { email, password: PASSWORD },
        ),
      ),
    ).toBe('done');
    expect(await make(token)).toBe('token');
  });

  test('hashes a limited number of passwords for one link, none that is refused anyway', async () => {
    const token = tokenIn((await sent(newAddress(), asked))[0]);
    const hashes = await hashesIn(async () => {
      for (let i = 0; i < 5; i++) expect(await make(token, { password: 'short' })).toBe('password');
      // Each fails, and might be repeated for ever.
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, () => make(token, { timeZone: 'Mars/Olympus' })),
      );
      expect(outcomes.filter((outcome) => outcome === 'tooManyRequests')).toHaveLength(10);
    });
    expect(hashes).toBe(20);
    clock.at += 60_000;
    expect(await make(token)).toBe('done');
  });

  test('is answered alike whether the address has an account: only its e-mail says so', async () => {
    const [account, disabled] = [await addOwner(world), await addOwner(world)];
    await world.write((trx) => disableAccount(trx, world.act(), disabled.id));
    const email = newAddress();
    const { db, texts } = listening(database().db, { transactions: true });
    const heard: (readonly string[])[] = [];
    for (const address of [email, account.email, disabled.email]) {
      texts.length = 0;
      await ask(address, asked, db);
      heard.push([...texts]);
    }
    expect(heard[0]!.length).toBeGreaterThan(3);
    expect(heard).toEqual([heard[0], heard[0], heard[0]]);
    await work();
    const mails = await letters();
    expect(mails.map(({ address, subject }) => [address, subject])).toEqual(
      expect.arrayContaining([
        [email, 'Ihr Konto'],
        [account.email, 'Sie haben schon ein Konto'],
      ]),
    );
    expect(mails).toHaveLength(2);
    expect(mails.find(({ address }) => address === account.email)!.link!.url).toBe(
      'https://portal.example.org',
    );
  });

  test('has a link that is for nothing else, works for an hour, and until a newer one is sent', async () => {
    const email = newAddress();
    const former = tokenIn((await sent(email, asked))[0]);
    const newer = tokenIn((await sent(email, asked))[0]);
    expect(await make(former)).toBe('token');
    const reset = { token: newer, newPassword: PASSWORD };
    expect(
      await codeOf(resetPassword({ ...deps(), factors: sources }, '', reset, async () => {})),
    ).toBe('token');
    const account = await addOwner(world);
    expect(await make(tokenIn((await sent(account.email))[0]))).toBe('token');
    clock.at += HOUR;
    expect(await make(newer)).toBe('token');
  });

  test('fills no inbox under many spellings of its address', async () => {
    const name = newAddress().split('@')[0]!;
    for (const odd of [
      `${name}@v.example,1`,
      `a,${name}@v.example`,
      `<${name}@v.example>`,
      `${name}@v.example(c)`,
      `${name}\uff20v.example`,
    ])
      expect(await codeOf(ask(odd, asked))).toBe('email');
    for (let i = 0; i < 4; i++)
      for (const spelling of [`${name}@exämple.de`, `${name}@XN--EXMPLE-CUA.de`])
        await ask(spelling, asked);
    await work();
    expect((await letters()).map(({ address }) => address)).toEqual(
      Array.from({ length: 3 }, () => `${name}@exämple.de`),
    );
    // Many servers deliver all tags to one mailbox. They do not keep it from its own link.
    for (let i = 0; i < 12; i++) await ask(`${name}+${i}@v.example`, asked);
    await work();
    expect(await letters()).toHaveLength(6);
    expect(await sent(`${name}@v.example`, asked)).toHaveLength(1);
  });

  test('fills no inbox of somebody who never asked', async () => {
    const email = newAddress();
    let count = 0;
    for (let minutes = 0; minutes < 4 * 60; minutes += 10) {
      count += (await sent(email, asked)).length;
      clock.at += 10 * 60_000;
    }
    expect(count).toBe(3 + 3);
  });

  test('of an address that got an account meanwhile makes no second one, and changes nothing', async () => {
    const email = newAddress();
    const token = tokenIn((await sent(email, asked))[0]);
    await world.write((trx) =>
      insertAccount(trx, world.act(), {
        email,
        name: 'First',
        role: 'owner',
        timeZone: 'UTC',
        passwordHash: '',
        legacyHash: null,
      }),
    );
    expect(await make(token)).toBe('email');
    expect(await findAccountByEmail(database().db, email)).toMatchObject({
      name: 'First',
      language: null,
    });
  });
});
