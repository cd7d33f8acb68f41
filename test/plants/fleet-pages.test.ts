import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reachOf, type Reach } from '../../packages/server/src/fleet/plants/access.ts';
import { listVisibleDevices } from '../../packages/server/src/fleet/plants/device-access.ts';
import { countIn } from '../../packages/server/src/fleet/plants/fleet/counters.ts';
import { foldCounts } from '../../packages/server/src/fleet/plants/fleet/fold-counts.ts';
import { listPlants } from '../../packages/server/src/fleet/plants/fleet/plant-list.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock, userCaller } from '../support/world.ts';

/** A number of devices from which on pages are searched for among everybody's. */
const LARGE = 5_000;

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
    return { reach: reachOf(userCaller(us.id), 'read'), ours, theirs: plants.theirs[0]! };
  };

  const page = async (
    reach: Reach,
    { pageNo, pageSize }: { pageNo: number; pageSize: number },
    amount: number,
    fromId?: string,
  ): Promise<string[]> => {
    const selection = { reach, kind: 'inverter', fromId } as const;
    const devices = await listVisibleDevices(
      database().db,
      selection,
      { pageNo, pageSize },
      amount,
    );
    return devices.map(({ id }) => id);
  };

  test('is the same among everybody’s devices as among the caller’s own, from any place on', async () => {
    const kind = fc.constantFrom(
      'ours' as const,
      'theirs' as const,
      'nobody' as const,
      'collector' as const,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(kind, { minLength: 5, maxLength: 40 }), async (whose) => {
        const { reach, ours } = await populate(whose);
        for (const [pageNo, pageSize] of [
          [1, 3],
          [2, 2],
          [1, 50],
          [8, 1],
        ] as const) {
          const [from, to] = [(pageNo - 1) * pageSize, pageNo * pageSize];
          const wanted = { pageNo, pageSize };
          expect(await page(reach, wanted, 100_000)).toEqual(ours.slice(from, to));
          expect(await page(reach, wanted, ours.length)).toEqual(ours.slice(from, to));
          const later = ours[2];
          if (later !== undefined)
            expect(await page(reach, wanted, 100_000, later)).toEqual(
              ours.slice(2).slice(from, to),
            );
        }
      }),
      { numRuns: 8 },
    );
  });

  test('is found where the caller’s devices are behind more of others than the caller has', async () => {
    const { reach, theirs } = await populate([]);
    const { db } = database();
    const { id: template } = await world.device(theirs);
    const row = await db
      .selectFrom('device')
      .select(['kind', 'facts', 'createdAt', 'plantId', 'state'])
      .where('id', '=', template)
      .executeTakeFirstOrThrow();
    for (let from = 0; from < LARGE + 100; from += 300)
      await db
        .insertInto('device')
        .values(
          Array.from({ length: 300 }, () => ({
            ...row,
            id: world.newId(),
            sn: world.uniqueSn('T'),
          })),
        )
        .execute();
    const plantId = await world.plant(reach.accountId!);
    const ours: string[] = [];
    for (let i = 0; i < 5; i++) ours.push((await world.device(plantId)).id);
    expect(await page(reach, { pageNo: 1, pageSize: 3 }, LARGE)).toEqual(ours.slice(0, 3));
    expect(await page(reach, { pageNo: 2, pageSize: 3 }, LARGE)).toEqual(ours.slice(3));
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
    while ((await foldCounts(db, 100)) > 0);
    await checkPages();
    const fromId = ids[300]!;
    expect(
      (await listPlants(db, { reach, fromId }, { pageNo: 12, pageSize: 100 })).map(({ id }) => id),
    ).toEqual(ids.slice(1400, 1500));
  });
});
