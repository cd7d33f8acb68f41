import { expect, test } from 'vitest';
import {
  getReportingCollector,
  storeAsSender,
} from '../../packages/server/src/fleet/collectors/authenticate.ts';
import { listBrokerUsers } from '../../packages/server/src/fleet/collectors/broker-access.ts';
import { revokeTokens, rotateToken } from '../../packages/server/src/fleet/collectors/tokens.ts';
import type { Trx } from '../../packages/server/src/platform/storage/database.ts';
import { createControlScene, type Home } from '../commands/scene.ts';
import { describeEngines } from '../support/engines.ts';

describeEngines('a sender whose token an external broker has checked', (database) => {
  const scene = createControlScene(database);
  const { clock } = scene;
  const named = ({ collectorId: id, collectorSn: sn }: Home) => ({ id, sn });
  const expireAt = (home: Home, expiresAt: number) =>
    database()
      .db.updateTable('collectorToken')
      .set({ expiresAt })
      .where('collectorId', '=', home.collectorId)
      .execute();
  const known = ({ collectorId }: Home) =>
    getReportingCollector(database().db, { collectorId }, clock.now());
  const store = (
    { collectorId }: Home,
    work: () => Promise<void> = async () => {},
  ): Promise<void> => {
    const { db } = database();
    return storeAsSender(
      db,
      (attempt: (trx: Trx) => Promise<void>) => db.transaction().execute(attempt),
      { sender: { collectorId }, now: clock.now() },
      work,
    );
  };
  const users = async ({ collectorId }: Home): Promise<string[]> =>
    (await listBrokerUsers(database().db, clock.now()))
      .filter((user) => user.collectorId === collectorId)
      .map(({ tokenId }) => tokenId);

  test('may report while any of its collector’s tokens is valid, and not a moment longer', async () => {
    const home = await scene.home();
    await expireAt(home, clock.now() + 1_000);
    const { tokenId } = await scene.write((trx) => rotateToken(trx, scene.act(), named(home), 500));
    await database()
      .db.updateTable('collectorToken')
      .set({ expiresAt: clock.now() + 2_000 })
      .where('id', '=', tokenId)
      .execute();
    for (const [passed, valid] of [
      [499, [home.tokenId, tokenId]],
      [1, [tokenId]],
      [1_499, [tokenId]],
    ] as const) {
      clock.at += passed;
      expect(await known(home)).toMatchObject({ id: home.collectorId });
      await store(home);
      expect(await users(home)).toEqual(valid);
    }
    clock.at += 1;
    await expect(known(home)).rejects.toMatchObject({ code: 'notAuthenticated' });
    await expect(store(home)).rejects.toMatchObject({ code: 'notAuthenticated' });
    expect(await users(home)).toEqual([]);
  });

  test('stores nothing once the revocation of all tokens has returned: the revocation waits for what is being stored', async () => {
    const home = await scene.home();
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const order: string[] = [];
    const storing = store(home, async () => {
      begun.resolve();
      await release.promise;
      order.push('stored');
    });
    await begun.promise;
    const revoking = scene
      .write((trx) => revokeTokens(trx, scene.act(), named(home)))
      .then(() => order.push('revoked'));
    // On PostgreSQL, it would be done by now.
    await known(home);
    release.resolve();
    await Promise.all([storing, revoking]);
    expect(order).toEqual(['stored', 'revoked']);
    await expect(store(home)).rejects.toMatchObject({ code: 'notAuthenticated' });
  });
});
