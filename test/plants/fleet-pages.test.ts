import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reachOf } from '../../packages/server/src/fleet/plants/access.ts';
import { countIn } from '../../packages/server/src/fleet/plants/fleet/counters.ts';
import { findFleetPage } from '../../packages/server/src/fleet/plants/fleet/fleet-pages.ts';
import { foldSpans } from '../../packages/server/src/fleet/plants/fleet/fold-spans.ts';
import { listPlants } from '../../packages/server/src/fleet/plants/fleet/plant-list.ts';
import { findPlace } from '../../packages/server/src/fleet/plants/fleet/visible-spans.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock, userCaller } from '../support/world.ts';

const START = '0'.repeat(19);

describeEngines('a page of a large fleet', (database) => {
  const world = createWorld(database, settableClock('2026-06-01T00:00:00Z'));

  /** Devices one after the other in plants of theirs and of ours, some of them in none, some collectors among them. */
  const populate = async (whose: readonly ('ours' | 'theirs' | 'nobody' | 'collector')[]) => {
    const [us, them] = [await world.person(), await world.person()];
    const plants = {
      ours: [await world.plant(us.id), await world.plant(us.id)],
      theirs: [await world.plant(them.id)],
    };
    const ours: string[] = [];
    for (const [i, one] of whose.entries()) {
      if (one === 'nobody') await world.device(null);
      else if (one === 'collector') await world.device(plants.ours[0]!, { kind: 'collector' });
      else if (one === 'theirs') await world.device(plants.theirs[0]!);
      else ours.push((await world.device(plants.ours[i % 2]!)).id);
    }
    return { reach: reachOf(userCaller(us.id), 'read'), ours };
  };

  test('is the same from the start as among the caller’s own, wherever these stand', async () => {
    const kind = fc.constantFrom(
      'ours' as const,
      'theirs' as const,
      'nobody' as const,
      'collector' as const,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(kind, { minLength: 5, maxLength: 40 }), async (whose) => {
        const { db } = database();
        const { reach, ours } = await populate(whose);
        for (const [offset, limit] of [
          [0, 3],
          [2, 5],
          [0, 50],
          [7, 1],
        ] as const) {
          const page = {
            reach,
            kind: 'inverter',
            fromId: START,
            offset,
            limit,
            visible: 100_000,
          } as const;
          expect(await findFleetPage(db, page)).toEqual(ours.slice(offset, offset + limit));
          const later = ours[2];
          if (later !== undefined)
            expect(await findFleetPage(db, { ...page, fromId: later })).toEqual(
              ours.slice(2).slice(offset, offset + limit),
            );
        }
      }),
      { numRuns: 8 },
    );
  });

  test('is given up where the caller’s devices are far away', async () => {
    const { db } = database();
    const { reach } = await populate([
      ...Array.from({ length: 120 }, () => 'theirs' as const),
      'ours',
      'ours',
    ]);
    const page = {
      reach,
      kind: 'inverter',
      fromId: START,
      offset: 0,
      limit: 2,
      visible: 1,
    } as const;
    expect(await findFleetPage(db, page)).toBeUndefined();
    expect(await findFleetPage(db, { ...page, offset: 0, limit: 50, visible: 50 })).toBeUndefined();
  });

  test('of plants is found wherever it is, and is none beyond the end', async () => {
    const { db } = database();
    const [us, them] = [await world.person(), await world.person()];
    const template = await db
      .selectFrom('plant')
      .selectAll()
      .where('id', '=', await world.plant(us.id))
      .executeTakeFirstOrThrow();
    const ids = [template.id];
    await world.write(async (trx) => {
      for (let i = 1; i < 2_300; i++) {
        const id = world.newId();
        if (i % 5 > 0) ids.push(id);
        const ownerId = i % 5 > 0 ? us.id : them.id;
        await trx
          .insertInto('plant')
          .values({ ...template, id, ownerId })
          .execute();
        await trx
          .insertInto('plantAccess')
          .values({ accountId: ownerId, plantId: id, level: 'owner', createdAt: 0 })
          .execute();
        await countIn(trx, { plantId: id });
      }
    });
    const reach = reachOf(userCaller(us.id), 'read');
    const pages = Math.ceil(ids.length / 100);
    const checkPages = async () => {
      for (const pageNo of [1, 10, 11, 12, pages - 2, pages - 1, pages, pages + 1, 500]) {
        const plants = await listPlants(db, { reach }, { pageNo, pageSize: 100 });
        expect([pageNo, plants.map(({ id }) => id)]).toEqual([
          pageNo,
          ids.slice((pageNo - 1) * 100, pageNo * 100),
        ]);
      }
    };
    // Before anything was folded, and after.
    await checkPages();
    while ((await foldSpans(db, 100)) > 0);
    await checkPages();
    expect(await findPlace(db, reach, 'plant', 1_700)).toEqual({ fromId: ids[1_500], offset: 200 });
    const fromId = ids[300]!;
    expect(
      (await listPlants(db, { reach, fromId }, { pageNo: 12, pageSize: 100 })).map(({ id }) => id),
    ).toEqual(ids.slice(1400, 1500));
  });
});
