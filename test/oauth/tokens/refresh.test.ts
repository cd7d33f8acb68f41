import { beforeAll, describe, expect, test } from 'vitest';
import { disableAccount } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { listAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import { changeApplication } from '../../../packages/server/src/identity/oauth/applications.ts';
import {
  listGrants,
  recordConsent,
  revokeGrant,
} from '../../../packages/server/src/identity/oauth/grants.ts';
import { bitsOf } from '../../../packages/server/src/identity/oauth/scopes.ts';
import { addClient, describeOauth, type TestClient } from '../fixture.ts';

const DAY_MS = 86_400_000;

describeOauth('refreshing', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world);
  });
  const audit = async (accountId: string): Promise<string[]> =>
    (await listAudit(t.database().db, accountId, { limit: 100 })).map(({ kind }) => kind);

  test('gives a new access token and a new refresh token each time (O50)', async () => {
    const seen = new Set<string>();
    let pair = await t.pair(client);
    for (let i = 0; i < 5; i++) {
      const answer = await t.refresh(client, pair.refresh_token);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        token_type: 'bearer',
        expires_in: 86_400,
        scope: 'access_data control_device',
      });
      pair = answer.body;
      seen.add(pair.access_token).add(pair.refresh_token);
    }
    expect(seen.size).toBe(10);
    expect(await t.isActive(client, pair.access_token)).toBe(true);
  });

  test('an access token lives 86,399 s and not 86,401 s (O50)', async () => {
    const pair = await t.pair(client);
    t.clock.at += 86_399_000;
    expect(await t.isActive(client, pair.access_token)).toBe(true);
    t.clock.at += 2000;
    expect(await t.isActive(client, pair.access_token)).toBe(false);
  });

  test('both validities restart with each refresh (O50)', async () => {
    const pair = await t.pair(client);
    t.clock.at += 29 * DAY_MS;
    const { body } = await t.refresh(client, pair.refresh_token);
    t.clock.at += DAY_MS - 1000;
    expect(await t.isActive(client, body.access_token)).toBe(true);
    t.clock.at += 28 * DAY_MS;
    expect((await t.refresh(client, body.refresh_token)).status).toBe(200);
  });

  test('a refresh token lives 30 days and no second more (O55)', async () => {
    const [early, late] = [await t.pair(client), await t.pair(client)];
    t.clock.at += 30 * DAY_MS - 1000;
    expect((await t.refresh(client, early.refresh_token)).status).toBe(200);
    t.clock.at += 2000;
    const answer = await t.refresh(client, late.refresh_token);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringContaining('expired'),
    });
  });

  test('the previous access token dies at once (O51)', async () => {
    const pair = await t.pair(client);
    await t.refresh(client, pair.refresh_token);
    expect(await t.isActive(client, pair.access_token)).toBe(false);
  });

  test('the previous refresh token dies at once, and within the benign window that is all (O52)', async () => {
    const pair = await t.pair(client);
    const { body } = await t.refresh(client, pair.refresh_token);
    t.clock.at += 2000;
    const again = await t.refresh(client, pair.refresh_token);
    expect(again.status).toBe(400);
    expect(again.body.error).toBe('invalid_grant');
    expect(await t.isActive(client, body.access_token)).toBe(true);
    expect((await t.refresh(client, body.refresh_token)).status).toBe(200);
  });

  describe('a spent refresh token that comes later', () => {
    test('revokes the family, and the owner can see that (O53)', async () => {
      const owner = await t.world.person();
      const pair = await t.pair(client, { owner });
      const { body } = await t.refresh(client, pair.refresh_token);
      t.clock.at += 2001;
      const again = await t.refresh(client, pair.refresh_token);
      expect(again.body).toMatchObject({
        error: 'invalid_grant',
        error_description: expect.stringContaining('revoked'),
      });
      expect(await t.isActive(client, body.access_token)).toBe(false);
      expect((await t.refresh(client, body.refresh_token)).body.error).toBe('invalid_grant');
      expect(await audit(owner.id)).toContain('grant.reuseRefused');
      expect(await t.oauth.metrics()).toContain('helioport_oauth_reuse_detected_total');
    });

    test('does so however many refreshes lie between (O53)', async () => {
      const pair = await t.pair(client);
      const second = (await t.refresh(client, pair.refresh_token)).body;
      t.clock.at += 3000;
      const third = (await t.refresh(client, second.refresh_token)).body;
      // The one before the living one was spent just now; the first one three seconds ago.
      expect((await t.refresh(client, second.refresh_token)).body.error).toBe('invalid_grant');
      expect(await t.isActive(client, third.access_token)).toBe(true);
      expect((await t.refresh(client, pair.refresh_token)).body.error).toBe('invalid_grant');
      expect(await t.isActive(client, third.access_token)).toBe(false);
    });

    test('leaves other authorizations of the same owner and application alone (O53)', async () => {
      const owner = await t.world.person();
      const [stolen, other] = [await t.pair(client, { owner }), await t.pair(client, { owner })];
      await t.refresh(client, stolen.refresh_token);
      t.clock.at += 5000;
      await t.refresh(client, stolen.refresh_token);
      expect(await t.isActive(client, other.access_token)).toBe(true);
    });

    test('from another application revokes nothing (O53, O55)', async () => {
      const stranger = await addClient(t.world);
      const pair = await t.pair(client);
      const { body } = await t.refresh(client, pair.refresh_token);
      t.clock.at += 5000;
      expect((await t.refresh(stranger, pair.refresh_token)).body.error).toBe('invalid_grant');
      expect(await t.isActive(client, body.access_token)).toBe(true);
    });
  });

  test('with the refresh token of another application is refused, and does not consume it (O55)', async () => {
    const stranger = await addClient(t.world);
    const pair = await t.pair(client);
    expect((await t.refresh(stranger, pair.refresh_token)).body.error).toBe('invalid_grant');
    expect((await t.refresh(client, pair.refresh_token)).status).toBe(200);
  });

  describe('with scope', () => {
    test('narrows the access token, and the next refresh has everything again (O56)', async () => {
      const pair = await t.pair(client);
      const narrow = (await t.refresh(client, pair.refresh_token, { scope: 'access_data' })).body;
      expect(narrow.scope).toBe('access_data');
      expect((await t.introspect(client, narrow.access_token)).body.scope).toBe('access_data');
      expect((await t.refresh(client, narrow.refresh_token)).body.scope).toBe(
        'access_data control_device',
      );
    });

    test.each([
      ['more than was granted', 'access_data control_device'],
      ['something unknown', 'access_data openid'],
    ])('%s is invalid_scope and consumes nothing (O56)', async (_name, scope) => {
      const pair = await t.pair(client, { scopes: ['access_data'] });
      const answer = await t.refresh(client, pair.refresh_token, { scope });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe('invalid_scope');
      expect((await t.refresh(client, pair.refresh_token)).status).toBe(200);
    });

    test.each([
      'access_data+control_device',
      'access_data%20control_device',
      'control_device%20%20access_data',
    ])('reads %s (O16)', async (scope) => {
      const pair = await t.pair(client);
      const answer = await t.token(
        client,
        `grant_type=refresh_token&refresh_token=${pair.refresh_token}&scope=${scope}`,
      );
      expect(answer.body.scope).toBe('access_data control_device');
    });
  });

  test('an access token or a code is no refresh token, and the other way round (O57)', async () => {
    const code = await t.code(client);
    const pair = await t.pair(client);
    for (const presented of [code, pair.access_token])
      expect((await t.refresh(client, presented)).body.error).toBe('invalid_grant');
    for (const presented of [pair.access_token, pair.refresh_token])
      expect((await t.exchange(client, presented)).body.error).toBe('invalid_grant');
    expect((await t.exchange(client, code)).status).toBe(200);
    expect((await t.refresh(client, pair.refresh_token)).status).toBe(200);
  });

  describe('is refused', () => {
    test('when the owner has revoked (O58)', async () => {
      const owner = await t.world.person();
      const pair = await t.pair(client, { owner });
      const [grant] = await listGrants(t.database().db, owner.id);
      await t.world.write((trx) =>
        revokeGrant(trx, t.world.act({ actor: `account:${owner.id}` }), grant!.id, owner.id),
      );
      expect((await t.refresh(client, pair.refresh_token)).body).toMatchObject({
        error: 'invalid_grant',
        error_description: expect.stringContaining('ended'),
      });
    });

    test('when the owner is disabled (O58)', async () => {
      const owner = await t.world.person();
      const pair = await t.pair(client, { owner });
      await t.world.write((trx) => disableAccount(trx, t.world.act(), owner.id));
      expect((await t.refresh(client, pair.refresh_token)).body.error).toBe('invalid_grant');
      expect(await t.isActive(client, pair.access_token)).toBe(false);
    });

    test('when the application may no longer ask for one of its scopes; what is left can be asked for (O58)', async () => {
      const shrinking = await addClient(t.world);
      const pair = await t.pair(shrinking);
      await t.world.write((trx) =>
        changeApplication(trx, t.world.act(), shrinking.application.id, {
          scopes: ['access_data'],
        }),
      );
      expect((await t.introspect(shrinking, pair.access_token)).body.scope).toBe('access_data');
      expect((await t.refresh(shrinking, pair.refresh_token)).body.error).toBe('invalid_grant');
      expect(
        (await t.refresh(shrinking, pair.refresh_token, { scope: 'access_data' })).body.scope,
      ).toBe('access_data');
    });
  });

  test('follows what the owner narrows later, for tokens that live already too', async () => {
    const owner = await t.world.person();
    const pair = await t.pair(client, { owner });
    const all = bitsOf(['access_data', 'control_device']);
    await t.world.write((trx) =>
      recordConsent(trx, t.world.act(), {
        accountId: owner.id,
        applicationId: client.application.id,
        asked: all,
        approved: bitsOf(['access_data']),
        plantIds: null,
      }),
    );
    expect((await t.introspect(client, pair.access_token)).body.scope).toBe('access_data');
    expect((await t.refresh(client, pair.refresh_token)).body.scope).toBe('access_data');
  });

  test('is in the audit trail, the first time of a day', async () => {
    const owner = await t.world.person();
    let pair = await t.pair(client, { owner });
    const refreshed = async (): Promise<number> =>
      (await audit(owner.id)).filter((kind) => kind === 'grant.refreshed').length;
    for (const expected of [1, 1, 1]) {
      pair = (await t.refresh(client, pair.refresh_token)).body;
      expect(await refreshed()).toBe(expected);
    }
    t.clock.at += DAY_MS;
    for (const expected of [2, 2]) {
      pair = (await t.refresh(client, pair.refresh_token)).body;
      expect(await refreshed()).toBe(expected);
    }
    expect((await listGrants(t.database().db, owner.id))[0]!.refreshedAt).toBe(t.clock.at);
  });
});
