import { expect, test } from 'vitest';
import { assignCollector, insertDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { describeManagement, minimal, type Person } from './fixture.ts';

describeManagement(
  'devices over the signed interface',
  ({ clock, fleet, database, person, call, collector, whereabouts, trail }) => {
    const newPlant = async (owner: Person, more: Record<string, unknown> = {}): Promise<string> => {
      const { code, data } = await call(owner, 'addStation', { ...minimal, ...more });
      expect(code).toBe('0');
      return data.id;
    };
    const inverterBehind = async (
      collectorId: string,
      plantId: string | null = null,
    ): Promise<{ id: string; sn: string }> => {
      const device = await fleet.device(plantId);
      await fleet.write((trx) => assignCollector(trx, device.id, collectorId));
      return device;
    };
    /** Reports a reading as a collector does. */
    const report = (collectorId: string, sn: string, values: Record<string, number>) => {
      const { db } = database();
      return createIngest({ db, clock, series: createSqlSeries(db) })({ collectorId }, [
        { sn, at: clock.at, values },
      ]);
    };
    const counts = async (who: Person): Promise<number[]> => [
      (await call(who, 'userStationList')).data.stationStatusVo.all,
      (await call(who, 'inverterList')).data.inverterStatusVo.all,
      (await call(who, 'collectorList')).data.collectionStatusVo.all,
    ];

    test('a new plant takes the collectors that are named, with the free devices that report through them', async () => {
      const owner = await person();
      const [one, two] = [await collector(), await collector()];
      const behind = await inverterBehind(one.id);
      const elsewhere = await inverterBehind(one.id, await newPlant(owner));
      const plantId = await newPlant(owner, { collectorSn: `${one.sn}, ${two.sn}` });
      for (const { sn } of [one, two, behind])
        expect(await whereabouts(sn)).toMatchObject({
          plantId,
          bindings: [{ plantId, fromAt: 0, toAt: null }],
        });
      expect((await whereabouts(elsewhere.sn)).plantId).not.toBe(plantId);
      expect((await whereabouts(elsewhere.sn)).collectorId).toBe(one.id);
      expect(await counts(owner)).toEqual([2, 2, 2]);
      const third = await collector();
      const { data } = await call(owner, 'addStationBindCollector', {
        stationName: 'Barn',
        capacity: 5,
        sn: [third.sn],
      });
      expect((await whereabouts(third.sn)).plantId).toBe(data);
    });

    test('a new plant takes the inverters that are named', async () => {
      const owner = await person();
      const [one, two] = [await fleet.device(null), await fleet.device(null)];
      const plantId = await newPlant(owner, { inverterSn: [one.sn, two.sn] });
      const { data } = await call(owner, 'inverterList', { stationId: plantId });
      expect(data.page.records.map(({ sn }: { sn: string }) => sn)).toEqual([one.sn, two.sn]);
    });

    test('addDevice takes the rated power, in kW, of all devices that it names, and counters are judged by it', async () => {
      const owner = await person();
      const plantId = await newPlant(owner);
      const [one, two] = [
        await fleet.device(null),
        await fleet.device(null, { ratedPowerW: 3000 }),
      ];
      expect(
        (
          await call(owner, 'addDevice', {
            id: plantId,
            sn: `${one.sn},${two.sn}`,
            ratedPower: 8.2,
          })
        ).code,
      ).toBe('0');
      for (const { sn } of [one, two])
        expect((await call(owner, 'inverterDetail', { sn })).data.power).toBe(8.2);
      // 8.2 kW cannot yield 30 kWh in an hour; the plant could not in two either.
      const hour = 3_600_000;
      await fleet.report(
        one.sn,
        [100, 130, 135].map(
          (energyTotalKwh, i) => [clock.at - (3 - i) * hour, { energyTotalKwh }] as const,
        ),
      );
      expect((await call(owner, 'inverterDetail', { sn: one.sn })).data.eToday).toBe(5);
      for (const ratedPower of [0, -1, 'strong', 1e7])
        expect(
          (await call(owner, 'addDevice', { id: plantId, sn: 'X', ratedPower })).code,
        ).not.toBe('0');
    });

    test('addDevice binds devices of any kind; what a plant’s only collector stands by is reported through it', async () => {
      const owner = await person();
      const gateway = await collector();
      const plantId = await newPlant(owner, { collectorSn: gateway.sn, nmiCode: 'NMI1' });
      const [inverter, epm] = [await fleet.device(null), await fleet.device(null, { kind: 'epm' })];
      expect(
        await call(owner, 'addDevice', { id: plantId, sn: `${inverter.sn},${epm.sn}` }),
      ).toEqual({ success: true, code: '0', msg: 'success', data: null });
      for (const { sn } of [inverter, epm])
        expect(await whereabouts(sn)).toMatchObject({ plantId, collectorId: gateway.id });
      const byMeter = await fleet.device(null);
      expect((await call(owner, 'addDevice', { nmiCode: 'NMI1', sn: byMeter.sn })).code).toBe('0');
      expect((await whereabouts(byMeter.sn)).plantId).toBe(plantId);
      expect(await counts(owner)).toEqual([1, 2, 1]);
    });

    test('an inverter that nobody added may be bound when a collector of the same owner has reported it, and its readings come in', async () => {
      const [owner, stranger] = [await person(), await person()];
      const gateway = await collector();
      const plantId = await newPlant(owner, { collectorSn: gateway.sn });
      const sn = fleet.uniqueSn('NEW');
      expect((await call(owner, 'addDevice', { id: plantId, sn })).code).toBe('R0000');
      expect((await report(gateway.id, sn, { acPowerW: 1 })).refused).toHaveLength(1);
      const theirs = await newPlant(stranger);
      expect((await call(stranger, 'addDevice', { id: theirs, sn })).code).toBe('R0000');
      expect((await call(owner, 'addDevice', { id: plantId, sn })).code).toBe('0');
      expect(await report(gateway.id, sn, { acPowerW: 777 })).toMatchObject({
        accepted: 1,
        refused: [],
      });
      expect((await call(owner, 'inverterDetail', { sn })).data).toMatchObject({
        sn,
        collectorId: gateway.id,
        pac: 0.777,
      });
    });

    test('of several collectors the one that reported an inverter reports it from now on', async () => {
      const owner = await person();
      const [one, two] = [await collector(), await collector()];
      const plantId = await newPlant(owner, { collectorSn: [one.sn, two.sn] });
      const [silent, heard] = [await fleet.device(null), await fleet.device(null)];
      await report(two.id, heard.sn, { acPowerW: 1 });
      await call(owner, 'addDevice', { id: plantId, sn: [silent.sn, heard.sn] });
      expect([
        (await whereabouts(silent.sn)).collectorId,
        (await whereabouts(heard.sn)).collectorId,
      ]).toEqual([null, two.id]);
    });

    test('all or nothing: one device that is bound or unknown, and the call did nothing', async () => {
      const [owner, other] = [await person(), await person()];
      const [free, taken] = [await fleet.device(null), await fleet.device(await newPlant(other))];
      const [freeCollector, takenCollector] = [await collector(), await collector()];
      await newPlant(other, { collectorSn: takenCollector.sn });
      const plantId = await newPlant(owner);
      const trailBefore = await trail(owner.id);
      for (const [id, body, code] of [
        ['addDevice', { id: plantId, sn: [free.sn, taken.sn] }, 'B0001'],
        ['addDevice', { id: plantId, sn: [free.sn, 'UNKNOWN-1'] }, 'R0000'],
        ['addStation', { ...minimal, inverterSn: [free.sn, taken.sn] }, 'B0001'],
        ['addStation', { ...minimal, inverterSn: [free.sn, 'UNKNOWN-1'] }, 'R0000'],
        ['addStation', { ...minimal, collectorSn: [freeCollector.sn, takenCollector.sn] }, 'B0001'],
        ['addStation', { ...minimal, collectorSn: [freeCollector.sn, 'UNKNOWN-1'] }, 'B0049'],
        ['addStation', { ...minimal, collectorSn: [freeCollector.sn, free.sn] }, 'B0049'],
        [
          'addStationBindCollector',
          { ...minimal, sn: [freeCollector.sn, takenCollector.sn] },
          'B0001',
        ],
        ['addStationBindCollector', { ...minimal, sn: 'UNKNOWN-1' }, 'B0049'],
      ] as const) {
        expect([id, body, (await call(owner, id, body)).code]).toEqual([id, body, code]);
      }
      for (const { sn } of [free, freeCollector])
        expect(await whereabouts(sn)).toMatchObject({ plantId: null, bindings: [] });
      expect((await call(owner, 'userStationList')).data.page.total).toBe(1);
      expect(await trail(owner.id)).toEqual(trailBefore);
    });

    test('a device that is bound already is named, also in one’s own plant', async () => {
      const owner = await person();
      const { sn } = await fleet.device(null);
      const plantId = await newPlant(owner, { inverterSn: sn });
      expect(await call(owner, 'addDevice', { id: plantId, sn })).toEqual({
        success: false,
        code: 'B0001',
        msg: 'the device is already bound',
        data: { sn: [sn] },
      });
      expect((await whereabouts(sn)).bindings).toHaveLength(1);
    });

    test('delCollector keeps the inverters unless it is asked to unbind them too', async () => {
      const owner = await person();
      const gateway = await collector();
      const inverters = [await inverterBehind(gateway.id), await inverterBehind(gateway.id)];
      const plantId = await newPlant(owner, { collectorSn: gateway.sn });
      const elsewhere = await newPlant(owner);
      const other = await inverterBehind(gateway.id, elsewhere);
      expect(await call(owner, 'delCollector', { sn: gateway.sn })).toMatchObject({
        code: '0',
        data: null,
      });
      expect((await whereabouts(gateway.sn)).plantId).toBeNull();
      for (const { sn } of inverters) expect((await whereabouts(sn)).plantId).toBe(plantId);
      expect(await call(owner, 'delCollector', { sn: gateway.sn })).toMatchObject({
        code: 'B0049',
        data: null,
      });

      expect((await call(owner, 'addDevice', { id: plantId, sn: gateway.sn })).code).toBe('0');
      expect((await call(owner, 'delCollector', { sn: gateway.sn, deleteInvert: '1' })).code).toBe(
        '0',
      );
      for (const { sn } of [gateway, ...inverters, other])
        expect((await whereabouts(sn)).plantId).toBeNull();
      expect(await counts(owner)).toEqual([2, 0, 0]);
      const kinds = (await trail(owner.id)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'device.unbound')).toHaveLength(5);
    });

    test('unbindDevice frees devices of any kind, or none of them', async () => {
      const [owner, other] = [await person(), await person()];
      const [a, b] = [await newPlant(owner), await newPlant(owner)];
      const devices = [
        await fleet.device(a),
        await fleet.device(b, { kind: 'epm' }),
        await fleet.device(b, { kind: 'ammeter' }),
      ];
      const foreign = await fleet.device(await newPlant(other));
      const free = await fleet.device(null);
      for (const sn of [foreign.sn, free.sn, 'UNKNOWN-1']) {
        expect(await call(owner, 'unbindDevice', { sn: [devices[0]!.sn, sn] })).toMatchObject({
          code: 'R0000',
          data: null,
        });
      }
      expect((await whereabouts(devices[0]!.sn)).plantId).toBe(a);
      expect(
        (await call(owner, 'unbindDevice', { sn: devices.map(({ sn }) => sn).join(',') })).code,
      ).toBe('0');
      for (const { sn } of devices) expect((await whereabouts(sn)).plantId).toBeNull();
    });

    test('history stays with the plant: with nobody while the device is free, with the former owner when it stands elsewhere', async () => {
      const [former, next] = [await person(), await person()];
      const { sn } = await fleet.device(null);
      const first = await newPlant(former, { inverterSn: sn });
      await fleet.report(sn, [
        [clock.at, { acPowerW: 4000, energyTotalKwh: 100 }],
        [clock.at + 60_000, { acPowerW: 4000, energyTotalKwh: 101 }],
      ]);
      clock.at += 120_000;
      expect((await call(former, 'unbindDevice', { sn })).code).toBe('0');
      const free = await call(former, 'stationDetail', { id: first });
      expect(free.data).toMatchObject({ allEnergy1: 101 });
      expect((await call(former, 'inverterDetail', { sn })).code).toBe('R0000');

      clock.at += 60_000;
      const second = await newPlant(next, { inverterSn: sn });
      expect((await call(next, 'stationDetail', { id: second })).data).not.toHaveProperty(
        'allEnergy1',
      );
      clock.at += 60_000;
      await fleet.report(sn, [
        [clock.at, { acPowerW: 2000, energyTotalKwh: 101.25 }],
        [clock.at + 60_000, { acPowerW: 2000, energyTotalKwh: 101.75 }],
      ]);
      clock.at += 120_000;
      expect((await call(next, 'stationDetail', { id: second })).data.allEnergy1).toBe(0.75);
      expect((await call(former, 'stationDetail', { id: first })).data.allEnergy1).toBe(101);
      const day = { sn, time: '2026-06-01' };
      const rows = (await call(next, 'inverterDay', day)).data as { eTotal: number }[];
      expect(rows).toHaveLength(2);
      expect((await call(former, 'inverterDay', day)).code).toBe('R0000');
    });

    test('of two owners who bind a device at once one wins, the other learns that it is bound', async () => {
      for (let round = 0; round < 5; round++) {
        const [one, two] = [await person(), await person()];
        const [a, b] = [await newPlant(one), await newPlant(two)];
        const devices = [await fleet.device(null), await fleet.device(null)].map(({ sn }) => sn);
        const answers = await Promise.all([
          call(one, 'addDevice', { id: a, sn: devices }),
          call(two, 'addDevice', { id: b, sn: devices.toReversed() }),
          call(two, 'addStation', { ...minimal, inverterSn: devices }),
        ]);
        expect(answers.map(({ code }) => code).toSorted()).toEqual(['0', 'B0001', 'B0001']);
        const places = await Promise.all(
          devices.map(async (sn) => (await whereabouts(sn)).plantId),
        );
        expect(new Set(places).size).toBe(1);
        for (const sn of devices) expect((await whereabouts(sn)).bindings).toHaveLength(1);
      }
    });

    test('of two who claim one reported inverter at once one wins', async () => {
      const owner = await person();
      const gateway = await collector();
      const plantId = await newPlant(owner, { collectorSn: gateway.sn });
      const other = await newPlant(owner);
      const sn = fleet.uniqueSn('NEW');
      await report(gateway.id, sn, { acPowerW: 1 });
      const answers = await Promise.all([
        call(owner, 'addDevice', { id: plantId, sn }),
        call(owner, 'addDevice', { id: other, sn }),
      ]);
      expect(answers.map(({ code }) => code).toSorted()).toEqual(['0', 'B0001']);
    });

    test('a collector that went to another owner reports nothing of the former one any more', async () => {
      const [former, next] = [await person(), await person()];
      const gateway = await collector();
      const kept = await inverterBehind(gateway.id);
      const plantId = await newPlant(former, { collectorSn: gateway.sn });
      expect((await whereabouts(kept.sn)).plantId).toBe(plantId);
      await call(former, 'delCollector', { sn: gateway.sn });
      // It stands nowhere: what it has stays in its memory.
      await expect(report(gateway.id, kept.sn, { acPowerW: 5 })).rejects.toMatchObject({
        code: 'collectorRefused',
      });
      clock.at += 60_000;
      await newPlant(next, { collectorSn: gateway.sn });
      expect(await report(gateway.id, kept.sn, { acPowerW: 99_999 })).toMatchObject({
        accepted: 0,
        refused: [{ index: 0 }],
      });
    });

    test('an inverter that went to another owner is no longer reported by the former one’s collector', async () => {
      const [former, next] = [await person(), await person()];
      const gateway = await collector();
      const sold = await inverterBehind(gateway.id);
      await newPlant(former, { collectorSn: gateway.sn });
      await call(former, 'unbindDevice', { sn: sold.sn });
      await newPlant(next, { inverterSn: sold.sn });
      expect(await report(gateway.id, sold.sn, { acPowerW: 99_999 })).toMatchObject({
        accepted: 0,
        refused: [{ index: 0 }],
      });
    });

    test('a new collector takes over from one that was removed', async () => {
      const owner = await person();
      const [old, fresh] = [await collector(), await collector()];
      const inverter = await inverterBehind(old.id);
      const plantId = await newPlant(owner, { collectorSn: old.sn });
      await call(owner, 'delCollector', { sn: old.sn });
      await call(owner, 'addDevice', { id: plantId, sn: fresh.sn });
      expect((await whereabouts(inverter.sn)).collectorId).toBe(fresh.id);
    });

    test('a thousand inverters are bound and unbound in one call', async () => {
      const owner = await person();
      const plantId = await newPlant(owner);
      const sns = Array.from({ length: 1000 }, () => fleet.uniqueSn('MANY'));
      await fleet.write(async (trx) => {
        for (const sn of sns) await insertDevice(trx, fleet.act(), { sn, kind: 'inverter' });
      });
      expect((await call(owner, 'addDevice', { id: plantId, sn: sns.join(',') })).code).toBe('0');
      expect((await call(owner, 'inverterList', { stationId: plantId })).data.page.total).toBe(
        1000,
      );
      expect((await call(owner, 'unbindDevice', { sn: sns })).code).toBe('0');
      expect(await counts(owner)).toEqual([1, 0, 0]);
    });
  },
);
