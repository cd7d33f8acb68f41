import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { copySeries } from '../../packages/server/src/measurements/moving/copy.ts';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import { findHome } from '../../packages/server/src/measurements/series/home.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { describeEngines } from '../support/engines.ts';
import { createMemorySeries, MemoryAway } from '../support/memory-series.ts';
import { createMoves, HOUR } from './moves.ts';

/** The same engine, whose days are handed on only when they are released. */
function holdingDays(series: Series) {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held: Series = {
    ...series,
    async days(...asked) {
      const days = await series.days(...asked);
      if (days.length > 0) {
        reach();
        await released;
      }
      return days;
    },
  };
  return { series: held, reached, release };
}

describeEngines('a copier that stands still', (database) => {
  const moves = createMoves(database);
  const { world, depsWith, main, servers, copy } = moves;

  /** A device with an hour's readings, which reports others when it is told to. */
  async function begin(other: Series) {
    const [device] = await moves.begin(1, other);
    const report = (hour: number): Promise<unknown> =>
      world.report(device!, [
        {
          at: Date.parse('2026-06-29T08:00:00Z') + hour * HOUR,
          values: { acPowerW: 100 * hour, energyTotalKwh: hour },
        },
      ]);
    for (const hour of [1, 2]) await report(hour);
    return { device: device!, report };
  }

  test('and goes on when the series have moved without it writes nothing into them', async () => {
    const { db } = database();
    const memory = createMemorySeries(createFieldLists(db));
    const { device, report } = await begin(memory);
    const look = (): Promise<unknown> => Promise.all(servers().map((server) => server.look()));
    expect(await copy(main(), memory, true)).toMatchObject({ moved: true });
    await look();
    const slow = holdingDays(memory);
    const outcome = copySeries(depsWith(slow.series, main()), { switching: true }).catch(
      (error: unknown) => error,
    );
    await slow.reached;
    expect(await copy(memory, main(), true)).toMatchObject({ moved: true });
    await look();
    for (const hour of [3, 30]) await report(hour);
    slow.release();
    expect(await outcome).toMatchObject({ message: 'another process goes on with this copy' });
    expect(await findHome(db)).toEqual({ engine: 'database', copyingTo: null });
    expect(await main().range(db, device.series, 0, Infinity)).toHaveLength(4);
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  test('with one stretch is waited for before another that failed is tried again', async () => {
    const { db } = database();
    const memory = createMemorySeries(createFieldLists(db));
    await begin(memory);
    const slow = holdingDays(main());
    const awayOnce: Series = {
      ...memory,
      withRevisions: () => awayOnce,
      async put(...given) {
        memory.away = told.length === 0 && given[1].samples !== undefined;
        try {
          await memory.put(...given);
        } finally {
          memory.away = false;
        }
      },
    };
    const told: unknown[] = [];
    const copied = copySeries(
      {
        ...depsWith(slow.series, memory),
        target: awayOnce,
        onAway: (error) => void told.push(error),
      },
      { switching: true },
    );
    await slow.reached;
    for (let turn = 0; turn < 200; turn++) await setImmediate();
    expect(told).toEqual([]);
    slow.release();
    expect(await copied).toMatchObject({ moved: true, differences: [] });
    expect(told).toEqual([expect.any(MemoryAway)]);
  });
});
