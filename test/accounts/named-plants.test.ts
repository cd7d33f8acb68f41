import { expect, test } from 'vitest';
import type { UserCaller } from '../../packages/server/src/identity/accounts/caller.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { addOwner, PASSWORD } from '../oauth/fixture.ts';
import { createFleet, inputOf } from '../operations/fleet.ts';
import { operationsOn } from '../support/operations.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createRightsScene } from '../rights/scene.ts';

const PLANTS = 40;

describeEngines('plants that a request names', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);

  /** How many statements an operation needs, outside of a transaction and within, and what became of it. */
  async function statements(
    id: 'key/create' | 'grant/narrow',
    caller: UserCaller,
    body: Record<string, unknown>,
  ): Promise<{ number: number; code: string }> {
    let number = 0;
    const watched: Db = database().db.withPlugin({
      transformQuery: ({ node }) => node,
      // Prepared queries are not transformed, but their results are.
      transformResult: async ({ result }) => ((number += 1), result),
    });
    const handlers = operationsOn(watched, clock, fleet.newId);
    const code = await handlers[id](caller, inputOf(id, body) as never).then(
      () => 'done',
      (error: { code?: string }) => String(error.code),
    );
    return { number, code };
  }

  test('for a key cost nothing before the identity is proven, and one question afterwards', async () => {
    const { id } = await addOwner(fleet);
    const plants = await Promise.all(Array.from({ length: PLANTS }, () => fleet.plant(id)));
    const foreign = await fleet.plant((await fleet.person()).id);
    const caller = userCaller(id, { address: '203.0.113.7' });
    const create = (password: string, plantIds: readonly string[]) =>
      statements('key/create', caller, { password, plantIds });
    // The first attempt of all asks once more than the others.
    await create('wrong', []);
    const few = await create('wrong', plants.slice(0, 1));
    expect(await create('wrong', plants)).toEqual(few);
    expect(few.code).toBe('wrongLogin');
    // Nobody learns of a plant before.
    expect((await create('wrong', [foreign])).code).toBe('wrongLogin');
    await create(PASSWORD, [plants[0]!, plants[0]!]);
    const one = await create(PASSWORD, plants.slice(0, 1));
    expect(await create(PASSWORD, plants)).toEqual(one);
    expect(one.code).toBe('done');
    expect((await create(PASSWORD, [...plants, foreign])).code).toBe('noPermission');
  });

  test('for an authorization cost one question, and none if it is not one’s own', async () => {
    const { owner, grantId, buyer, elsewhere } = await createRightsScene(fleet);
    const plants = await Promise.all(Array.from({ length: PLANTS }, () => fleet.plant(owner.id)));
    const caller = userCaller(owner.id);
    const narrow = (by: UserCaller, id: string, plantIds: readonly string[]) =>
      statements('grant/narrow', by, { id, plantIds });
    const stranger = userCaller(buyer.id);
    const few = await narrow(stranger, grantId, [elsewhere]);
    expect(await narrow(stranger, grantId, plants)).toEqual(few);
    expect(few.code).toBe('noPermission');
    expect((await narrow(caller, grantId, [...plants, elsewhere])).code).toBe('invalidValue');
    const all = await narrow(caller, grantId, plants);
    expect(all).toEqual({
      number: (await narrow(caller, grantId, plants.slice(1))).number,
      code: 'done',
    });
  });
});
