import { expect, test } from 'vitest';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { takeNodeNumber } from '../../packages/server/src/platform/storage/installation/node-number.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';

describeEngines('the node number of a server', (database) => {
  test('differs between servers, also when many start at once, on the first start of all', async () => {
    const numbers = await Promise.all(
      Array.from({ length: 20 }, () => takeNodeNumber(database().db)),
    );
    expect(new Set(numbers).size).toBe(20);
    const clock = settableClock('2026-11-21');
    expect(new Set(numbers.map((number) => createIdSource(clock, number)())).size).toBe(20);
  });

  test('starts again after the last one', async () => {
    const { db } = database();
    await db
      .updateTable('installation')
      .set({ value: Buffer.from([0x0f, 0xff]) })
      .where('name', '=', 'nextNode')
      .execute();
    expect([await takeNodeNumber(db), await takeNodeNumber(db)]).toEqual([4095, 0]);
  });
});
