import { expect, test } from 'vitest';
import { disableAccount } from '../../packages/server/src/identity/accounts/accounts.ts';
import { listAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import {
  makeVerifiers,
  type Verifiers,
} from '../../packages/server/src/identity/accounts/passwords.ts';
import { legacyDigest } from '../../packages/server/src/platform/kernel/passwords/password.ts';
import { describeControl, type ControlWire } from './wire.ts';

const PASSWORD = 'correct horse battery';
const DIGEST = legacyDigest(PASSWORD);

// Deliberately slow, so it is made once.
let made: Promise<Verifiers> | undefined;

/** Gives an account the password. */
async function admit({ database }: ControlWire, accountId: string): Promise<void> {
  await database()
    .db.updateTable('account')
    .set(await (made ??= makeVerifiers(PASSWORD, true)))
    .where('id', '=', accountId)
    .execute();
}

describeControl(
  'the log-in of control clients',
  (wire) => {
    const { call, database } = wire;
    const member = async () => {
      const { id, email } = await wire.person();
      await admit(wire, id);
      return { id, email, key: await wire.key({ accountId: id }) };
    };

    test('gives a token for the MD5 of the password, by both names and paths, and calls work with and without it (C22)', async () => {
      const here = await wire.home();
      await admit(wire, here.ownerId);
      const key = await wire.key({ accountId: here.ownerId });
      const tokens: string[] = [];
      for (const [prefix, body] of [
        ['/v2/api/', { userInfo: here.ownerEmail, passWord: DIGEST }],
        ['/v1/api/', { username: here.ownerEmail.toUpperCase(), password: DIGEST.toUpperCase() }],
      ] as const) {
        const answer = await call(key, 'login', body, prefix);
        expect([answer.status, answer.body]).toMatchObject([
          200,
          { success: true, code: '0', csrfToken: expect.stringMatching(/^[A-Za-z0-9]{32}$/) },
        ]);
        expect(answer.body.data).toEqual({ csrfToken: answer.body.csrfToken });
        tokens.push(answer.body.csrfToken!);
      }
      expect(tokens[0]).not.toBe(tokens[1]);
      await wire.whileObeying(here, async () => {
        const sent: Record<string, string>[] = [
          {},
          { token: tokens[0]! },
          { token: '' },
          { token: 'of long ago' },
        ];
        for (const headers of sent)
          expect([
            headers,
            (await call(key, 'atRead', { inverterSn: here.sn, cid: '157' }, '/v2/api/', headers))
              .body.code,
          ]).toEqual([headers, '0']);
      });
    });

    test('is refused with one answer, whatever is wrong, and says so in the trail', async () => {
      const [here, other, disabled] = [await member(), await member(), await member()];
      await database()
        .db.updateTable('account')
        .set({ disabledAt: 1 })
        .where('id', '=', disabled.id)
        .execute();
      const bare = await wire.person();
      const answers = [
        await call(here.key, 'login', {
          userInfo: here.email,
          passWord: legacyDigest('another password'),
        }),
        await call(here.key, 'login', { userInfo: 'nobody@example.com', passWord: DIGEST }),
        await call(here.key, 'login', { userInfo: 'no address', passWord: DIGEST }),
        // Somebody else’s, however right: a key logs its own account in.
        await call(here.key, 'login', { userInfo: other.email, passWord: DIGEST }),
        await call(here.key, 'login', { userInfo: disabled.email, passWord: DIGEST }),
        await call(await wire.key({ accountId: bare.id }), 'login', {
          userInfo: bare.email,
          passWord: DIGEST,
        }),
      ];
      for (const answer of answers) {
        expect(answer).toEqual(answers[0]);
        expect(answer).toMatchObject({
          status: 200,
          body: { success: false, code: 'I0012', data: null },
        });
        expect(answer.body).not.toHaveProperty('csrfToken');
      }
      expect(
        (await listAudit(database().db, other.id, { limit: 10 })).map(({ kind }) => kind),
      ).toContain('logIn.refused');
      expect(
        (await call(here.key, 'login', { userInfo: here.email, passWord: DIGEST })).body.code,
      ).toBe('0');
      const trail = await listAudit(database().db, here.id, { limit: 1 });
      expect(trail).toMatchObject([{ kind: 'logIn.succeeded', address: '127.0.0.1' }]);
      await wire.write((trx) => disableAccount(trx, wire.act(), here.id));
      expect(
        (await call(here.key, 'login', { userInfo: here.email, passWord: DIGEST })).status,
      ).toBe(403);
      expect(
        JSON.stringify(await database().db.selectFrom('auditEvent').selectAll().execute()),
      ).not.toContain(DIGEST);
    });

    test.each<[string, Record<string, unknown>, string, string]>([
      ['no account', { passWord: DIGEST }, 'I0000', 'userInfo'],
      ['no password', { userInfo: 'ada@example.org' }, 'I0000', 'passWord'],
      [
        'the password itself',
        { userInfo: 'ada@example.org', passWord: PASSWORD },
        'H0001',
        'passWord',
      ],
      [
        'another digest',
        { userInfo: 'ada@example.org', passWord: 'a'.repeat(40) },
        'H0001',
        'passWord',
      ],
      ['an object', { userInfo: 'ada@example.org', passWord: {} }, 'H0001', 'passWord'],
    ])('says what is missing with %s, and repeats no secret', async (_, body, code, field) => {
      const { key } = await member();
      const answer = await call(key, 'login', body);
      expect([answer.status, answer.body.code, answer.body.data.field]).toEqual([200, code, field]);
      expect(JSON.stringify(answer.body)).not.toContain(PASSWORD);
    });

    test('is not for keys that only read', async () => {
      const { id, email } = await member();
      const key = await wire.key({ accountId: id, canControl: false });
      expect((await call(key, 'login', { userInfo: email, passWord: DIGEST })).body.code).toBe(
        'R0000',
      );
    });

    test('counts failures as the log-in page does, and activates no waiting key', async () => {
      const { id, email, key } = await member();
      const waiting = await wire.key({ accountId: id });
      await database()
        .db.updateTable('keyPair')
        .set({ pending: 1 })
        .where('id', '=', waiting.keyId)
        .execute();
      expect((await call(key, 'login', { userInfo: email, passWord: DIGEST })).body.code).toBe('0');
      expect(
        (
          await database()
            .db.selectFrom('keyPair')
            .select('pending')
            .where('id', '=', waiting.keyId)
            .executeTakeFirstOrThrow()
        ).pending,
      ).toBe(1);
      const attempt = (passWord: string) => call(key, 'login', { userInfo: email, passWord });
      for (let i = 0; i < 5; i++)
        expect((await attempt(legacyDigest(`guess ${i}`))).body.code).toBe('I0012');
      // The right one counts no less.
      for (const passWord of [legacyDigest('guess 6'), DIGEST])
        expect(await attempt(passWord)).toMatchObject({
          status: 429,
          body: { code: '429', data: { retryAfterSeconds: expect.any(Number) } },
        });
      wire.clock.at += 60_000;
      expect((await attempt(DIGEST)).body.code).toBe('0');
    });
  },
  { patienceMs: 0, legacyLogin: true },
);

describeControl('the log-in of control clients, turned off', (wire) => {
  test('is refused even to whom it was open before, says why, and everything else works without it', async () => {
    const here = await wire.home();
    await admit(wire, here.ownerId);
    const answer = await wire.callAs(here.ownerId, 'login', {
      userInfo: here.ownerEmail,
      passWord: DIGEST,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: false,
        code: 'I0012',
        msg: expect.stringContaining('turned this log-in off'),
      },
    });
    await wire.whileObeying(here, async () => {
      expect(
        (await wire.callAs(here.ownerId, 'atRead', { inverterSn: here.sn, cid: '157' })).body.code,
      ).toBe('0');
    });
  });
});
