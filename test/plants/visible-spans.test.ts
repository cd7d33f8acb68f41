import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reach } from '../../packages/server/src/fleet/plants/access.ts';
import { reachOf } from '../../packages/server/src/fleet/plants/access.ts';
import { countIn, countOut } from '../../packages/server/src/fleet/plants/fleet/counters.ts';
import { foldSpans } from '../../packages/server/src/fleet/plants/fleet/fold-spans.ts';
import { countMiscounts, recount } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import {
  countWrongSpans,
  findPlace,
  FIRST_ID,
  SPAN_SIZE,
} from '../../packages/server/src/fleet/plants/fleet/visible-spans.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { applicationCaller, createWorld, settableClock, userCaller } from '../support/world.ts';

describeEngines('the places of a list', (database) => {
  const world = createWorld(database, settableClock('2026-06-01T00:00:00Z'));
  const db = () => database().db;
  const fold = async () => {
    while ((await foldSpans(db(), 100)) > 0);
  };

  /** Plants of one owner with ids that are these numbers; each has as many inverters. */
  const populate = async (ownerId: string, numbers: readonly number[]): Promise<void> => {
    const template = await db()
      .selectFrom('plant')
      .selectAll()
      .where('id', '=', await world.plant((await world.person()).id))
      .executeTakeFirstOrThrow();
    await world.write(async (trx) => {
      for (const n of numbers) {
        const plantId = plantOf(n);
        await trx
          .insertInto('plant')
          .values({ ...template, id: plantId, ownerId })
          .execute();
        await trx
          .insertInto('plantAccess')
          .values({ accountId: ownerId, plantId, level: 'owner', createdAt: 0 })
          .execute();
        const device = {
          id: idOf(30_000_000 + n),
          sn: `S${n}`,
          kind: 'inverter' as const,
          facts: '{}',
          createdAt: 0,
          plantId,
          state: 2,
        };
        await trx.insertInto('device').values(device).execute();
        await countIn(trx, { plantId });
      }
    });
  };
  const idOf = (n: number): string => String(n).padStart(19, '0');
  const plantOf = (n: number): string => idOf(20_000_000 + n);
  const share = (accountId: string, numbers: readonly number[]) =>
    world.write(async (trx) => {
      for (const n of numbers) {
        await trx
          .insertInto('plantAccess')
          .values({ accountId, plantId: plantOf(n), level: 'read', createdAt: 0 })
          .execute();
        await countIn(trx, { plantId: plantOf(n), accountId });
      }
    });
  const unshare = (accountId: string, numbers: readonly number[]) =>
    world.write(async (trx) => {
      for (const n of numbers) {
        await countOut(trx, { plantId: plantOf(n), accountId });
        await trx
          .deleteFrom('plantAccess')
          .where('accountId', '=', accountId)
          .where('plantId', '=', plantOf(n))
          .execute();
      }
    });

  /** Each place that is found must be exactly where it says. */
  const checkPlaces = async (reach: Reach, numbers: readonly number[]): Promise<void> => {
    const sorted = numbers.toSorted((a, b) => a - b);
    for (const [kind, first] of [
      ['plant', 20_000_000],
      ['inverter', 30_000_000],
    ] as const) {
      for (const position of [0, 1, SPAN_SIZE - 1, SPAN_SIZE, 400, 620, sorted.length - 1]) {
        const place = (await findPlace(db(), reach, kind, position))!;
        const before = sorted.filter((n) => idOf(first + n) < place.fromId).length;
        expect([kind, position, before + place.offset]).toEqual([kind, position, position]);
      }
    }
  };

  const spansOf = (accountId: string, kind: 'plant' | 'inverter') =>
    db()
      .selectFrom('visibleSpan')
      .select(['fromId', 'amount', 'ownedAmount', 'folded'])
      .where('accountId', '=', accountId)
      .where('kind', '=', kind)
      .orderBy('fromId')
      .execute();

  test('are right in whatever order plants come and go, folded or not, and each is near to what was asked for', async () => {
    const owner = await world.person();
    const all = Array.from({ length: 800 }, (_, i) => i);
    await populate(owner.id, all);
    const own = reachOf(userCaller(owner.id), 'read');
    await checkPlaces(own, all);
    await fold();
    await checkPlaces(own, all);
    expect(
      (await spansOf(owner.id, 'inverter')).map(({ amount, folded }) => [amount, folded]),
    ).toEqual([...Array.from({ length: 3 }, () => [SPAN_SIZE, 1]), [50, 1]]);

    const installer = await world.person();
    const reach = reachOf(userCaller(installer.id), 'read');
    const orders = fc.shuffledSubarray(all, { minLength: 650 });
    await fc.assert(
      fc.asyncProperty(
        orders,
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        async (order, folds) => {
          const quarter = Math.ceil(order.length / 4);
          const seen: number[] = [];
          for (const [i, folded] of folds.entries()) {
            const part = order.slice(i * quarter, (i + 1) * quarter);
            await share(installer.id, part);
            seen.push(...part);
            if (folded) await fold();
            await checkPlaces(reach, seen);
          }
          const gone = order.filter((n) => n % 3 > 0);
          await unshare(installer.id, gone);
          await checkPlaces(
            reach,
            seen.filter((n) => n % 3 === 0),
          );
          await fold();
          const left = seen.filter((n) => n % 3 === 0);
          await checkPlaces(reach, left);
          for (const { amount } of await spansOf(installer.id, 'plant'))
            expect(amount).toBeLessThanOrEqual(2 * SPAN_SIZE);
          expect(await countWrongSpans(db())).toBe(0);
          await unshare(installer.id, left);
          await fold();
          expect(await spansOf(installer.id, 'plant')).toEqual([
            { fromId: FIRST_ID, amount: 0, ownedAmount: 0, folded: 1 },
          ]);
        },
      ),
      { numRuns: effort(1, 5) },
    );
  });

  test('of the own plants alone are those of an application', async () => {
    const [owner, other] = [await world.person(), await world.person()];
    const numbers = Array.from({ length: 700 }, (_, i) => 100_000 + i);
    await populate(
      owner.id,
      numbers.filter((n) => n % 2 === 0),
    );
    await populate(
      other.id,
      numbers.filter((n) => n % 2 > 0),
    );
    await share(
      owner.id,
      numbers.filter((n) => n % 2 > 0),
    );
    const reach = reachOf(applicationCaller(owner.id), 'read');
    for (const folded of [false, true]) {
      if (folded) await fold();
      await checkPlaces(reachOf(userCaller(owner.id), 'read'), numbers);
      const place = (await findPlace(db(), reach, 'inverter', 300))!;
      expect(
        numbers.filter((n) => n % 2 === 0 && idOf(30_000_000 + n) < place.fromId).length +
          place.offset,
      ).toBe(300);
    }
    expect(
      await findPlace(db(), { ...reach, plantIds: [plantOf(100_000)] }, 'inverter', 0),
    ).toBeUndefined();
  });

  test('that are wrong are found, and put right by a recount', async () => {
    const owner = await world.person();
    await populate(owner.id, [200_001, 200_002]);
    await fold();
    await recount(db());
    expect(await countMiscounts(db())).toBe(0);
    await db()
      .updateTable('visibleSpan')
      .set({ amount: 3 })
      .where('accountId', '=', owner.id)
      .where('kind', '=', 'inverter')
      .execute();
    expect(await countMiscounts(db())).toBe(1);
    expect(await recount(db())).toBe(1);
    expect(await countMiscounts(db())).toBe(0);
    expect(await spansOf(owner.id, 'inverter')).toEqual([
      { fromId: FIRST_ID, amount: 2, ownedAmount: 2, folded: 1 },
    ]);
  });
});
