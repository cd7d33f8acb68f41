import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { revokeGrant } from '../../../packages/server/src/identity/oauth/grants.ts';
import type { TestDatabase } from '../../support/engines.ts';
import { addClient, describeOauth, type TestClient } from '../fixture.ts';

/** On PostgreSQL: holds every token family, so that writes to them wait in the order of their coming. SQLite does one write after the other anyway. */
async function hold({
  engine,
  address,
}: TestDatabase): Promise<{ waiting(count: number): Promise<void>; release(): Promise<void> }> {
  if (engine === 'sqlite') return { waiting: async () => {}, release: async () => {} };
  const connection = new pg.Client({ connectionString: address });
  await connection.connect();
  await connection.query('begin');
  await connection.query('select 1 from "tokenFamily" for update');
  const observer = new pg.Client({ connectionString: address });
  await observer.connect();
  return {
    async waiting(count) {
      for (let waiters = 0; waiters < count;) {
        const { rows } = await observer.query(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        waiters = rows[0].n;
      }
    },
    async release() {
      await connection.query('rollback');
      await Promise.all([connection.end(), observer.end()]);
    },
  };
}

describeOauth('revoking and refreshing at once', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world);
  });

  const isDead = async (tokens: readonly (string | undefined)[]): Promise<void> => {
    for (const token of tokens)
      if (token !== undefined) expect(await t.isActive(client, token)).toBe(false);
  };

  test.for([
    { first: 'refresh', second: 'revoke' },
    { first: 'revoke', second: 'refresh' },
  ])(
    '$first first, then $second: nothing of the authorization works afterwards (O66)',
    async ({ first }) => {
      const pair = await t.pair(client);
      const actions = {
        refresh: () => t.refresh(client, pair.refresh_token),
        revoke: () => t.revoke(client, pair.refresh_token),
      };
      const second = first === 'refresh' ? 'revoke' : 'refresh';
      const lock = await hold(t.database());
      const one = actions[first as 'refresh' | 'revoke']();
      await lock.waiting(1);
      const two = actions[second]();
      await lock.waiting(2);
      await lock.release();
      const [answerOne, answerTwo] = await Promise.all([one, two]);
      const refreshed = first === 'refresh' ? answerOne : answerTwo;
      const revoked = first === 'refresh' ? answerTwo : answerOne;
      expect(revoked.status).toBe(200);
      expect([200, 400]).toContain(refreshed.status);
      await isDead([
        pair.access_token,
        pair.refresh_token,
        refreshed.body.access_token,
        refreshed.body.refresh_token,
      ]);
      expect((await t.refresh(client, pair.refresh_token)).body.error).toBe('invalid_grant');
    },
  );

  test('the owner revokes while a refresh has read that the grant stands (O66)', async () => {
    const owner = await t.world.person();
    const pair = await t.pair(client, { owner });
    const { id } = await t
      .database()
      .db.selectFrom('oauthGrant')
      .select('id')
      .where('accountId', '=', owner.id)
      .executeTakeFirstOrThrow();
    const lock = await hold(t.database());
    const refreshing = t.refresh(client, pair.refresh_token);
    await lock.waiting(1);
    await t.world.write((trx) => revokeGrant(trx, t.world.act(), id, owner.id));
    await lock.release();
    const refreshed = await refreshing;
    await isDead([
      pair.access_token,
      pair.refresh_token,
      refreshed.body.access_token,
      refreshed.body.refresh_token,
    ]);
    // What the owner grants afresh does not wake it.
    await t.pair(client, { owner });
    await isDead([pair.access_token, refreshed.body.access_token, refreshed.body.refresh_token]);
  });

  test('many of both at once leave nothing alive', async () => {
    for (let round = 0; round < 20; round++) {
      const pair = await t.pair(client);
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => t.refresh(client, pair.refresh_token)),
        t.revoke(client, pair.refresh_token),
        ...Array.from({ length: 4 }, () => t.refresh(client, pair.refresh_token)),
      ]);
      await isDead(answers.flatMap(({ body }) => [body.access_token, body.refresh_token]));
    }
  });
});
