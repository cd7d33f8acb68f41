import { expect, test } from 'vitest';
import { operationsOn } from '../support/operations.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock, userCaller } from '../support/world.ts';

describeEngines('how long a plant’s readings are kept', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createWorld(database, clock);

  test('is up to its owner, and never longer or in more detail than the operator has set', async () => {
    const { id: owner } = await world.person();
    const plantId = await world.plant(owner);
    const caller = userCaller(owner);
    const under = (expiry: number | null, thinning: { days: number; minutes: number } | null) => {
      const operations = operationsOn(database().db, clock, world.newId, {
        readingsKept: { expiry, thinning },
      });
      return {
        set: (asked: { readingRetention?: string; readingThinning?: string }) =>
          operations['plant/edit'](caller, { plantId, ...asked } as never),
        async kept() {
          const shown = await operations['plant/show'](caller, { plantId });
          return [shown.readingRetention ?? null, shown.readingThinning ?? null];
        },
      };
    };
    const free = under(null, null);
    expect(await free.kept()).toEqual([null, null]);
    await free.set({ readingRetention: '400d', readingThinning: '90d:10m' });
    expect(await free.kept()).toEqual(['400d', '90d:10m']);
    const strict = under(365, { days: 120, minutes: 15 });
    expect(await strict.kept()).toEqual(['365d', '90d:15m']);
    for (const [asked, field, expected] of [
      [{ readingRetention: '366d' }, 'readingRetention', 'at most 365d, as the operator has set'],
      [
        { readingThinning: '120d:10m' },
        'readingThinning',
        'at most 120d and at least 15m, as the operator has set',
      ],
      [
        { readingThinning: '121d:15m' },
        'readingThinning',
        'at most 120d and at least 15m, as the operator has set',
      ],
      [
        { readingRetention: '31d' },
        'readingRetention',
        'off or a whole number of days from 32d to 36500d',
      ],
      [{ readingRetention: 'never' }, 'readingRetention', expect.stringContaining('off or')],
      [
        { readingThinning: '7d:15m' },
        'readingThinning',
        expect.stringContaining('such as 90d:15m'),
      ],
    ] as const)
      await expect(strict.set(asked)).rejects.toMatchObject({
        code: 'invalidValue',
        data: { field, expected },
      });
    await strict.set({ readingThinning: '30d:15m' });
    expect(await free.kept()).toEqual(['400d', '30d:15m']);
    await strict.set({ readingRetention: 'off', readingThinning: 'off' });
    expect([await free.kept(), await strict.kept()]).toEqual([
      [null, null],
      ['365d', '120d:15m'],
    ]);
    const trail = await database()
      .db.selectFrom('auditEvent')
      .select('data')
      .where('accountId', '=', owner)
      .where('kind', '=', 'plant.changed')
      .orderBy('id')
      .execute();
    expect(JSON.parse(trail[0]!.data)).toMatchObject({
      plantId,
      after: { readingsKeptDays: 400, readingsThinnedDays: 90, readingsThinnedMinutes: 10 },
    });
    await database()
      .db.insertInto('seriesHome')
      .values({ id: 1, engine: 'elsewhere', copyingTo: null, copier: null })
      .execute();
    await expect(free.set({ readingRetention: '400d' })).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field: 'readingRetention' },
    });
  });
});
