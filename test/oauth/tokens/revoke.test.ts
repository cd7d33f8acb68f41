import { beforeAll, expect, test } from 'vitest';
import { listAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import { listGrants, revokeGrant } from '../../../packages/server/src/identity/oauth/grants.ts';
import { openStorage } from '../../../packages/server/src/platform/storage/open.ts';
import { addClient, describeOauth, postForm, type TestClient } from '../fixture.ts';
import { startOauth } from '../listener.ts';

describeOauth('revoking', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world);
  });

  test.each(['access_token', 'refresh_token'] as const)(
    'answers a living %s in the one form that all clients read (O59, O64)',
    async (name) => {
      const pair = await t.pair(client);
      const answer = await t.revoke(client, pair[name]);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.text).toBe('{}');
      expect(await t.isActive(client, pair[name])).toBe(false);
    },
  );

  test('a refresh token takes its access token along (O60)', async () => {
    const pair = await t.pair(client);
    await t.revoke(client, pair.refresh_token);
    expect(await t.isActive(client, pair.access_token)).toBe(false);
    expect((await t.refresh(client, pair.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('an access token goes alone: the refresh token still works (O60)', async () => {
    const pair = await t.pair(client);
    await t.revoke(client, pair.access_token);
    expect(await t.isActive(client, pair.access_token)).toBe(false);
    expect(await t.isActive(client, pair.refresh_token)).toBe(true);
    const { body } = await t.refresh(client, pair.refresh_token);
    expect(await t.isActive(client, body.access_token)).toBe(true);
    expect(await t.isActive(client, pair.access_token)).toBe(false);
  });

  test('a spent refresh token takes its successors along, so that a refresh cannot outrun the revocation (O66)', async () => {
    const pair = await t.pair(client);
    const { body } = await t.refresh(client, pair.refresh_token);
    expect((await t.revoke(client, pair.refresh_token)).status).toBe(200);
    expect(await t.isActive(client, body.access_token)).toBe(false);
  });

  test('tokens of another code of the same owner live on', async () => {
    const owner = await t.world.person();
    const [one, other] = [await t.pair(client, { owner }), await t.pair(client, { owner })];
    await t.revoke(client, one.refresh_token);
    expect(await t.isActive(client, other.access_token)).toBe(true);
  });

  test('what is unknown, spent, expired or revoked already is answered the same (O61)', async () => {
    const revoked = await t.pair(client);
    await t.revoke(client, revoked.refresh_token);
    const expired = await t.pair(client);
    t.clock.at += 31 * 86_400_000;
    for (const token of [
      'unknown',
      'hpa_x',
      revoked.refresh_token,
      revoked.access_token,
      expired.access_token,
      expired.refresh_token,
      await t.code(client),
    ]) {
      const answer = await t.revoke(client, token);
      expect([answer.status, answer.text]).toEqual([200, '{}']);
    }
  });

  test('a code is no token and stays usable (O61)', async () => {
    const code = await t.code(client);
    await t.revoke(client, code);
    expect((await t.exchange(client, code)).status).toBe(200);
  });

  test('without token is invalid_request (O61)', async () => {
    const answer = await t.revoke(client, '');
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_request');
  });

  test('the token of another application stays valid, and the answer does not say that it exists (O62)', async () => {
    const stranger = await addClient(t.world);
    const pair = await t.pair(client);
    for (const token of [pair.access_token, pair.refresh_token]) {
      const [own, unknown] = [await t.revoke(stranger, token), await t.revoke(stranger, 'unknown')];
      expect([own.status, own.text]).toEqual([unknown.status, unknown.text]);
      expect(await t.isActive(client, token)).toBe(true);
    }
  });

  test.each(['access_token', 'refresh_token', 'nonsense', '', undefined])(
    'token_type_hint %s makes no difference (O63)',
    async (token_type_hint) => {
      const [one, other] = [await t.pair(client), await t.pair(client)];
      await t.revoke(client, one.access_token, { token_type_hint });
      await t.revoke(client, other.refresh_token, { token_type_hint });
      expect(await t.isActive(client, one.access_token)).toBe(false);
      expect(await t.isActive(client, one.refresh_token)).toBe(true);
      expect(await t.isActive(client, other.access_token)).toBe(false);
    },
  );

  test('needs the application to authenticate', async () => {
    const pair = await t.pair(client);
    expect(
      (await postForm(t.oauth.url, '/oauth/revoke', { token: pair.access_token }, {})).status,
    ).toBe(401);
    expect(await t.isActive(client, pair.access_token)).toBe(true);
  });

  test('holds on every instance with the next request (O59)', async () => {
    const storage = openStorage(t.database().address);
    const elsewhere = await startOauth(storage, t.clock);
    const active = async (token: string): Promise<boolean> =>
      (
        await postForm(
          elsewhere.url,
          '/oauth/introspect',
          { token },
          { Authorization: client.basic },
        )
      ).body.active;
    const pair = await t.pair(client);
    expect(await active(pair.access_token)).toBe(true);
    await t.revoke(client, pair.access_token);
    expect(await active(pair.access_token)).toBe(false);
    expect(await active(pair.refresh_token)).toBe(true);
    await postForm(
      elsewhere.url,
      '/oauth/revoke',
      { token: pair.refresh_token },
      { Authorization: client.basic },
    );
    expect(await t.isActive(client, pair.refresh_token)).toBe(false);
    await elsewhere.close();
    await storage.close();
  });

  test('by the owner ends all pairs and codes of the grant at once, and is in the audit trail (O65)', async () => {
    const owner = await t.world.person();
    const pairs = [await t.pair(client, { owner }), await t.pair(client, { owner })];
    const code = await t.code(client, { owner });
    const { db } = t.database();
    const [grant] = await listGrants(db, owner.id);
    // Two sources of ids order what happened in one millisecond by chance.
    t.clock.at += 1;
    await t.world.write((trx) =>
      revokeGrant(trx, t.world.act({ actor: `account:${owner.id}` }), grant!.id, owner.id),
    );
    for (const pair of pairs)
      for (const token of [pair.access_token, pair.refresh_token])
        expect(await t.isActive(client, token)).toBe(false);
    expect((await t.exchange(client, code)).body.error).toBe('invalid_grant');
    expect((await listAudit(db, owner.id, { limit: 1 }))[0]).toMatchObject({
      kind: 'grant.revoked',
      data: { grantId: grant!.id },
    });
    expect((await listGrants(db, owner.id))[0]).toMatchObject({
      id: grant!.id,
      revokedAt: t.clock.at,
    });
  });

  test('a grant of somebody else is refused', async () => {
    const [owner, stranger] = [await t.world.person(), await t.world.person()];
    const pair = await t.pair(client, { owner });
    const [grant] = await listGrants(t.database().db, owner.id);
    await expect(
      t.world.write((trx) => revokeGrant(trx, t.world.act(), grant!.id, stranger.id)),
    ).rejects.toMatchObject({ code: 'noPermission' });
    expect(await t.isActive(client, pair.access_token)).toBe(true);
  });
});
