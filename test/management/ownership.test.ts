import { expect, test } from 'vitest';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { describeManagement, minimal, type Person } from './fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describeManagement(
  'whose a device is',
  ({ clock, fleet, database, person, call, collector, whereabouts }) => {
    const newPlant = async (owner: Person, more: Record<string, unknown> = {}): Promise<string> => {
      const { code, data } = await call(owner, 'addStation', { ...minimal, ...more });
      expect(code).toBe('0');
      return data.id;
    };
    /** Reports a reading as a collector does, now or at another time. */
    const report = (
      collectorId: string,
      sn: string,
      values: Record<string, number>,
      at = clock.at,
    ) => {
      const { db } = database();
      return createIngest({ db, clock, series: createSqlSeries(db) })({ collectorId }, [
        { sn, at, values },
      ]);
    };
    /** Somebody with a plant and a collector in it. */
    const household = async () => {
      const [owner, box] = [await person(), await collector()];
      return { owner, box, plantId: await newPlant(owner, { collectorSn: box.sn }) };
    };

    test('a free device that somebody else’s collector reports is bound already for strangers, and free for the collector’s owner', async () => {
      const [home, stranger] = [await household(), await person()];
      const [device, other] = [await fleet.device(null), await fleet.device(null)];
      await report(home.box.id, device.sn, { acPowerW: 1 });
      const theirs = await newPlant(stranger);
      const answers = [
        await call(stranger, 'addDevice', { id: theirs, sn: device.sn }),
        await call(stranger, 'addDevice', { id: theirs, sn: [other.sn, device.sn] }),
        await call(stranger, 'addStation', { ...minimal, inverterSn: device.sn }),
      ];
      // To the byte what is said of a device that stands in a plant.
      const standing = await fleet.device(home.plantId);
      const bound = JSON.stringify(
        await call(stranger, 'addDevice', { id: theirs, sn: standing.sn }),
      );
      for (const answer of answers)
        expect(JSON.stringify(answer)).toBe(bound.replace(standing.sn, device.sn));
      expect((await whereabouts(device.sn)).plantId).toBeNull();
      expect((await call(stranger, 'addDevice', { id: theirs, sn: other.sn })).code).toBe('0');
      expect((await call(home.owner, 'addDevice', { id: home.plantId, sn: device.sn })).code).toBe(
        '0',
      );
      expect((await whereabouts(device.sn)).collectorId).toBe(home.box.id);
    });

    test('an owner who takes a device out of one plant to put it into another is not forestalled', async () => {
      const [home, stranger] = [await household(), await person()];
      const device = await fleet.device(home.plantId);
      await fleet.write((trx) => assignCollector(trx, device.id, home.box.id));
      expect((await call(home.owner, 'unbindDevice', { sn: device.sn })).code).toBe('0');
      clock.at += MINUTE_MS;
      expect((await report(home.box.id, device.sn, { acPowerW: 1 })).refused).toHaveLength(1);
      expect((await call(stranger, 'addStation', { ...minimal, inverterSn: device.sn })).code).toBe(
        'B0001',
      );
      await newPlant(home.owner, { inverterSn: device.sn });
    });

    test('a device that was sold is the next one’s a day after the former owner’s collector has reported it, or at once when that never did', async () => {
      for (const how of ['silent', 'at once'] as const) {
        const [former, next] = [await household(), await household()];
        const device = await fleet.device(former.plantId);
        expect((await call(former.owner, 'unbindDevice', { sn: device.sn })).code).toBe('0');
        const bind = async (): Promise<string> =>
          (await call(next.owner, 'addDevice', { id: next.plantId, sn: device.sn })).code;
        if (how !== 'at once') {
          clock.at += MINUTE_MS;
          await report(former.box.id, device.sn, { acPowerW: 1 });
          expect(await bind()).toBe('B0001');
          clock.at += MINUTE_MS;
          // Anybody could say so: it is not yet believed.
          await report(next.box.id, device.sn, { acPowerW: 1 });
          expect(await bind()).toBe('B0001');
          clock.at += DAY_MS - MINUTE_MS;
        }
        expect([how, await bind()]).toEqual([how, '0']);
      }
    });

    test('a forged report of the caller’s own collector takes no device that another’s collector reports', async () => {
      const [home, thief] = [await household(), await household()];
      const take = async (sn: string): Promise<string[]> => [
        (await call(thief.owner, 'addDevice', { id: thief.plantId, sn })).code,
        (await call(thief.owner, 'addStation', { ...minimal, inverterSn: sn })).code,
      ];
      const fresh = fleet.uniqueSn('NEW');
      const known = await fleet.device(null);
      const released = await fleet.device(home.plantId);
      expect((await call(home.owner, 'unbindDevice', { sn: released.sn })).code).toBe('0');
      for (const sn of [fresh, known.sn, released.sn]) {
        await report(home.box.id, sn, { acPowerW: 1 });
        for (let i = 0; i < 3; i++) {
          clock.at += MINUTE_MS;
          await report(thief.box.id, sn, { acPowerW: 1 });
          expect([sn, ...(await take(sn))]).toEqual([sn, 'B0001', 'B0001']);
        }
        // Nor does it keep the device from those whose it is.
        expect([sn, (await call(home.owner, 'addDevice', { id: home.plantId, sn })).code]).toEqual([
          sn,
          '0',
        ]);
      }
    });

    test('a forged report that comes first after a release is worth nothing once the last owner’s collector reports the device again', async () => {
      const [home, thief] = [await household(), await household()];
      const { sn } = await fleet.device(home.plantId);
      await call(home.owner, 'unbindDevice', { sn });
      for (const { box } of [thief, home, thief]) {
        clock.at += MINUTE_MS;
        await report(box.id, sn, { acPowerW: 1 });
      }
      expect((await call(thief.owner, 'addDevice', { id: thief.plantId, sn })).code).toBe('B0001');
    });

    test('the last owner has a device back no matter who else reports it, and however long', async () => {
      const [home, stranger] = [await household(), await household()];
      const device = await fleet.device(home.plantId);
      await call(home.owner, 'unbindDevice', { sn: device.sn });
      for (let i = 0; i < 3; i++) {
        clock.at += DAY_MS / 2;
        await report(stranger.box.id, device.sn, { acPowerW: 1 });
      }
      expect((await call(home.owner, 'addDevice', { id: home.plantId, sn: device.sn })).code).toBe(
        '0',
      );
    });

    test('a claim ends with a day of silence: who reports again after it comes after those who went on', async () => {
      const [early, late] = [await household(), await household()];
      const sn = fleet.uniqueSn('NEW');
      await report(early.box.id, sn, { acPowerW: 1 });
      clock.at += DAY_MS;
      await report(late.box.id, sn, { acPowerW: 1 });
      clock.at += MINUTE_MS;
      await report(early.box.id, sn, { acPowerW: 1 });
      expect((await call(early.owner, 'addDevice', { id: early.plantId, sn })).code).toBe('B0001');
      expect((await call(late.owner, 'addDevice', { id: late.plantId, sn })).code).toBe('0');
    });

    test('what reported until it was released stays its owner’s for as long as it may be silent, collectors and what comes with them too', async () => {
      const [home, stranger] = [await household(), await person()];
      const theirs = await newPlant(stranger);
      const device = await fleet.device(home.plantId);
      await fleet.write((trx) => assignCollector(trx, device.id, home.box.id));
      const posted = () =>
        database()
          .db.updateTable('device')
          .set({ reportedAt: clock.at })
          .where('id', '=', home.box.id)
          .execute();
      const take = async (sn: string): Promise<string> =>
        (await call(stranger, 'addDevice', { id: theirs, sn })).code;
      await posted();
      expect(
        (await call(home.owner, 'delCollector', { sn: home.box.sn, deleteInvert: 1 })).code,
      ).toBe('0');
      expect([await take(device.sn), await take(home.box.sn)]).toEqual(['B0001', 'B0001']);
      expect(
        (await call(home.owner, 'addDevice', { id: home.plantId, sn: home.box.sn })).code,
      ).toBe('0');
      expect((await whereabouts(device.sn)).plantId).toBe(home.plantId);
      await posted();
      await call(home.owner, 'delCollector', { sn: home.box.sn, deleteInvert: 1 });
      clock.at += 15 * MINUTE_MS;
      expect(await take(home.box.sn)).toBe('0');
      expect((await whereabouts(device.sn)).plantId).toBe(theirs);
    });

    test('a collector that was made for a plant or an account is bound by that account alone, or by the person who shows its token', async () => {
      const [owner, buyer] = [await person(), await person()];
      const [ofOwner, ofBuyer] = [await newPlant(owner), await newPlant(buyer)];
      const make = (of: { plantId?: string; accountId?: string }) =>
        fleet.write((trx) => addCollector(trx, fleet.act(), { sn: fleet.uniqueSn('COL'), ...of }));
      const snOf = async (id: string): Promise<string> =>
        (
          await database()
            .db.selectFrom('device')
            .select('sn')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        ).sn;
      for (const of of [{ plantId: ofOwner }, { accountId: owner.id }]) {
        const made = await make(of);
        const sn = await snOf(made.id);
        if ('plantId' in of) expect((await call(owner, 'delCollector', { sn })).code).toBe('0');
        const bind = async (who: Person, plantId: string, more = {}): Promise<string> =>
          (await call(who, 'addDevice', { id: plantId, sn, ...more })).code;
        expect([
          await bind(buyer, ofBuyer),
          (await call(buyer, 'addStation', { ...minimal, collectorSn: sn })).code,
        ]).toEqual(['B0001', 'B0001']);
        expect(await bind(owner, ofOwner)).toBe('0');
        expect((await call(owner, 'delCollector', { sn })).code).toBe('0');
        expect(await bind(buyer, ofBuyer, { collectorToken: 'nonsense' })).toBe('H0001');
        expect(await bind(buyer, ofBuyer, { collectorToken: (await make({})).token })).toBe(
          'B0001',
        );
        expect(await bind(buyer, ofBuyer, { collectorToken: made.token })).toBe('0');
        // From now on it is theirs.
        expect((await call(buyer, 'delCollector', { sn })).code).toBe('0');
        expect([await bind(owner, ofOwner), await bind(buyer, ofBuyer)]).toEqual(['B0001', '0']);
      }
    });

    test('what was heard before a device stood in a plant does not count after it has left', async () => {
      const [former, next] = [await household(), await person()];
      const sn = fleet.uniqueSn('NEW');
      await report(former.box.id, sn, { acPowerW: 1 });
      expect((await call(former.owner, 'addDevice', { id: former.plantId, sn })).code).toBe('0');
      expect((await call(former.owner, 'unbindDevice', { sn })).code).toBe('0');
      await newPlant(next, { inverterSn: sn });
    });

    test('a collector brings no device along that is seen at another owner', async () => {
      const [home, stranger] = [await household(), await person()];
      const box = await collector();
      const [seen, other] = [await fleet.device(null), await fleet.device(null)];
      for (const { id } of [seen, other])
        await fleet.write((trx) => assignCollector(trx, id, box.id));
      await report(home.box.id, seen.sn, { acPowerW: 1 });
      const theirs = await newPlant(stranger, { collectorSn: box.sn });
      expect([(await whereabouts(seen.sn)).plantId, (await whereabouts(other.sn)).plantId]).toEqual(
        [null, theirs],
      );
    });

    test('a collector reports nothing of the time in which its device stood with somebody else', async () => {
      const [former, next] = [await household(), await household()];
      const device = await fleet.device(former.plantId);
      await fleet.write((trx) => assignCollector(trx, device.id, former.box.id));
      const then = clock.at;
      expect(
        await report(former.box.id, device.sn, { acPowerW: 4000, energyTotalKwh: 100 }),
      ).toMatchObject({ accepted: 1 });
      clock.at += MINUTE_MS;
      await call(former.owner, 'unbindDevice', { sn: device.sn });
      // What the collector still had in its memory.
      expect(await report(former.box.id, device.sn, { acPowerW: 4000 }, then + 1000)).toMatchObject(
        { accepted: 1 },
      );
      await report(next.box.id, device.sn, { acPowerW: 1 });
      clock.at += MINUTE_MS;
      expect((await call(next.owner, 'addDevice', { id: next.plantId, sn: device.sn })).code).toBe(
        '0',
      );
      expect((await whereabouts(device.sn)).collectorId).toBe(next.box.id);
      clock.at += MINUTE_MS;
      const before = await call(former.owner, 'stationDay', {
        id: former.plantId,
        time: '2026-06-01',
      });
      for (const at of [then, then + 1, then + 30_000, Date.parse('2026-01-01T00:00:00Z')]) {
        expect(
          await report(next.box.id, device.sn, { acPowerW: 99_999, energyTotalKwh: 900 }, at),
        ).toMatchObject({ accepted: 0, refused: [{ index: 0 }] });
      }
      expect(
        await call(former.owner, 'stationDay', { id: former.plantId, time: '2026-06-01' }),
      ).toEqual(before);
      expect(await report(next.box.id, device.sn, { acPowerW: 1 })).toMatchObject({ accepted: 1 });
      // Nor of the time in which it stood with somebody else itself.
      clock.at += MINUTE_MS;
      const past = clock.at;
      await call(former.owner, 'delCollector', { sn: former.box.sn });
      clock.at += MINUTE_MS;
      await newPlant(next.owner, { collectorSn: former.box.sn });
      expect(
        await report(former.box.id, former.box.sn, { signalDbm: -1 }, past - 1000),
      ).toMatchObject({ accepted: 0 });
    });

    test('devices that move among one owner’s plants take what comes late to the plant where it was measured', async () => {
      const home = await household();
      const device = await fleet.device(home.plantId);
      await fleet.write((trx) => assignCollector(trx, device.id, home.box.id));
      const then = clock.at;
      clock.at += MINUTE_MS;
      await call(home.owner, 'unbindDevice', { sn: device.sn });
      const second = await newPlant(home.owner, { inverterSn: device.sn });
      expect(
        await report(home.box.id, device.sn, { acPowerW: 4000, energyTodayKwh: 5 }, then),
      ).toMatchObject({ accepted: 1 });
      expect((await call(home.owner, 'stationDetail', { id: home.plantId })).data.dayEnergy).toBe(
        5,
      );
      expect((await call(home.owner, 'stationDetail', { id: second })).data).not.toHaveProperty(
        'dayEnergy',
      );
    });

    test('a plant that goes to another owner takes no readings from the former one’s collector, nor gives it any', async () => {
      const [home, next] = [await household(), await person()];
      const second = await newPlant(home.owner);
      const [sold, kept] = [await fleet.device(second), await fleet.device(home.plantId)];
      for (const { id } of [sold, kept])
        await fleet.write((trx) => assignCollector(trx, id, home.box.id));
      await fleet.write((trx) => transferPlant(trx, fleet.act(), second, next.id));
      expect(await report(home.box.id, sold.sn, { acPowerW: 99_999 })).toMatchObject({
        accepted: 0,
      });
      expect(await report(home.box.id, kept.sn, { acPowerW: 1 })).toMatchObject({ accepted: 1 });
      expect(
        (await call(next, 'inverterDetail', { sn: sold.sn })).data.collectorSn,
      ).toBeUndefined();
      await fleet.write((trx) => transferPlant(trx, fleet.act(), home.plantId, next.id));
      expect((await whereabouts(kept.sn)).collectorId).toBe(home.box.id);
    });

    test('what stood in an archived plant reports for nobody until it is bound again, and then for its new plant', async () => {
      const home = await household();
      const device = await fleet.device(home.plantId);
      await fleet.write((trx) => assignCollector(trx, device.id, home.box.id));
      await report(home.box.id, device.sn, { acPowerW: 4000, energyTodayKwh: 5 });
      const then = clock.at;
      clock.at += MINUTE_MS;
      expect((await call(home.owner, 'archiveStation', { id: home.plantId })).code).toBe('0');
      clock.at += MINUTE_MS;
      for (const sn of [device.sn, home.box.sn])
        await expect(report(home.box.id, sn, { acPowerW: 1 })).rejects.toMatchObject({
          code: 'collectorRefused',
        });
      for (const id of ['userStationList', 'inverterList', 'collectorList', 'alarmList'] as const) {
        const { data } = await call(home.owner, id);
        expect([id, (data.page ?? data).total, (data.page ?? data).records]).toEqual([id, 0, []]);
      }
      const next = await newPlant(home.owner, { collectorSn: home.box.sn });
      expect(await whereabouts(device.sn)).toMatchObject({
        plantId: next,
        collectorId: home.box.id,
      });
      clock.at += MINUTE_MS;
      expect(
        await report(home.box.id, device.sn, { acPowerW: 2000, energyTodayKwh: 6 }),
      ).toMatchObject({ accepted: 1 });
      expect((await call(home.owner, 'stationDetail', { id: next })).data).toMatchObject({
        power: 2,
      });
      const rows = (await call(home.owner, 'inverterDay', { sn: device.sn, time: '2026-06-01' }))
        .data as { dataTimestamp: string }[];
      expect(rows.map(({ dataTimestamp }) => Number(dataTimestamp)).every((at) => at > then)).toBe(
        true,
      );
    });
  },
);
