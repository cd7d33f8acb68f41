import { expect, test } from 'vitest';
import { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import { inTransaction } from '../../packages/server/src/platform/storage/transactions/transaction.ts';
import { Overtaken } from '../../packages/server/src/platform/storage/away.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock } from '../support/world.ts';

describeEngines('a change that others may overtake', (database) => {
  const world = createWorld(database, settableClock('2026-06-01T00:00:00Z'));

  test('begins anew, and nothing stays of the attempts before', async () => {
    const { id } = await world.person();
    let attempts = 0;
    const name = await inTransaction(database().db, async (trx) => {
      attempts += 1;
      await trx
        .updateTable('account')
        .set((eb) => ({ createdAt: eb('createdAt', '+', 1), name: `attempt ${attempts}` }))
        .where('id', '=', id)
        .execute();
      if (attempts < 3) throw new Overtaken();
      return trx
        .selectFrom('account')
        .select(['name', 'createdAt'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    });
    expect(name).toEqual({ name: 'attempt 3', createdAt: world.clock.at + 1 });
  });

  test.each([
    ['five times at most', () => new Overtaken(), 5],
    [
      'also when the engine ended it',
      () => Object.assign(new Error('deadlock detected'), { code: '40P01' }),
      5,
    ],
    ['not after a refusal', () => new Failure('noPermission'), 1],
    ['not after a fault', () => new Error('broken'), 1],
  ] as const)('begins anew %s', async (_, fault, expected) => {
    let attempts = 0;
    const work = inTransaction(database().db, async () => {
      attempts += 1;
      throw fault();
    });
    await expect(work).rejects.toThrow(fault().message);
    expect(attempts).toBe(expected);
  });
});
