import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeApplication } from '../../../packages/server/src/identity/oauth/applications.ts';
import { addClient, describeOauth, type TestClient } from '../fixture.ts';

const MINUTE_MS = 60_000;

describeOauth('exchanging a code', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world);
  });

  test('gives exactly the five fields of the specification (O46, O47)', async () => {
    const answer = await t.exchange(client, await t.code(client));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).toSorted()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect(answer.body).toMatchObject({
      token_type: 'bearer',
      expires_in: 86_400,
      scope: 'access_data control_device',
    });
    expect(await t.isActive(client, answer.body.access_token)).toBe(true);
    expect(await t.isActive(client, answer.body.refresh_token)).toBe(true);
  });

  test('says what was granted, not what was asked for (O17, O46)', async () => {
    expect((await t.pair(client, { scopes: ['control_device'] })).scope).toBe('control_device');
  });

  test('is not cached (O48)', async () => {
    const answers = [await t.exchange(client, await t.code(client)), await t.exchange(client, 'x')];
    for (const { headers } of answers) {
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('pragma')).toBe('no-cache');
    }
  });

  test.each([
    ['an unknown code', 'hpc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA000000'],
    ['garbage', '\u0000\ufffd%%%'],
    ['an SQL fragment', "' or '1'='1"],
    ['sixty kilobytes', 'x'.repeat(60_000)],
  ])('%s is invalid_grant (O38)', async (_name, code) => {
    const answer = await t.exchange(client, code);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_grant');
  });

  test('a code that is one character off is invalid_grant (O38)', async () => {
    const code = await t.code(client);
    const off = code.slice(0, -1) + (code.endsWith('a') ? 'b' : 'a');
    expect((await t.exchange(client, off)).body.error).toBe('invalid_grant');
    expect((await t.exchange(client, code)).status).toBe(200);
  });

  test('the code of another application is refused, and the rightful one can still use it (O37)', async () => {
    const stranger = await addClient(t.world);
    const code = await t.code(client);
    const answer = await t.exchange(stranger, code);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_grant');
    expect((await t.exchange(client, code)).status).toBe(200);
  });

  describe('redirect_uri', () => {
    test.each([
      ['another path', 'https://platform.example/callback2'],
      ['a slash at the end', 'https://platform.example/callback/'],
      ['upper case', 'https://PLATFORM.example/callback'],
      ['a default port', 'https://platform.example:443/callback'],
      ['a query', 'https://platform.example/callback?x=1'],
    ])('with %s is refused and the code stays usable (O36)', async (_name, redirectUri) => {
      const code = await t.code(client);
      const answer = await t.exchange(client, code, { redirect_uri: redirectUri });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe('invalid_grant');
      expect((await t.exchange(client, code)).status).toBe(200);
    });

    test('must be the one of the authorization request and the registered one (O36)', async () => {
      const moving = await addClient(t.world);
      const code = await t.code(moving);
      const redirectUri = 'https://platform.example/new';
      await t.world.write((trx) =>
        changeApplication(trx, t.world.act(), moving.application.id, { redirectUri }),
      );
      expect((await t.exchange(moving, code)).body.error).toBe('invalid_grant');
      expect((await t.exchange(moving, code, { redirect_uri: redirectUri })).body.error).toBe(
        'invalid_grant',
      );
    });
  });

  test.each([
    ['29:59', 30 * MINUTE_MS - 1000, 200],
    ['30:01', 30 * MINUTE_MS + 1000, 400],
  ])('after %s minutes (O39)', async (_name, laterMs, status) => {
    const code = await t.code(client);
    t.clock.at += laterMs;
    const answer = await t.exchange(client, code);
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(answer.body).toMatchObject({
        error: 'invalid_grant',
        error_description: expect.stringContaining('expired'),
      });
  });

  describe('presented twice', () => {
    test('is refused within the benign window, and its tokens live (O40)', async () => {
      const code = await t.code(client);
      const { body } = await t.exchange(client, code);
      t.clock.at += 2000;
      expect((await t.exchange(client, code)).body.error).toBe('invalid_grant');
      expect(await t.isActive(client, body.access_token)).toBe(true);
      expect(await t.isActive(client, body.refresh_token)).toBe(true);
    });

    test('later is refused and its tokens die, with all that came of them (O40)', async () => {
      const code = await t.code(client);
      const { body } = await t.exchange(client, code);
      const { body: renewed } = await t.refresh(client, body.refresh_token);
      t.clock.at += 2001;
      const answer = await t.exchange(client, code);
      expect(answer.body).toMatchObject({
        error: 'invalid_grant',
        error_description: expect.stringContaining('revoked'),
      });
      expect(await t.isActive(client, renewed.access_token)).toBe(false);
      expect((await t.refresh(client, renewed.refresh_token)).body.error).toBe('invalid_grant');
    });

    test('by another application does no harm (O40)', async () => {
      const stranger = await addClient(t.world);
      const code = await t.code(client);
      const { body } = await t.exchange(client, code);
      t.clock.at += 10_000;
      expect((await t.exchange(stranger, code)).body.error).toBe('invalid_grant');
      expect(await t.isActive(client, body.access_token)).toBe(true);
    });
  });

  test('five wrong presentations burn a code', async () => {
    const code = await t.code(client);
    for (let i = 0; i < 5; i++)
      await t.exchange(client, code, { redirect_uri: 'https://elsewhere.example/' });
    const answer = await t.exchange(client, code);
    expect(answer.body).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringContaining('too many failed attempts'),
    });
  });

  describe('with PKCE', () => {
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    // RFC 7636, appendix B
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

    test('the verifier of RFC 7636 opens its challenge (O42)', async () => {
      const code = await t.code(client, { challenge });
      expect((await t.exchange(client, code, { code_verifier: verifier })).status).toBe(200);
    });

    test.each([
      ['no verifier', undefined],
      ['another verifier', 'x'.repeat(43)],
      ['the challenge itself', challenge],
      ['42 characters', verifier.slice(1)],
      ['129 characters', 'a'.repeat(129)],
      ['a character that is not allowed', `${verifier}+`],
    ])('%s is refused and the code stays usable (O42)', async (_name, sent) => {
      const code = await t.code(client, { challenge });
      const answer = await t.exchange(client, code, { code_verifier: sent });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe('invalid_grant');
      expect((await t.exchange(client, code, { code_verifier: verifier })).status).toBe(200);
    });

    test.each([43, 128])('a verifier of %i characters is taken (O42)', async (length) => {
      const own = 'a.b_c~d-'.repeat(16).slice(0, length);
      const code = await t.code(client, {
        challenge: createHash('sha256').update(own).digest('base64url'),
      });
      expect((await t.exchange(client, code, { code_verifier: own })).status).toBe(200);
    });

    test.each([
      ['a verifier', verifier],
      ['a verifier of a wrong form', 'short'],
    ])('%s without a challenge before is refused: no downgrade (O44)', async (_name, sent) => {
      const code = await t.code(client);
      expect((await t.exchange(client, code, { code_verifier: sent })).body.error).toBe(
        'invalid_grant',
      );
    });
  });

  test('when the owner is disabled meanwhile, nothing is issued', async () => {
    const owner = await t.world.person();
    const code = await t.code(client, { owner });
    await t
      .database()
      .db.updateTable('account')
      .set({ disabledAt: t.clock.at })
      .where('id', '=', owner.id)
      .execute();
    expect((await t.exchange(client, code)).body.error).toBe('invalid_grant');
  });

  test('codes and tokens have at least 160 random bits, a prefix, and only their hashes are stored (O24)', async () => {
    const code = await t.code(client);
    const pair = (await t.exchange(client, code)).body;
    expect(code).toMatch(/^hpc_[A-Za-z0-9]{36}$/);
    expect(pair.access_token).toMatch(/^hpa_[A-Za-z0-9]{36}$/);
    expect(pair.refresh_token).toMatch(/^hpr_[A-Za-z0-9]{66}$/);
    const row = await t
      .database()
      .db.selectFrom('tokenFamily')
      .selectAll()
      .where('codeHash', '=', createHash('sha256').update(code).digest())
      .executeTakeFirstOrThrow();
    expect(Buffer.from(row.accessHash!)).toEqual(
      createHash('sha256').update(pair.access_token).digest(),
    );
    expect(Buffer.from(row.refreshHash!)).toEqual(
      createHash('sha256').update(pair.refresh_token).digest(),
    );
  });
});

describeOauth(
  'with other settings',
  (t) => {
    test('an operator may shorten the life of a code (O39)', async () => {
      const client = await addClient(t.world);
      const code = await t.code(client);
      expect((await t.exchange(client, code)).body.expires_in).toBe(3600);
    });

    test('and have every second use of a code revoke what came of the first (O40)', async () => {
      const client = await addClient(t.world);
      const code = await t.code(client);
      const { body } = await t.exchange(client, code);
      await t.exchange(client, code);
      expect(await t.isActive(client, body.access_token)).toBe(false);
    });
  },
  { oauthAccessTokenSeconds: 3600, oauthBenignReuseSeconds: 0 },
);
