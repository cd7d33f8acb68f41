import { describe, expect, test } from 'vitest';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { storeInventory } from '../../packages/server/src/fleet/collectors/inventory.ts';
import { REFUSALS_KEPT } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { findDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const MINUTE = 60_000;

describeEngines('serial numbers that wait to be bound', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);
  const { ask, write, act } = fleet;

  const household = async () => {
    const { id: ownerId } = await fleet.person();
    const plantId = await fleet.plant(ownerId);
    const collectorSn = fleet.uniqueSn('COL');
    const { id: collectorId } = await write((trx) =>
      insertCollector(trx, act(), { sn: collectorSn }),
    );
    await write((trx) => bindDevice(trx, act(), collectorId, plantId));
    return { ownerId, owner: userCaller(ownerId), plantId, collectorId, collectorSn };
  };
  /** Has a collector report serial numbers; returns how many of them were refused. */
  const report = async (collectorId: string, ...serialNumbers: string[]): Promise<number> => {
    const { db } = database();
    const ingest = createIngest({ db, clock, series: createSqlSeries(db) });
    const readings = serialNumbers.map((sn) => ({ sn, at: clock.at, values: { acPowerW: 1 } }));
    return (await ingest({ collectorId }, readings)).refused.length;
  };

  test('are listed, latest first, with the collector that reports them, until they are bound', async () => {
    const here = await household();
    const [first, second] = [fleet.uniqueSn('NEW'), fleet.uniqueSn('NEW')];
    const from = clock.at;
    await report(here.collectorId, first);
    clock.at += MINUTE;
    await report(here.collectorId, first, second);
    clock.at += MINUTE;
    await report(here.collectorId, first);
    const about = { collectorSn: here.collectorSn, plantId: here.plantId };
    const listed = [
      { sn: first, ...about, firstAt: from, lastAt: clock.at, count: 3, kept: 3 },
      {
        sn: second,
        ...about,
        firstAt: clock.at - MINUTE,
        lastAt: clock.at - MINUTE,
        count: 1,
        kept: 1,
      },
    ];
    expect(await ask('discovery/list', here.owner)).toEqual(listed);
    expect(await ask('discovery/list', here.owner, { plantId: here.plantId, limit: 1 })).toEqual(
      listed.slice(0, 1),
    );
    expect(await ask('discovery/bind', here.owner, { sn: first })).toEqual({
      sn: first,
      plantId: here.plantId,
    });
    expect(await ask('discovery/list', here.owner)).toEqual(listed.slice(1));
    // From now on its readings count.
    expect(await report(here.collectorId, first)).toBe(0);
  });

  test('are bound as what they are, to the plant of their collector or another of its owner', async () => {
    const here = await household();
    const other = await fleet.plant(here.ownerId);
    const [meter, inverter] = [fleet.uniqueSn('NEW'), fleet.uniqueSn('NEW')];
    await report(here.collectorId, meter, inverter);
    await ask('discovery/bind', here.owner, { sn: meter, kind: 'ammeter', plantId: other });
    await ask('discovery/bind', here.owner, { sn: inverter });
    const found = await database()
      .db.selectFrom('device')
      .select(['sn', 'kind', 'plantId', 'collectorId'])
      .where('sn', 'in', [meter, inverter])
      .orderBy('sn')
      .execute();
    const { collectorId } = here;
    expect(found).toEqual([
      { sn: meter, kind: 'ammeter', plantId: other, collectorId },
      { sn: inverter, kind: 'inverter', plantId: here.plantId, collectorId },
    ]);
  });

  describe('that described themselves while they waited', () => {
    const tell = (collectorId: string, devices: readonly object[]) =>
      storeInventory(database().db, { collectorId }, devices, clock.at);
    const found = async (sn: string) => {
      const { kind, model, ratedPowerW, facts } = (await findDevice(database().db, sn))!;
      return { kind, model, ratedPowerW, ...(JSON.parse(facts) as object) };
    };

    test('say so in the list, and are bound as that', async () => {
      const here = await household();
      const [storage, meter, silent] = [
        fleet.uniqueSn('NEW'),
        fleet.uniqueSn('NEW'),
        fleet.uniqueSn('NEW'),
      ];
      const about = { model: 'HS-8K-ES', displayVersion: '4b00', ratedPowerW: 8000, strings: 2 };
      const { refused } = await tell(here.collectorId, [
        { sn: storage, kind: 'inverter', ...about },
        { sn: meter, kind: 'ammeter' },
      ]);
      expect(refused.length).toBe(2);
      clock.at += MINUTE;
      await report(here.collectorId, storage, meter, silent);
      const listed = await ask('discovery/list', here.owner);
      expect(new Map(listed.map(({ sn, kind, model }) => [sn, [kind, model]]))).toEqual(
        new Map([
          [storage, ['inverter', 'HS-8K-ES']],
          [meter, ['ammeter', undefined]],
          [silent, [undefined, undefined]],
        ]),
      );
      await ask('addDevice', here.owner, { id: here.plantId, sn: [storage, meter] });
      await ask('discovery/bind', here.owner, { sn: silent });
      expect(await found(storage)).toEqual({
        kind: 'inverter',
        model: 'HS-8K-ES',
        ratedPowerW: 8000,
        displayVersion: '4b00',
        dcInputs: 2,
      });
      expect(await found(meter)).toEqual({ kind: 'ammeter', model: null, ratedPowerW: null });
      expect(await found(silent)).toEqual({ kind: 'inverter', model: null, ratedPowerW: null });
    });

    test('are what the person who binds them says, and what they say themselves goes on', async () => {
      const here = await household();
      const sn = fleet.uniqueSn('NEW');
      await tell(here.collectorId, [{ sn, kind: 'weather', model: 'M0' }]);
      await tell(here.collectorId, [{ sn, kind: 'epm', model: 'M1' }]);
      await ask('discovery/bind', here.owner, { sn, kind: 'ammeter' });
      expect(await found(sn)).toEqual({ kind: 'ammeter', model: 'M1', ratedPowerW: null });
      expect(await tell(here.collectorId, [{ sn, kind: 'epm', model: 'M1' }])).toMatchObject({
        accepted: 0,
        duplicate: 1,
      });
      expect(await tell(here.collectorId, [{ sn, model: 'M2' }])).toMatchObject({ accepted: 1 });
      expect(await found(sn)).toEqual({ kind: 'ammeter', model: 'M2', ratedPowerW: null });
    });

    test('can be corrected by the person who binds them again, with what they measured, unless it is somebody else’s too', async () => {
      const here = await household();
      const sn = fleet.uniqueSn('NEW');
      const meter = { acPowerW: -300, energyImportTotalKwh: 10 };
      const measured = async (minutes: number) => {
        clock.at += minutes * MINUTE;
        const ingest = createIngest({
          db: database().db,
          clock,
          series: createSqlSeries(database().db),
        });
        return ingest({ collectorId: here.collectorId }, [{ sn, at: clock.at, values: meter }]);
      };
      await report(here.collectorId, sn);
      await ask('discovery/bind', here.owner, { sn });
      await measured(1);
      const listed = async () =>
        Promise.all(
          (['inverterList', 'ammeterList'] as const).map(async (id) =>
            (await fleet.wire(id, here.owner)).page.records.map((one: { sn: string }) => one.sn),
          ),
        );
      expect(await listed()).toEqual([[sn], []]);
      await ask('unbindDevice', here.owner, { sn: [sn] });
      await measured(1);
      expect(await ask('discovery/list', here.owner)).toMatchObject([{ sn, kind: 'inverter' }]);
      await ask('discovery/bind', here.owner, { sn, kind: 'ammeter' });
      await fleet.runWork();
      await measured(1);
      expect(await found(sn)).toMatchObject({ kind: 'ammeter' });
      expect(await countMiscounts(database().db)).toBe(0);
      expect(await listed()).toEqual([[], [sn]]);

      const there = await household();
      await ask('unbindDevice', here.owner, { sn: [sn] });
      await report(there.collectorId, sn);
      clock.at += 31 * 86_400_000;
      await report(there.collectorId, sn);
      await expect(
        ask('discovery/bind', there.owner, { sn, kind: 'inverter' }),
      ).rejects.toMatchObject({ code: 'invalidValue', data: { expected: 'ammeter' } });
      expect(await found(sn)).toMatchObject({ kind: 'ammeter' });
      await ask('discovery/bind', there.owner, { sn });
      await expect(
        ask('discovery/bind', there.owner, { sn: there.collectorSn, kind: 'inverter' }),
      ).rejects.toMatchObject({ code: 'noPermission' });
    });

    test('are judged anew as what they were corrected to be', async () => {
      const here = await household();
      const sn = fleet.uniqueSn('NEW');
      await tell(here.collectorId, [{ sn, ratedPowerW: 1000 }]);
      await ask('discovery/bind', here.owner, { sn });
      const at = clock.at;
      clock.at += 120 * MINUTE;
      // 1 kW cannot yield 5 kWh in an hour, but a meter may count it.
      await fleet.report(
        sn,
        [100, 105].map((energyTotalKwh, i) => [at + i * 60 * MINUTE, { energyTotalKwh }] as const),
      );
      const { db } = database();
      const { no } = await db
        .selectFrom('binding')
        .innerJoin('device', 'device.id', 'binding.deviceId')
        .select('binding.no')
        .where('sn', '=', sn)
        .executeTakeFirstOrThrow();
      const produced = async () =>
        (
          await createTelemetry(settledReads(db, createSqlSeries(db))).daysOf(
            db,
            [no],
            0,
            99_999_999,
          )
        )[0]!.energies.production?.energyKwh;
      expect(await produced()).toBeUndefined();
      await ask('unbindDevice', here.owner, { sn: [sn] });
      clock.at += 3 * 24 * 60 * MINUTE;
      await fleet.runWork();
      await report(here.collectorId, sn);
      await ask('discovery/bind', here.owner, { sn, kind: 'ammeter' });
      await fleet.runWork();
      expect(await produced()).toBe(5);
    });

    test('are never made of a collector', async () => {
      const here = await household();
      const sn = fleet.uniqueSn('COL');
      await write((trx) => insertCollector(trx, act(), { sn }));
      await report(here.collectorId, sn);
      expect(await ask('discovery/list', here.owner)).toMatchObject([{ sn, kind: 'collector' }]);
      await expect(
        ask('discovery/bind', here.owner, { sn, kind: 'inverter' }),
      ).rejects.toMatchObject({ code: 'invalidValue' });
      expect(await found(sn)).toMatchObject({ kind: 'collector' });
    });

    test('are not what somebody else’s collector says', async () => {
      const [here, there] = [await household(), await household()];
      const sn = fleet.uniqueSn('NEW');
      await tell(here.collectorId, [{ sn, kind: 'inverter', model: 'Mine' }]);
      clock.at += MINUTE;
      await tell(there.collectorId, [{ sn, kind: 'weather', model: 'Theirs' }]);
      await ask('discovery/bind', here.owner, { sn });
      expect(await found(sn)).toMatchObject({ kind: 'inverter', model: 'Mine' });
    });

    test('are remembered although many come at once', async () => {
      const here = await household();
      const devices = Array.from({ length: 60 }, () => ({
        sn: fleet.uniqueSn('NEW'),
        kind: 'ammeter',
      }));
      await tell(here.collectorId, devices);
      expect(
        (await ask('discovery/list', here.owner)).filter(({ kind }) => kind === 'ammeter').length,
      ).toBe(60);
    });

    test('are refused if what they say cannot be', async () => {
      const here = await household();
      const { refused } = await tell(here.collectorId, [{ sn: 'NEW-X', kind: 'collector' }]);
      expect(refused).toEqual([
        { index: 0, reason: 'kind must be one of inverter, epm, weather, ammeter' },
      ]);
      expect(await ask('discovery/list', here.owner)).toEqual([]);
    });
  });

  test('are nobody else’s: neither listed nor bound by a guest, a stranger, or a key for other plants', async () => {
    const [here, there] = [await household(), await household()];
    const sn = fleet.uniqueSn('NEW');
    await report(here.collectorId, sn);
    const guest = await fleet.person();
    await write((trx) => sharePlant(trx, act(), here.plantId, guest.email, 'control'));
    for (const caller of [
      userCaller(guest.id),
      there.owner,
      userCaller(here.ownerId, { plantIds: [there.plantId] }),
    ]) {
      expect(await ask('discovery/list', caller)).toEqual([]);
      await expect(ask('discovery/list', caller, { plantId: here.plantId })).rejects.toMatchObject({
        code: 'noPermission',
      });
      await expect(ask('discovery/bind', caller, { sn })).rejects.toMatchObject({
        code: 'noPermission',
      });
    }
    await expect(
      ask('discovery/list', userCaller(here.ownerId, { canControl: false })),
    ).rejects.toMatchObject({ code: 'noPermission' });
    await expect(
      ask('discovery/bind', here.owner, { sn, plantId: there.plantId }),
    ).rejects.toMatchObject({ code: 'noPermission' });
    await expect(ask('discovery/bind', here.owner, { sn: 'UNKNOWN-1' })).rejects.toMatchObject({
      code: 'noPermission',
    });
    expect((await ask('discovery/list', here.owner)).map((one) => one.sn)).toEqual([sn]);
  });

  test('that two report belong to the one who heard them first, and are gone from both lists once they are bound', async () => {
    const [here, there] = [await household(), await household()];
    const sn = fleet.uniqueSn('NEW');
    await report(here.collectorId, sn);
    clock.at += MINUTE;
    await report(there.collectorId, sn);
    expect((await ask('discovery/list', there.owner)).map((one) => one.sn)).toEqual([sn]);
    const before = await database().db.selectFrom('device').selectAll().orderBy('id').execute();
    await expect(ask('discovery/bind', there.owner, { sn })).rejects.toMatchObject({
      code: 'deviceAlreadyBound',
    });
    expect(await database().db.selectFrom('device').selectAll().orderBy('id').execute()).toEqual(
      before,
    );
    await ask('discovery/bind', here.owner, { sn });
    for (const { owner } of [here, there]) expect(await ask('discovery/list', owner)).toEqual([]);
  });

  test('are bounded: a collector that invents more pushes its own out, and nobody else’s', async () => {
    const [here, there] = [await household(), await household()];
    const lasting = fleet.uniqueSn('NEW');
    await report(there.collectorId, lasting);
    for (let i = 0; i < 8; i++) {
      clock.at += MINUTE;
      await report(here.collectorId, ...Array.from({ length: 20 }, (_, n) => `INVENTED-${i}-${n}`));
    }
    const listed = await ask('discovery/list', here.owner, { limit: 1000 });
    expect(listed.length).toBe(REFUSALS_KEPT);
    expect(listed[0]!.sn).toMatch(/^INVENTED-7-/);
    expect((await ask('discovery/list', there.owner)).map((one) => one.sn)).toEqual([lasting]);
  });
});
