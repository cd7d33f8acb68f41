import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharePlant } from '../../../packages/server/src/fleet/plants/shares.ts';
import { describeEngines } from '../../support/engines.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { createFleet } from '../fleet.ts';

describeEngines('pages', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);

  test('of any size hold every plant and inverter once, in the order of the ids, with the totals of all', async () => {
    const [owner, other] = [await fleet.person(), await fleet.person()];
    const [plants, devices]: [string[], string[]] = [[], []];
    for (let i = 0; i < 9; i++) {
      const shared = i % 3 === 0;
      const plantId = await fleet.plant(shared ? other.id : owner.id);
      if (shared)
        await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, owner.email, 'read'));
      plants.push(plantId);
      const { id, sn } = await fleet.device(plantId);
      devices.push(id);
      if (i < 4) await fleet.report(sn, [['2026-06-01T11:50:00Z', { acPowerW: 100 }]]);
      await fleet.device(plantId, { kind: 'epm' });
    }
    const caller = userCaller(owner.id);
    const walks = { userStationList: plants, inverterList: devices } as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('userStationList' as const, 'inverterList' as const),
        fc.integer({ min: 1, max: 12 }),
        async (id, pageSize) => {
          const seen: string[] = [];
          const pages = Math.ceil(9 / pageSize);
          for (let pageNo = 1; pageNo <= pages + 1; pageNo++) {
            const { page, counts } = await fleet.ask(id, caller, {
              pageNo,
              pageSize: String(pageSize),
            });
            expect({ ...page, records: page.records.length }).toEqual({
              pageNo,
              pageSize,
              total: 9,
              records: Math.max(0, Math.min(pageSize, 9 - (pageNo - 1) * pageSize)),
            });
            expect(counts).toEqual({ all: 9, online: 4, offline: 5, alarm: 0 });
            seen.push(...page.records.map((record) => record.id));
          }
          expect(seen).toEqual(walks[id]);
        },
      ),
      { numRuns: 20 },
    );
    // minId is a cursor beside the page number.
    expect(
      (await fleet.ask('inverterList', caller, { minId: devices[6] })).page.records.map(
        ({ id }) => id,
      ),
    ).toEqual(devices.slice(6));
    expect(
      (await fleet.ask('userStationList', caller, { minId: String(BigInt(plants[3]!) + 1n) })).page
        .records,
    ).toHaveLength(5);
    expect((await fleet.ask('userStationList', caller, { minId: '5' })).page).toMatchObject({
      total: 9,
    });
  });

  test('hold what the filters leave', async () => {
    const owner = await fleet.person();
    const caller = userCaller(owner.id);
    const [a, b] = [await fleet.plant(owner.id, { nmiCode: 'NMI7' }), await fleet.plant(owner.id)];
    const [inA, inB] = [await fleet.device(a), await fleet.device(b)];
    const ids = async (id: 'userStationList' | 'inverterList', body: object) => {
      const { page, counts } = await fleet.ask(id, caller, { ...body });
      expect(counts.all).toBe(page.records.length);
      return page.records.map((record) => record.id);
    };
    expect(await ids('userStationList', {})).toEqual([a, b]);
    expect(await ids('userStationList', { nmiCode: 'NMI7' })).toEqual([a]);
    expect(await ids('userStationList', { nmiCode: 'nothing' })).toEqual([]);
    expect(await ids('userStationList', { idList: `${b},1300000000000000001` })).toEqual([b]);
    expect(await ids('inverterList', { stationId: a })).toEqual([inA.id]);
    expect(await ids('inverterList', { nmiCode: 'NMI7' })).toEqual([inA.id]);
    expect(await ids('inverterList', { snList: [inB.sn, 'nobody'] })).toEqual([inB.id]);
    expect(await ids('inverterList', { stationId: a, snList: inB.sn })).toEqual([]);
  });
});
