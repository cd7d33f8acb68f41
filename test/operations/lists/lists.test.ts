import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Caller } from '../../../packages/server/src/identity/accounts/caller.ts';
import { describeEngines } from '../../support/engines.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { createFleet } from '../fleet.ts';
import { listIds, lists, type ListId } from './listed.ts';

interface WirePage {
  readonly records: readonly { readonly id: string }[];
  readonly total: number;
  readonly size: number;
  readonly current: number;
  readonly pages: number;
}

describeEngines('lists', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);

  const page = async (id: ListId, caller: Caller, body: object = {}): Promise<WirePage> => {
    const data = await fleet.wire(id, caller, { ...body });
    return data.page ?? data;
  };

  /** Adds one more of what a list lists. */
  const add = async (id: ListId, ownerId: string, plantId: string): Promise<string> => {
    clock.at += 1;
    const kind = lists[id];
    return kind === 'plant' ? fleet.plant(ownerId) : (await fleet.device(plantId, { kind })).id;
  };

  test.each(listIds)(
    '%s: pages of twenty from the first on, unless asked otherwise',
    async (id) => {
      const owner = await fleet.person();
      const caller = userCaller(owner.id);
      expect(await page(id, caller)).toMatchObject({
        records: [],
        total: 0,
        size: 20,
        current: 1,
        pages: 0,
      });
      const plantId = await fleet.plant(owner.id);
      const expected = lists[id] === 'plant' ? [plantId] : [];
      while (expected.length < 23) expected.push(await add(id, owner.id, plantId));
      const first = await page(id, caller);
      expect(first).toMatchObject({ total: 23, size: 20, current: 1, pages: 2 });
      expect(first.records.map((record) => record.id)).toEqual(expected.slice(0, 20));
      const second = await page(id, caller, { pageNo: '2', pageSize: '20' });
      expect(second).toMatchObject({ total: 23, size: 20, current: 2, pages: 2 });
      expect(second.records.map((record) => record.id)).toEqual(expected.slice(20));
      const cursor = String(BigInt(expected[9]!) + 1n);
      const rest = await page(id, caller, { minId: cursor, pageSize: 100 });
      expect(rest.records.map((record) => record.id)).toEqual(expected.slice(10));
      // A cursor is no filter.
      expect(rest.total).toBe(23);
    },
  );

  test.each(listIds)(
    '%s: while rows are added nobody sees one twice or misses one that was there from the start',
    async (id) => {
      const owner = await fleet.person();
      const caller = userCaller(owner.id);
      const plantId = await fleet.plant(owner.id);
      const present = lists[id] === 'plant' ? [plantId] : [];
      while (present.length < 7) present.push(await add(id, owner.id, plantId));
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 9 }),
          fc.array(fc.nat(2), { maxLength: 12 }),
          async (pageSize, additions) => {
            const atStart = [...present];
            const seen: string[] = [];
            for (let pageNo = 1; ; pageNo++) {
              const { records } = await page(id, caller, { pageNo, pageSize });
              seen.push(...records.map((record) => record.id));
              for (let i = additions.shift() ?? 0; i > 0; i--)
                present.push(await add(id, owner.id, plantId));
              if (records.length < pageSize) break;
            }
            expect(new Set(seen).size).toBe(seen.length);
            expect(seen.slice(0, atStart.length)).toEqual(atStart);
            expect(seen).toEqual(present.slice(0, seen.length));
          },
        ),
        { numRuns: 6 },
      );
    },
  );

  test('devices of one plant, by its id or its meter', async () => {
    const owner = await fleet.person();
    const caller = userCaller(owner.id);
    const [here, there] = [
      await fleet.plant(owner.id, { nmiCode: 'NMILISTS01' }),
      await fleet.plant(owner.id),
    ];
    for (const id of listIds.filter(
      (one) => lists[one] !== 'plant' && one !== 'inverter/shelfTime',
    )) {
      const [own, other] = [await add(id, owner.id, here), await add(id, owner.id, there)];
      const ids = async (body: object) =>
        (await page(id, caller, body)).records.map((record) => record.id);
      expect(await ids({ stationId: here })).toContain(own);
      expect(await ids({ stationId: here })).not.toContain(other);
      expect(await ids({ nmiCode: 'NMILISTS01' })).toEqual(await ids({ stationId: here }));
      expect(await ids({ stationId: there })).toContain(other);
      await expect(ids({ stationId: there, nmiCode: 'NMILISTS01' })).rejects.toMatchObject({
        code: 'noPermission',
      });
      await expect(ids({ stationId: '1300000000000000000' })).rejects.toMatchObject({
        code: 'noPermission',
      });
    }
  });

  test('a warranty ends at its last instant, and nothing is said where nobody entered it', async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id);
    const [known, unknown] = [await fleet.device(plantId), await fleet.device(plantId)];
    const facts = JSON.stringify({
      warrantyFromAt: clock.at - 1000,
      warrantyUntilAt: clock.at + 1000,
    });
    await fleet.write((trx) =>
      trx.updateTable('device').set({ facts }).where('id', '=', known.id).execute(),
    );
    const states = async () =>
      (await page('inverter/shelfTime', userCaller(owner.id), { sn: `${known.sn},${unknown.sn}` }))
        .records;
    expect(await states()).toEqual([
      {
        id: known.id,
        sn: known.sn,
        shelfState: '0',
        shelfBeginTime: clock.at - 1000,
        shelfEndTime: clock.at + 1000,
        deleteFlag: 0,
      },
      { id: unknown.id, sn: unknown.sn, shelfState: '--', deleteFlag: 0 },
    ]);
    clock.at += 1000;
    expect((await states())[0]).toMatchObject({ shelfState: '1' });
  });
});
