import { plantOrders, type PlantOrder } from '@helioport/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reachOf } from '../../../packages/server/src/fleet/plants/access.ts';
import { countIn } from '../../../packages/server/src/fleet/plants/fleet/counters.ts';
import { foldCounts } from '../../../packages/server/src/fleet/plants/fleet/fold-counts.ts';
import {
  foldText,
  nameKey,
  searchKey,
} from '../../../packages/server/src/fleet/plants/ranking/keys.ts';
import {
  sortColumns,
  statesByNeed,
} from '../../../packages/server/src/fleet/plants/ranking/order.ts';
import { rankPlants } from '../../../packages/server/src/fleet/plants/ranking/ranking.ts';
import { walkRanking } from '../../../packages/server/src/fleet/plants/ranking/walk.ts';
import { describeEngines } from '../../support/engines.ts';
import { createWorld, settableClock, userCaller } from '../../support/world.ts';

test.each([
  ['Hauptstraße 24', 'hauptstrasse 24'],
  ['HAUPTSTRASSE 24', 'hauptstraße 24'],
  ['Smørmøllen', 'smormollen'],
  ['Łódź', 'lodz'],
  ['Köhler', 'kohler'],
])('%s is found by %s', (name, search) => {
  expect(searchKey(name, null)).toContain(foldText(search));
});

const NOW = Date.parse('2026-06-01T12:00:00Z');
const HOUR_MS = 3_600_000;

interface Made {
  readonly name: string;
  readonly state: number;
  readonly unattended: number;
  readonly capacityKwp: number;
  readonly powerW: number | null;
  readonly dayKwh: number | null;
  readonly yesterdayFullHours: number | null;
  readonly monthKwh: number | null;
  readonly totalKwh: number | null;
  readonly dayEnded: boolean;
  readonly monthEnded: boolean;
  readonly whose: 'ours' | 'shared' | 'theirs';
}

const amount = fc.option(fc.constantFrom(0, 0.5, 3, 3.5, 900), { nil: null });
const made: fc.Arbitrary<Made> = fc.record({
  name: fc.constantFrom('Ärger', 'arger 2', 'Zoo', '东京', 'b', 'B', '%_', '\u{1F31E}'),
  state: fc.constantFrom(1, 2, 3, 4),
  unattended: fc.constantFrom(0, 1),
  capacityKwp: fc.constantFrom(5, 10, 250),
  powerW: amount,
  dayKwh: amount,
  yesterdayFullHours: amount,
  monthKwh: amount,
  totalKwh: amount,
  dayEnded: fc.boolean(),
  monthEnded: fc.boolean(),
  whose: fc.constantFrom('ours' as const, 'ours' as const, 'shared' as const, 'theirs' as const),
});

describeEngines('plants in an order', (database) => {
  const world = createWorld(database, settableClock(NOW));
  const db = () => database().db;

  /** Plants with these standings; those that `us` may see come back with their ids. */
  const populate = async (plants: readonly Made[]) => {
    const [us, them] = [await world.person(), await world.person()];
    const template = await db()
      .selectFrom('plant')
      .selectAll()
      .where('id', '=', await world.plant(them.id))
      .executeTakeFirstOrThrow();
    const seen: (Made & { id: string })[] = [];
    const rows = plants.map((plant) => ({ ...plant, id: world.newId() }));
    await world.write(async (trx) => {
      await trx.deleteFrom('plantStanding').execute();
      for (let from = 0; from < rows.length; from += 500) {
        const some = rows.slice(from, from + 500);
        const owner = ({ whose }: Made): string => (whose === 'ours' ? us.id : them.id);
        await trx
          .insertInto('plant')
          .values(
            some.map((row) => ({
              ...template,
              id: row.id,
              name: row.name,
              state: row.state,
              capacityKwp: row.capacityKwp,
              ownerId: owner(row),
            })),
          )
          .execute();
        await trx
          .insertInto('plantStanding')
          .values(
            some.map(({ id, name, whose: _, dayEnded, monthEnded, ...figures }) => ({
              ...figures,
              plantId: id,
              nameKey: nameKey(name),
              searchKey: searchKey(name, null),
              dayEndsAt: dayEnded ? NOW : NOW + HOUR_MS,
              monthEndsAt: monthEnded ? NOW : NOW + HOUR_MS,
              yearEndsAt: NOW + HOUR_MS,
              workedOutAt: NOW,
              dueAt: NOW + HOUR_MS,
            })),
          )
          .execute();
        const access = some.flatMap((row) => [
          { plantId: row.id, accountId: owner(row), level: 'owner' as const, createdAt: 0 },
          ...(row.whose === 'shared'
            ? [{ plantId: row.id, accountId: us.id, level: 'read' as const, createdAt: 0 }]
            : []),
        ]);
        await trx.insertInto('plantAccess').values(access).execute();
      }
      await countIn(trx, { accountId: us.id });
    });
    await foldCounts(db(), 100);
    for (const row of rows) if (row.whose !== 'theirs') seen.push(row);
    return { reach: reachOf(userCaller(us.id), 'read'), seen };
  };

  const isEnded = (sort: PlantOrder, { dayEnded, monthEnded }: Made): boolean =>
    ((sort === 'day' || sort === 'yesterday') && dayEnded) || (sort === 'month' && monthEnded);
  const valueOf = (sort: PlantOrder, plant: Made): string | number | null => {
    const { name } = sortColumns[sort];
    return name === 'nameKey' ? nameKey(plant.name) : plant[name];
  };
  const points = (text: string): number[] => Array.from(text, (letter) => letter.codePointAt(0)!);
  const compare = (a: string | number | null, b: string | number | null): number => {
    if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b);
    const [x, y] = [points(a), points(b)];
    const i = x.findIndex((point, at) => point !== y[at]);
    return i === -1 ? x.length - y.length : x[i]! - (y[i] ?? -1);
  };

  /** The order as the documentation states it. */
  const ordered = (
    plants: readonly (Made & { id: string })[],
    sort: PlantOrder,
    direction: 'up' | 'down',
  ): string[] => {
    const group = (plant: Made): number =>
      valueOf(sort, plant) === null ? 1 : isEnded(sort, plant) ? 2 : 0;
    const need = (plant: Made): number =>
      sort === 'state' ? 2 * statesByNeed.indexOf(plant.state) - plant.unattended : 0;
    const sign = direction === 'up' ? 1 : -1;
    return plants
      .toSorted(
        (a, b) =>
          group(a) - group(b) ||
          sign *
            (need(a) - need(b) ||
              compare(valueOf(sort, a), valueOf(sort, b)) ||
              compare(a.id, b.id)),
      )
      .map(({ id }) => id);
  };

  test('is the same whether they are sorted or an index is followed, with unknown and ended values last', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { minLength: 1, maxLength: 60 }),
        fc.option(fc.subarray([1, 2, 3, 4], { minLength: 1 }), { nil: undefined }),
        async (plants, states) => {
          const { reach, seen } = await populate(plants);
          const wanted = seen.filter(({ state }) => !states || states.includes(state));
          for (const sort of plantOrders) {
            for (const direction of ['up', 'down'] as const) {
              const expected = ordered(wanted, sort, direction);
              for (const [pageNo, pageSize] of [
                [1, 7],
                [3, 5],
                [9, 5],
                [1, 100],
              ] as const) {
                const offset = (pageNo - 1) * pageSize;
                const page = expected.slice(offset, offset + pageSize);
                const order = { sort, direction };
                expect(
                  await rankPlants(
                    db(),
                    { reach, states, search: undefined },
                    order,
                    { pageNo, pageSize },
                    NOW,
                  ),
                ).toEqual({
                  ids: page,
                  total: wanted.length,
                });
                expect(
                  await walkRanking(db(), {
                    reach,
                    states,
                    order,
                    now: NOW,
                    offset,
                    limit: pageSize,
                    total: wanted.length,
                    budget: 10_000,
                  }),
                ).toEqual(page);
              }
            }
          }
        },
      ),
      { numRuns: 6 },
    );
  });

  test('takes time proportional to the page among 10,000: it visits few more standings than it lists, by whatever they are sorted', async () => {
    const plants = Array.from({ length: 10_000 }, (_, i): Made => {
      const value = (i * 7919) % 10_007;
      return {
        name: `Plant ${value}`,
        state: 1 + (i % 4),
        unattended: i % 3 === 0 ? 1 : 0,
        capacityKwp: value,
        powerW: i % 4 === 1 ? null : value,
        dayKwh: value,
        yesterdayFullHours: value,
        monthKwh: value,
        totalKwh: value,
        dayEnded: false,
        monthEnded: false,
        whose: i % 10 === 0 ? 'shared' : 'ours',
      };
    });
    const { reach, seen } = await populate(plants);
    for (const sort of plantOrders) {
      for (const direction of ['up', 'down'] as const) {
        const order = { sort, direction };
        const expected = ordered(seen, sort, direction);
        const page = { reach, states: undefined, order, now: NOW, limit: 20, total: 10_000 };
        expect(await walkRanking(db(), { ...page, offset: 0, budget: 60 })).toEqual(
          expected.slice(0, 20),
        );
        expect(await walkRanking(db(), { ...page, offset: 400, budget: 500 })).toEqual(
          expected.slice(400, 420),
        );
        // The last pages are as near as the first.
        expect(await walkRanking(db(), { ...page, offset: 9_980, budget: 60 })).toEqual(
          expected.slice(9_980),
        );
        expect(await walkRanking(db(), { ...page, offset: 9_580, budget: 500 })).toEqual(
          expected.slice(9_580, 9_600),
        );
      }
    }
    const order = { sort: 'power', direction: 'down' } as const;
    const { ids, total } = await rankPlants(
      db(),
      { reach, states: undefined, search: undefined },
      order,
      { pageNo: 500, pageSize: 20 },
      NOW,
    );
    expect([ids, total]).toEqual([ordered(seen, 'power', 'down').slice(9980), 10_000]);
    const few = await rankPlants(
      db(),
      { reach, states: undefined, search: 'PLANT 77' },
      { sort: 'capacity', direction: 'down' },
      { pageNo: 1, pageSize: 5 },
      NOW,
    );
    const matches = seen
      .filter(({ name }) => name.includes('Plant 77'))
      .toSorted((a, b) => b.capacityKwp - a.capacityKwp);
    expect(few).toEqual({ total: matches.length, ids: matches.slice(0, 5).map(({ id }) => id) });
  });

  test('is not followed for a caller who may see few plants of many', async () => {
    const plants = Array.from({ length: 400 }, (_, i): Made => {
      const figures = {
        powerW: i,
        dayKwh: i,
        yesterdayFullHours: i,
        monthKwh: i,
        totalKwh: i,
        dayEnded: false,
        monthEnded: false,
      };
      return {
        ...figures,
        name: `P${i}`,
        state: 1,
        unattended: 0,
        capacityKwp: i,
        whose: i < 3 ? 'ours' : 'theirs',
      };
    });
    const { reach, seen } = await populate(plants);
    const order = { sort: 'power', direction: 'down' } as const;
    expect(
      await walkRanking(db(), {
        reach,
        states: undefined,
        order,
        now: NOW,
        offset: 0,
        limit: 3,
        total: 3,
        budget: 200,
      }),
    ).toBeUndefined();
    const { ids } = await rankPlants(
      db(),
      { reach, states: undefined, search: undefined },
      order,
      { pageNo: 1, pageSize: 3 },
      NOW,
    );
    expect(ids).toEqual(ordered(seen, 'power', 'down'));
  });
});
