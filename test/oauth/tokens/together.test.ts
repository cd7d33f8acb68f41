import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { exchangeCode, refreshPair } from '../../../packages/server/src/identity/oauth/families.ts';
import { revokeToken } from '../../../packages/server/src/identity/oauth/revocation.ts';
import {
  readAccessToken,
  type Presented,
} from '../../../packages/server/src/identity/oauth/tokens.ts';
import { gathers } from '../../../packages/server/src/platform/storage/postgres/gathered.ts';
import { describeEngines, describePostgres } from '../../support/engines.ts';
import { listening } from '../../support/listening.ts';
import { createWorld, settableClock } from '../../support/world.ts';
import { addClient, createRunning } from '../fixture.ts';

describePostgres('token changes that arrive together', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  const { code } = createRunning({
    clock,
    world,
    database,
    oauth: () => expect.unreachable('no listener is needed'),
  });
  const lifetimes = {
    codeMs: 1_800_000,
    accessTokenMs: 86_400_000,
    refreshTokenMs: 2_592_000_000,
    benignMs: 60_000,
  };

  test('are one statement for all of a kind, with their audit events', async () => {
    const client = await addClient(world);
    const { id: applicationId, redirectUri } = client.application;
    const { db, texts } = listening(database().db, { transactions: true });
    const asking = { now: clock.now(), applicationId, forbidden: 0, answersUntil: 0 };
    const refreshTokenOf = (pair: { refreshToken: string } | undefined) =>
      readAccessToken(pair!.refreshToken) as Presented & { kind: 'refresh' };
    const revokeAll = (tokens: readonly string[]) =>
      Promise.all(
        tokens.map((text) => revokeToken(db, world.act(), applicationId, readAccessToken(text)!)),
      );

    const codes = [await code(client), await code(client), await code(client)];
    const exchanged = await Promise.all(
      codes.map((text) =>
        exchangeCode(db, lifetimes, world.act(), {
          ...asking,
          codeHash: readAccessToken(text)!.hash,
          redirectUri,
          challenge: '',
        }),
      ),
    );
    expect([exchanged.filter(Boolean).length, texts.length]).toEqual([3, 1]);

    const refreshed = await Promise.all(
      exchanged.map(refreshTokenOf).map(({ family, familyHash, hash }) =>
        refreshPair(db, lifetimes, world.act(), family, {
          ...asking,
          familyHash,
          presentedHash: hash,
          requested: 0,
        }),
      ),
    );
    expect([refreshed.filter(Boolean).length, texts.length]).toEqual([3, 2]);

    expect([await revokeAll(refreshed.map((pair) => pair!.accessToken)), texts.length]).toEqual([
      [true, true, true],
      3,
    ]);
    expect([await revokeAll(refreshed.map((pair) => pair!.refreshToken)), texts.length]).toEqual([
      [true, true, true],
      4,
    ]);
    expect(await revokeAll(refreshed.map((pair) => pair!.refreshToken))).toEqual([
      false,
      false,
      false,
    ]);

    const trail = await database()
      .db.selectFrom('auditEvent')
      .select(['kind', 'data'])
      .where('kind', 'in', ['grant.exchanged', 'grant.tokensRevoked'])
      .execute();
    const grants = new Set(exchanged.map((pair) => pair!.grantId));
    for (const { data } of trail) expect(grants).toContain(JSON.parse(data).grantId);
    expect(trail.map(({ kind }) => kind).toSorted()).toEqual([
      ...Array(3).fill('grant.exchanged'),
      ...Array(6).fill('grant.tokensRevoked'),
    ]);
  });

  test('lock no row but their own, before the tables were ever analyzed too', async () => {
    const client = await addClient(world);
    const { id: applicationId, redirectUri } = client.application;
    const { db } = database();
    const asking = { now: clock.now(), applicationId, forbidden: 0, answersUntil: 0 };
    const pairs: Awaited<ReturnType<typeof exchangeCode>>[] = [];
    for (let i = 0; i < 20; i++) {
      const codeHash = readAccessToken(await code(client))!.hash;
      pairs.push(
        await exchangeCode(db, lifetimes, world.act(), {
          ...asking,
          codeHash,
          redirectUri,
          challenge: '',
        }),
      );
    }
    // A row that was changed carries the lock of that change.
    const locked = async (): Promise<number> =>
      (
        await db
          .selectFrom('tokenFamily')
          .select('codeHash')
          .where('applicationId', '=', applicationId)
          .where(sql<boolean>`xmax not in (0, xmin)`)
          .execute()
      ).length;
    expect(await locked()).toBe(0);
    const { family, familyHash, hash } = readAccessToken(pairs[0]!.refreshToken) as Presented & {
      kind: 'refresh';
    };
    expect(
      await refreshPair(db, lifetimes, world.act(), family, {
        ...asking,
        familyHash,
        presentedHash: hash,
        requested: 0,
      }),
    ).toBeDefined();
    expect(await locked()).toBe(0);
  });
});

describeEngines('token changes', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  const { code } = createRunning({
    clock,
    world,
    database,
    oauth: () => expect.unreachable('no listener is needed'),
  });
  const lifetimes = {
    codeMs: 1_800_000,
    accessTokenMs: 86_400_000,
    refreshTokenMs: 2_592_000_000,
    benignMs: 60_000,
  };

  test('make no pair that may do nothing: of scopes that are asked for, one has to be left', async () => {
    const client = await addClient(world);
    const { id: applicationId, redirectUri } = client.application;
    const { db } = database();
    const asking = { now: clock.now(), applicationId, forbidden: 0, answersUntil: 0 };
    const codeHash = readAccessToken(await code(client))!.hash;
    const pair = (await exchangeCode(db, lifetimes, world.act(), {
      ...asking,
      codeHash,
      redirectUri,
      challenge: '',
    }))!;
    expect(pair.scopes).toBe(3);
    await db.updateTable('oauthGrant').set({ scopes: 1 }).where('id', '=', pair.grantId).execute();
    const { family, familyHash, hash } = readAccessToken(pair.refreshToken) as Presented & {
      kind: 'refresh';
    };
    const refresh = (requested: number) =>
      refreshPair(db, lifetimes, world.act(), family, {
        ...asking,
        familyHash,
        presentedHash: hash,
        requested,
      });
    expect(await refresh(2)).toBe(undefined);
    expect((await refresh(1))?.scopes).toBe(1);
  });

  test('are gathered on PostgreSQL alone, and not within a transaction, which is its caller’s', async () => {
    const { db, engine } = database();
    expect(gathers(db)).toBe(engine === 'postgres');
    expect(await db.transaction().execute(async (trx) => gathers(trx))).toBe(false);
  });
});
