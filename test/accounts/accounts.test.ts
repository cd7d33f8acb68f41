import { describe, expect, test } from 'vitest';
import {
  changePassword,
  disableAccount,
  enableAccount,
  findAccount,
  findAccountByEmail,
  getAccountByEmail,
  insertAccount,
  normalizeEmail,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import { makeVerifiers } from '../../packages/server/src/identity/accounts/passwords.ts';
import { listAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import { logIn } from '../../packages/server/src/identity/accounts/log-in.ts';
import { legacyDigest } from '../../packages/server/src/platform/kernel/passwords/password.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock } from '../support/world.ts';

describe('an e-mail address', () => {
  test.each(['a@b', 'Ann.Lee+pv@Example.COM', 'ü@exämple.de', '  spaced@example.com  '])(
    '%j is one',
    (address) => {
      expect(normalizeEmail(address)).toBe(address.trim().toLowerCase());
    },
  );
  test.each([
    '',
    '@',
    'a@',
    '@b',
    'a b@c',
    'a@b..c',
    'a@.b',
    'a@b.',
    'a\u0000@b.c',
    `${'a'.repeat(65)}@b.c`,
    `a@${'b'.repeat(254)}`,
    'a@b@c',
  ])('%j is none', (address) => {
    expect(() => normalizeEmail(address)).toThrow(
      expect.objectContaining({ code: 'invalidValue' }),
    );
  });
});

describeEngines('accounts', (database) => {
  const world = createWorld(database, settableClock('2026-06-01T00:00:00Z'));
  const { act, write } = world;

  let made = 0;
  const add = async (email: string, password: string, legacyLogin = true) => {
    const verifiers = await makeVerifiers(password, legacyLogin);
    return write((trx) =>
      insertAccount(trx, act(), { email, role: 'owner', timeZone: 'Europe/Berlin', ...verifiers }),
    );
  };

  test('an account is found by its address in any case, and by its id', async () => {
    const account = await add('Ann@Example.com', 'correct horse');
    expect(account).toMatchObject({
      email: 'ann@example.com',
      name: 'ann',
      role: 'owner',
      timeZone: 'Europe/Berlin',
      disabledAt: null,
    });
    expect(await findAccountByEmail(database().db, ' ANN@example.COM ')).toEqual(account);
    expect(await findAccount(database().db, account.id)).toEqual(account);
  });

  test('an address has one account, whatever its case', async () => {
    await add('twice@example.com', 'correct horse');
    await expect(add('TWICE@example.com', 'another one')).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field: 'email' },
    });
  });

  test('a domain in Unicode and in ASCII is one address', async () => {
    await add('twice@exämple.de', 'correct horse');
    await expect(add('twice@XN--EXMPLE-CUA.de', 'another one')).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field: 'email' },
    });
    expect(await findAccountByEmail(database().db, 'twice@xn--exmple-cua.de')).toMatchObject({
      email: 'twice@exämple.de',
    });
  });

  test.each([
    'Victim@v.example,1',
    'a,victim@v.example',
    '<victim@v.example>',
    'victim@v.example(c)',
    '"o.k."@v.example',
    'victim@xn--exmple-cua.de',
    'victim\uff20v.example',
  ])('an account that was made as %j logs in as before; nobody new is made so', async (odd) => {
    const { id } = await add(`odd-${++made}@example.com`, 'correct horse');
    await database()
      .db.updateTable('account')
      .set({ email: odd.toLowerCase() })
      .where('id', '=', id)
      .execute();
    expect(
      await logIn(database().db, act(), { email: ` ${odd} `, password: 'correct horse' }),
    ).toMatchObject({ id });
    await expect(add(odd, 'correct horse')).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field: 'email' },
    });
  });

  test('an unknown address is accountUnknown', async () => {
    await expect(getAccountByEmail(database().db, 'nobody@example.com')).rejects.toMatchObject({
      code: 'accountUnknown',
    });
    expect(await findAccountByEmail(database().db, 'no address')).toBeUndefined();
  });

  test('a time zone that does not exist is refused', async () => {
    await expect(world.person({ timeZone: 'Mars/Olympus' })).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field: 'timeZone' },
    });
  });

  test('an empty password is refused', async () => {
    await expect(makeVerifiers('', true)).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field: 'password' },
    });
  });

  test('a log-in needs the right password and says nothing about what was wrong', async () => {
    const account = await add('login@example.com', 'pässwörter für alle');
    expect(
      await logIn(database().db, act(), {
        email: 'LogIn@example.com',
        password: 'pässwörter für alle',
      }),
    ).toEqual(account);
    for (const attempt of [
      { email: 'login@example.com', password: 'password' },
      { email: 'nobody@example.com', password: 'pässwörter für alle' },
    ]) {
      await expect(logIn(database().db, act(), attempt)).rejects.toMatchObject({
        code: 'wrongLogin',
        data: null,
      });
    }
  });

  test('a control client logs in with the digest, the password’s own hash does not take it (S29)', async () => {
    const account = await add('digest@example.com', 'correct horse');
    const digest = legacyDigest('correct horse');
    expect(
      await logIn(database().db, act(), { email: account.email, digest: digest.toUpperCase() }),
    ).toEqual(account);
    await expect(
      logIn(database().db, act(), { email: account.email, password: digest }),
    ).rejects.toMatchObject({ code: 'wrongLogin' });
    await expect(
      logIn(database().db, act(), { email: account.email, digest: 'correct horse' }),
    ).rejects.toMatchObject({ code: 'wrongLogin' });
  });

  test('without the legacy verifier no digest logs in', async () => {
    const account = await add('modern@example.com', 'correct horse', false);
    await expect(
      logIn(database().db, act(), { email: account.email, digest: legacyDigest('correct horse') }),
    ).rejects.toMatchObject({ code: 'wrongLogin' });
  });

  test('a disabled account cannot log in until it is enabled', async () => {
    const { db } = database();
    const account = await add('disabled@example.com', 'correct horse');
    await write((trx) => disableAccount(trx, act(), account.id));
    await expect(
      logIn(db, act(), { email: account.email, password: 'correct horse' }),
    ).rejects.toMatchObject({ code: 'wrongLogin' });
    await write((trx) => enableAccount(trx, act(), account.id));
    expect(await logIn(db, act(), { email: account.email, password: 'correct horse' })).toEqual(
      account,
    );
  });

  test('a changed password replaces both verifiers', async () => {
    const { db } = database();
    const { id, email } = await add('change@example.com', 'old password');
    const verifiers = await makeVerifiers('new password', true);
    await write((trx) => changePassword(trx, act(), id, verifiers));
    await expect(logIn(db, act(), { email, password: 'old password' })).rejects.toMatchObject({
      code: 'wrongLogin',
    });
    await expect(
      logIn(db, act(), { email, digest: legacyDigest('old password') }),
    ).rejects.toMatchObject({ code: 'wrongLogin' });
    expect((await logIn(db, act(), { email, password: 'new password' })).id).toBe(id);
  });

  test('the trail tells what happened, newest first, in pages, and never a password', async () => {
    const { db } = database();
    const { id, email } = await add('trail@example.com', 'correct horse');
    await expect(
      logIn(db, act({ address: '203.0.113.9' }), { email, password: 'hunter2 typed here' }),
    ).rejects.toMatchObject({ code: 'wrongLogin' });
    await logIn(db, act({ address: '203.0.113.9' }), { email, password: 'correct horse' });
    const trail = await listAudit(db, id, { limit: 2 });
    expect(trail.map(({ kind, actor, address }) => ({ kind, actor, address }))).toEqual([
      { kind: 'logIn.succeeded', actor: `account:${id}`, address: '203.0.113.9' },
      { kind: 'logIn.refused', actor: 'service', address: '203.0.113.9' },
    ]);
    expect(
      (await listAudit(db, id, { before: trail[1]!.id, limit: 2 })).map(({ kind }) => kind),
    ).toEqual(['account.created']);
    const everything = JSON.stringify(await db.selectFrom('auditEvent').selectAll().execute());
    expect(everything).not.toMatch(/horse|hunter2|argon2/);
  });

  test('an unknown address takes as long as a wrong password', async () => {
    const { db } = database();
    const { email } = await add('slow@example.com', 'correct horse');
    const timeOf = async (address: string): Promise<number> => {
      const start = performance.now();
      await logIn(db, act(), { email: address, password: 'wrong' }).catch(() => {});
      return performance.now() - start;
    };
    let [known, unknown] = [Infinity, Infinity];
    // In turn, and the shortest of each: the thread that verifies gives way to whatever else the machine does.
    for (let i = 0; i < 9; i++) {
      known = Math.min(known, await timeOf(email));
      unknown = Math.min(unknown, await timeOf('nobody@example.com'));
    }
    // One argon2id each: without the decoy the second would be many times shorter.
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });
});
