import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  alarmStateNumbers,
  changeAlarms,
} from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { listAlarms, type AlarmFilter } from '../../packages/server/src/outbound/alarms/list.ts';
import { sweepPageEnds } from '../../packages/server/src/identity/accounts/page-ends.ts';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { getPlant, reachOf } from '../../packages/server/src/fleet/plants/access.ts';
import { listPlants } from '../../packages/server/src/fleet/plants/fleet/plant-list.ts';
import { archivePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { recount } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { applicationCaller, createWorld, settableClock, userCaller } from '../support/world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

describeEngines('the list of alarms', (database) => {
  const clock = settableClock('2026-06-15T09:00:00Z');
  const world = createWorld(database, clock);
  const { act, write } = world;
  const db = () => database().db;
  let codes = 0;
  const raise = async (deviceId: string, code = `C${++codes}`, beginAt = clock.at) => {
    clock.at += 1000;
    const change = { raise: { code, level: 2 as const, message: `message of ${code}`, beginAt } };
    await write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: world.newId }, deviceId, [change]),
    );
    return code;
  };
  const end = (deviceId: string, code: string) =>
    write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: world.newId }, deviceId, [
        { clear: { code, endAt: clock.at } },
      ]),
    );
  const list = (caller: Caller, filter: AlarmFilter = {}, pageNo = 1, pageSize = 20) =>
    listAlarms(db(), caller, filter, { pageNo, pageSize }, clock.at);
  const codesOf = async (caller: Caller, filter: AlarmFilter = {}) =>
    (await list(caller, filter)).records.map(({ code }) => code);
  const setUp = async () => {
    clock.at += HOUR_MS;
    const owner = await world.person();
    const plantId = await world.plant(owner.id, { nmiCode: `NMI${++codes}` });
    const device = await world.device(plantId, { model: 'M1' });
    return { owner, plantId, device, caller: userCaller(owner.id) };
  };

  test('shows an application nothing of ammeters, neither their alarms nor in any number', async () => {
    const { owner, plantId, device, caller } = await setUp();
    const ammeter = await world.device(plantId, { kind: 'ammeter' });
    const own = await raise(device.id);
    const meters = [await raise(ammeter.id), await raise(ammeter.id)];
    await end(ammeter.id, meters[1]!);
    const application = applicationCaller(owner.id);
    const narrowed = applicationCaller(owner.id, { plantIds: [plantId] });
    const pendingOf = async (one: Caller) =>
      (await getPlant(db(), one, plantId, 'read')).pendingAlarms;
    const listed = async (one: Caller) =>
      (await listPlants(db(), { reach: reachOf(one, 'read') }, { pageNo: 1, pageSize: 9 })).map(
        (plant) => plant.pendingAlarms,
      );
    expect([
      (await codesOf(caller)).length,
      (await list(caller)).total,
      await pendingOf(caller),
      await listed(caller),
    ]).toEqual([3, 3, 2, [2]]);
    for (const one of [application, narrowed]) {
      expect([await codesOf(one), await pendingOf(one), await listed(one)]).toEqual([
        [own],
        1,
        [1],
      ]);
      // Counted in each of the ways there are: kept numbers, one state, a condition.
      for (const filter of [
        {},
        { state: alarmStateNumbers.pending },
        { plantId },
        { fromDay: 20260101 },
      ] as AlarmFilter[]) {
        expect([filter, (await list(one, filter)).total]).toEqual([filter, 1]);
        expect((await list(one, filter)).records).toHaveLength(1);
      }
      expect((await list(one, { state: alarmStateNumbers.restored })).total).toBe(0);
      expect((await list(one, { deviceSn: ammeter.sn })).records).toEqual([]);
    }
  });

  test('shows the newest first, each with plant, device, level, state, advice and duration', async () => {
    const { plantId, device, caller } = await setUp();
    const begin = clock.at;
    await raise(device.id, 'H106', begin);
    await raise(device.id, 'OWN', begin);
    clock.at = begin + 10 * MINUTE_MS;
    await end(device.id, 'OWN');
    clock.at = begin + 15 * MINUTE_MS;
    const { records, total } = await list(caller);
    expect(total).toBe(2);
    expect(records[0]).toMatchObject({
      code: 'OWN',
      state: 'restored',
      durationMs: 10 * MINUTE_MS,
      endAt: begin + 10 * MINUTE_MS,
      advice: undefined,
    });
    expect(records[1]).toMatchObject({
      plant: { id: plantId },
      device: { kind: 'inverter', sn: device.sn, model: 'M1' },
      level: 'general',
      code: 'H106',
      state: 'pending',
      beginAt: begin,
      endAt: null,
      durationMs: 15 * MINUTE_MS,
    });
    expect(records[1]!.advice).toContain('fan');
    expect(records[0]!.id > records[1]!.id).toBe(true);
  });

  test('is narrowed by plant, meter, device, state and local day', async () => {
    const { owner, plantId, device, caller } = await setUp();
    const other = await world.plant(owner.id, { timeZone: 'Pacific/Kiritimati' });
    const second = await world.device(other);
    clock.at = Math.max(clock.at, Date.parse('2026-07-01T11:00:00Z')) + codes * 86_400_000 * 10;
    const at = Math.floor(clock.at / 86_400_000) * 86_400_000 + 11 * HOUR_MS;
    const day = Number(new Date(at).toISOString().slice(0, 10).replaceAll('-', ''));
    const next = Number(new Date(at + 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''));
    const here = await raise(device.id, undefined, at);
    const there = await raise(second.id, undefined, at);
    await end(device.id, here);
    const { nmiCode } = await db()
      .selectFrom('plant')
      .select('nmiCode')
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow();
    expect(await codesOf(caller)).toEqual([there, here]);
    expect(await codesOf(caller, { plantId })).toEqual([here]);
    expect(await codesOf(caller, { nmiCode: nmiCode! })).toEqual([here]);
    expect(await codesOf(caller, { deviceSn: second.sn })).toEqual([there]);
    expect(await codesOf(caller, { state: alarmStateNumbers.restored })).toEqual([here]);
    expect(await codesOf(caller, { state: alarmStateNumbers.pending })).toEqual([there]);
    expect(await codesOf(caller, { state: alarmStateNumbers.processed })).toEqual([]);
    // Eleven in the morning of a day by UTC is one in the night of the next on Kiritimati.
    expect(await codesOf(caller, { fromDay: day, toDay: day })).toEqual([here]);
    expect(await codesOf(caller, { fromDay: next, toDay: next })).toEqual([there]);
    expect((await list(caller, { fromDay: day })).total).toBe(2);
    // What lasts is under way; what has ended was until its day.
    expect(await codesOf(caller, { underWayFrom: day })).toEqual([there, here]);
    expect(await codesOf(caller, { underWayFrom: next })).toEqual([there]);
    expect(await codesOf(caller, { underWayFrom: day, toDay: day })).toEqual([here]);
    clock.at += 5 * 86_400_000;
    await end(second.id, there);
    const later = Number(
      new Date(at + 6 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''),
    );
    expect(await codesOf(caller, { underWayFrom: later })).toEqual([there]);
    expect(await codesOf(caller, { underWayFrom: later + 1 })).toEqual([]);
  });

  test('holds what the caller may see and nothing else, from the next request on', async () => {
    const { plantId, device, owner } = await setUp();
    const code = await raise(device.id);
    const guest = await world.person();
    expect(await codesOf(userCaller(guest.id))).toEqual([]);
    expect(await codesOf(userCaller(guest.id), { plantId })).toEqual([]);
    expect(await codesOf(userCaller(guest.id), { deviceSn: device.sn })).toEqual([]);
    await write((trx) => sharePlant(trx, act(), plantId, guest.email, 'read'));
    expect(await codesOf(userCaller(guest.id))).toEqual([code]);
    expect((await list(userCaller(guest.id))).total).toBe(1);
    expect(await codesOf(applicationCaller(guest.id))).toEqual([]);
    expect(await codesOf(applicationCaller(owner.id))).toEqual([code]);
    expect(await codesOf(userCaller(owner.id, { plantIds: [] }))).toEqual([]);
    expect(await codesOf(userCaller(owner.id, { plantIds: [plantId] }))).toEqual([code]);
    await expect(
      list(applicationCaller(owner.id, { scopes: ['control_device'] })),
    ).rejects.toMatchObject({ code: 'noPermission' });
    await write((trx) => unsharePlant(trx, act(), plantId, guest.email));
    expect(await codesOf(userCaller(guest.id))).toEqual([]);
    await write((trx) => archivePlant(trx, act(), plantId));
    expect(await list(userCaller(owner.id))).toMatchObject({ total: 0, records: [] });
  });

  test(
    'read page by page shows nothing twice and misses nothing that was there, while alarms are added and end',
    { timeout: 120_000 },
    async () => {
      const arrival = fc.record({ raised: fc.nat(4), ended: fc.nat(3) });
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 7 }),
          fc.nat(15),
          fc.array(arrival, { minLength: 1, maxLength: 6 }),
          fc.boolean(),
          async (pageSize, first, arrivals, pending) => {
            const { device, caller } = await setUp();
            for (let i = 0; i < first; i++) await raise(device.id);
            const filter = pending ? { state: alarmStateNumbers.pending } : {};
            const there = await codesOf(caller, filter);
            const seen: string[] = [];
            let pages = 1;
            for (let pageNo = 1; pageNo <= pages; pageNo++) {
              const { records, total } = await list(caller, filter, pageNo, pageSize);
              seen.push(...records.map(({ code }) => code));
              pages = Math.ceil(total / pageSize);
              const { raised, ended } = arrivals[pageNo % arrivals.length]!;
              for (let i = 0; i < raised; i++) await raise(device.id);
              // The newest of those that were seen: they leave the list of pending ones in front of the reader.
              for (const code of seen.slice(0, ended)) await end(device.id, code);
            }
            expect(new Set(seen).size).toBe(seen.length);
            expect(there.filter((code) => !seen.includes(code))).toEqual([]);
          },
        ),
        { numRuns: effort(12, 200) },
      );
    },
  );

  test('begins anew on the first page, and on a later one when the page before was read too long ago', async () => {
    const { device, caller } = await setUp();
    const raised: string[] = [];
    for (let i = 0; i < 5; i++) raised.unshift(await raise(device.id));
    const codesOn = async (pageNo: number) =>
      (await list(caller, {}, pageNo, 2)).records.map(({ code }) => code);
    expect(await codesOn(1)).toEqual(raised.slice(0, 2));
    raised.unshift(await raise(device.id));
    expect(await codesOn(2)).toEqual(raised.slice(3, 5));
    expect(await codesOn(1)).toEqual(raised.slice(0, 2));
    clock.at += HOUR_MS;
    raised.unshift(await raise(device.id));
    expect(await codesOn(2)).toEqual(raised.slice(2, 4));
    expect(await codesOn(9)).toEqual([]);
    expect(await sweepPageEnds(db(), clock.at, 1)).toBe(1);
    while ((await sweepPageEnds(db(), clock.at + HOUR_MS, 100)) > 0);
    expect(await db().selectFrom('pageEnd').selectAll().execute()).toEqual([]);
  });

  test('of very many that a filter leaves has at least as many as were counted, and all of them once the end is near', async () => {
    const { plantId, device, caller } = await setUp();
    const made = 10_150;
    await write(async (trx) => {
      for (let from = 0; from < made; from += 350) {
        const rows = Array.from({ length: 350 }, (_, i) => ({
          id: world.newId(),
          deviceId: device.id,
          plantId,
          sn: device.sn,
          kind: 'inverter' as const,
          code: 'MANY',
          level: 1,
          message: 'x',
          beginAt: clock.at + from + i,
          beginDay: 20_260_614,
          endAt: clock.at + from + i,
          state: alarmStateNumbers.restored,
          processedAt: null,
          processedBy: null,
        }));
        await trx.insertInto('alarm').values(rows).execute();
      }
    });
    const filter = { fromDay: 20_260_614, toDay: 20_260_614 };
    const seen = new Set<string>();
    const totals: number[] = [];
    for (let pageNo = 1; pageNo <= 3; pageNo++) {
      const { records, total } = await list(caller, filter, pageNo, 100);
      totals.push(total);
      for (const { id } of records) seen.add(id);
    }
    // 10,000 are counted beyond the page that is asked for.
    expect([totals, seen.size]).toEqual([[10_000, 10_100, made], 300]);
    const last = await list(caller, filter, 102, 100);
    expect([last.total, last.records.length]).toEqual([made, 50]);
    expect(await list(caller, filter, 103, 100)).toMatchObject({ total: made, records: [] });
    // Without a filter they are known.
    await recount(db());
    expect((await list(caller, {}, 1, 100)).total).toBe(made);
  });

  test('of a caller with a great many plants is the same as of one with few', async () => {
    const { owner, device, caller } = await setUp();
    const codesBefore = [await raise(device.id)];
    const now = clock.at;
    const ids = Array.from({ length: 1100 }, () => world.newId());
    const bare = {
      name: 'One of many',
      type: 0,
      capacityKwp: 1,
      currency: 'EUR',
      timeZone: 'UTC',
      facts: '{}',
      createdAt: now,
      updatedAt: now,
      ownerId: owner.id,
    };
    await write(async (trx) => {
      for (const id of ids) {
        await trx
          .insertInto('plant')
          .values({ ...bare, id })
          .execute();
        await trx
          .insertInto('plantAccess')
          .values({ plantId: id, accountId: owner.id, level: 'owner', createdAt: now })
          .execute();
      }
      await trx
        .insertInto('visibleCount')
        .values({
          accountId: owner.id,
          owned: 1,
          kind: 'plant',
          state: 4,
          amount: ids.length,
          folded: 1,
        })
        .execute();
    });
    const foreign = await setUp();
    await raise(foreign.device.id);
    codesBefore.unshift(await raise(device.id));
    expect(await codesOf(caller)).toEqual(codesBefore);
    expect(await codesOf(caller, { deviceSn: device.sn })).toEqual(codesBefore);
    expect((await list(caller, { deviceSn: device.sn })).total).toBe(2);
    expect(await codesOf(caller, { deviceSn: foreign.device.sn })).toEqual([]);
    // Pages that nobody came to from the page before, wherever they are.
    const own: string[] = [];
    await write(async (trx) => {
      for (let from = 0; from < 4000; from += 400) {
        const rows = Array.from({ length: 400 }, (_, i) => {
          const [{ id: deviceId, sn }, plantId] =
            i % 3 === 0 ? [foreign.device, foreign.plantId] : [device, ids[i]!];
          const id = world.newId();
          if (i % 3 > 0) own.unshift(id);
          const times = {
            beginAt: now,
            beginDay: 20_260_615,
            endAt: now,
            processedAt: null,
            processedBy: null,
          };
          return {
            ...times,
            id,
            deviceId,
            plantId,
            sn,
            kind: 'inverter' as const,
            code: `M${from + i}`,
            level: 1,
            message: 'x',
            state: alarmStateNumbers.restored,
          };
        });
        await trx.insertInto('alarm').values(rows).execute();
      }
    });
    await recount(db());
    const all = [
      ...own,
      ...(await list(caller, {}, Math.ceil((own.length + 2) / 20), 20)).records
        .slice(-2)
        .map(({ id }) => id),
    ];
    expect(new Set(all).size).toBe(own.length + 2);
    for (const pageNo of [4, 12, 17, 26]) {
      const { records, total } = await list(caller, {}, pageNo, 100);
      expect([pageNo, total, records.map(({ id }) => id)]).toEqual([
        pageNo,
        all.length,
        all.slice((pageNo - 1) * 100, pageNo * 100),
      ]);
    }
  });
});
