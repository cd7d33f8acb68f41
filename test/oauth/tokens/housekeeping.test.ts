import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertSession } from '../../../packages/server/src/identity/accounts/sessions.ts';
import { insertTicket } from '../../../packages/server/src/identity/oauth/consent/consent-tickets.ts';
import { revokeGrant, listGrants } from '../../../packages/server/src/identity/oauth/grants.ts';
import { sweepOauth } from '../../../packages/server/src/identity/oauth/housekeeping.ts';
import type { Tables } from '../../../packages/server/src/platform/storage/database.ts';
import { addClient, addOwner, describeOauth } from '../fixture.ts';
import { authorizeUrl, createVisitor } from '../visitor.ts';

const DAY_MS = 86_400_000;

describeOauth('housekeeping', (t) => {
  const count = async (table: keyof Tables): Promise<number> =>
    (await t.database().db.selectFrom(table).selectAll().execute()).length;
  const sweep = async (): Promise<number> => {
    let removed = 0;
    for (let batch; (batch = await sweepOauth(t.database().db, t.clock.at, t.world.newId)) > 0;)
      removed += batch;
    return removed;
  };

  test('row counts stay flat while owners authorize and applications refresh', async () => {
    const client = await addClient(t.world);
    const owner = await t.world.person();
    const after: number[] = [];
    for (let day = 0; day < 100; day++) {
      let pair = await t.pair(client, { owner });
      for (let i = 0; i < 5; i++)
        pair = (
          await t.refresh(client, pair.refresh_token, {}, { 'Idempotency-Key': randomUUID() })
        ).body;
      await t.code(client, { owner });
      t.clock.at += DAY_MS;
      await sweep();
      after.push((await count('tokenFamily')) + (await count('tokenAnswer')));
    }
    // A row for each authorization of the last 31 days, and one for a code that was never exchanged.
    expect(Math.max(...after)).toBeLessThanOrEqual(34);
    expect(after.slice(40).every((rows) => rows === after[40])).toBe(true);
    expect(await count('oauthGrant')).toBe(1);
  });

  test('what still lives is never taken away', async () => {
    const client = await addClient(t.world);
    const owner = await addOwner(t.world);
    const code = await t.code(client, { owner });
    const once = { 'Idempotency-Key': randomUUID() };
    const answer = await t.refresh(
      client,
      (await t.pair(client, { owner })).refresh_token,
      {},
      once,
    );
    const spent = (await t.pair(client, { owner })).refresh_token;
    const living = (await t.refresh(client, spent)).body;
    const session = await insertSession(t.database().db, t.world.act(), {
      accountId: owner.id,
      entrance: 'portal',
      freshFor: null,
      userAgent: null,
    });
    const ticket = await insertTicket(t.database().db, t.clock.at, {
      sessionHash: Buffer.alloc(32),
      request: Buffer.alloc(32),
    });
    t.clock.at += 59_000;
    await sweep();
    expect([session, ticket].every((text) => text.length === 43)).toBe(true);
    expect([
      await count('session'),
      await count('consentTicket'),
      await count('tokenAnswer'),
    ]).toEqual([1, 1, 1]);
    expect(await t.isActive(client, answer.body.access_token)).toBe(true);
    expect((await t.exchange(client, code)).status).toBe(200);
    // A spent refresh token is still distinguished from an unknown one.
    t.clock.at += 29 * DAY_MS;
    await sweep();
    expect((await t.refresh(client, spent)).body.error_description).toContain('revoked');
    expect(await t.isActive(client, living.refresh_token)).toBe(false);
  });

  test('everything that has served goes, in batches, no matter which process sweeps', async () => {
    const client = await addClient(t.world);
    const owner = await addOwner(t.world);
    for (let i = 0; i < 30; i++) await t.code(client, { owner });
    const [grant] = await listGrants(t.database().db, owner.id);
    await t.world.write((trx) => revokeGrant(trx, t.world.act(), grant!.id, owner.id));
    await t.exchange(client, 'x');
    const visitor = createVisitor();
    await visitor.submit(await visitor.open(authorizeUrl(t.oauth.url, client)), 'log-in', {
      email: owner.email,
      password: 'wrong',
    });
    t.clock.at += 401 * DAY_MS;
    await Promise.all([sweep(), sweep(), sweep()]);
    for (const table of [
      'tokenFamily',
      'tokenAnswer',
      'consentTicket',
      'session',
      'logInAttempt',
      'knownBrowser',
      'applicationRefusal',
    ] as const)
      expect([table, await count(table)]).toEqual([table, 0]);
    expect((await listGrants(t.database().db, owner.id)).length).toBe(0);
  });

  test('a batch is bounded', async () => {
    const client = await addClient(t.world);
    const owner = await t.world.person();
    for (let i = 0; i < 520; i++) await t.code(client, { owner });
    t.clock.at += 2 * DAY_MS;
    expect(await sweepOauth(t.database().db, t.clock.at, t.world.newId)).toBe(500);
    expect(await sweepOauth(t.database().db, t.clock.at, t.world.newId)).toBe(20);
  });
});
