import { expect, test } from 'vitest';
import {
  dailyGrowth,
  fullAt,
  noteSize,
  tableSizes,
} from '../../packages/server/src/platform/storage/checks/growth.ts';
import { databaseBytes } from '../../packages/server/src/platform/storage/checks/size.ts';
import { describeEngines } from '../support/engines.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-06-15T12:00:00Z');

describeEngines('the growth of a database', (database) => {
  test('is known from one day to the next, and says when the disk is full', async () => {
    const { db } = database();
    expect(await dailyGrowth(db)).toBeUndefined();
    await noteSize(db, NOW);
    await noteSize(db, NOW + 3_600_000);
    expect(await dailyGrowth(db)).toBeUndefined();
    const before = await databaseBytes(db);
    const value = Buffer.alloc(1_000_000, 7);
    for (let i = 0; i < 12; i++)
      await db
        .insertInto('installation')
        .values({ name: `ballast ${i}`, value: Buffer.from(value.map((_, at) => at * i)) })
        .execute();
    await noteSize(db, NOW + 2 * DAY);
    const growth = (await dailyGrowth(db))!;
    expect(growth).toBe(((await databaseBytes(db)) - before) / 2);
    expect(growth).toBeGreaterThan(10_000);
    expect(fullAt(10 * growth, growth, NOW)).toBe(NOW + 10 * DAY);
    expect(fullAt(10, 0, NOW)).toBeUndefined();
    // Only the last month counts.
    await noteSize(db, NOW + 60 * DAY);
    expect(await dailyGrowth(db)).toBeUndefined();
  });

  test('is that of its tables, indexes included', async () => {
    const { db } = database();
    const sizes = await tableSizes(db);
    expect(sizes.every(({ bytes }, i) => i === 0 || bytes <= sizes[i - 1]!.bytes)).toBe(true);
    const bytesOf = (name: string): number => sizes.find(({ table }) => table === name)?.bytes ?? 0;
    expect(bytesOf('installation')).toBeGreaterThan(bytesOf('plant'));
    const sum = sizes.reduce((all, { bytes }) => all + bytes, 0);
    expect(sum).toBeLessThanOrEqual(await databaseBytes(db));
    expect(sizes.length).toBeGreaterThan(60);
  });
});
