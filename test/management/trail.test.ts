import { expect, test } from 'vitest';
import { listAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import { describeManagement, minimal, type Person } from './fixture.ts';

describeManagement(
  'the trail of what was managed',
  ({ database, fleet, person, call, collector }) => {
    /** Newest last, without what happened before anything was managed. */
    const eventsOf = async ({ id }: Person) =>
      (await listAudit(database().db, id, { limit: 100 }))
        .toReversed()
        .filter(({ kind }) => /^(plant|device)\./.test(kind))
        .map(({ kind, actor, address, data }) => ({ kind, actor, address, data }));

    test('says who changed what of a plant, from what and to what', async () => {
      const owner = await person();
      const { data } = await call(owner, 'addStation', {
        ...minimal,
        cityStr: 'Berlin',
        latitude: 52.5,
        longitude: 13.4,
      });
      const change = { ...minimal, id: data.id };
      await call(owner, 'stationUpdate', {
        ...change,
        stationName: 'Barn',
        price: 0.1,
        cityStr: 'Potsdam',
        mobile: '+49 30',
      });
      await call(owner, 'stationUpdate', {
        ...change,
        stationName: 'Barn',
        price: 0.1,
        cityStr: 'Potsdam',
      });
      await call(owner, 'stationUpdate', {
        ...change,
        stationName: 'Barn',
        price: 0.1,
        timeZoneId: 'Asia/Kathmandu',
      });
      await call(owner, 'archiveStation', { id: data.id });
      const by = { actor: `key:${owner.key.keyId}`, address: '127.0.0.1' };
      expect(await eventsOf(owner)).toEqual([
        { ...by, kind: 'plant.created', data: { plantId: data.id, name: minimal.stationName } },
        {
          ...by,
          kind: 'plant.changed',
          data: {
            plantId: data.id,
            before: {
              name: minimal.stationName,
              pricePerKwh: minimal.price,
              city: 'Berlin',
              mobile: null,
            },
            after: { name: 'Barn', pricePerKwh: 0.1, city: 'Potsdam', mobile: '+49 30' },
          },
        },
        {
          ...by,
          kind: 'plant.changed',
          data: {
            plantId: data.id,
            before: { timeZone: 'Europe/Berlin' },
            after: { timeZone: 'Asia/Kathmandu' },
          },
        },
        { ...by, kind: 'plant.archived', data: { plantId: data.id } },
      ]);
    });

    test('names every device that came and went, those that came with a collector too, and the plant', async () => {
      const owner = await person();
      const box = await collector();
      const { data } = await call(owner, 'addStation', { ...minimal, collectorSn: box.sn });
      const device = await fleet.device(null);
      await call(owner, 'addDevice', { id: data.id, sn: device.sn });
      await call(owner, 'delCollector', { sn: box.sn, deleteInvert: 1 });
      expect(
        (await eventsOf(owner)).slice(1).map(({ kind, data: facts }) => [kind, facts]),
      ).toEqual([
        ['device.bound', { plantId: data.id, deviceId: box.id, sn: box.sn }],
        ['device.bound', { plantId: data.id, deviceId: device.id, sn: device.sn }],
        ['device.unbound', { plantId: data.id, deviceId: box.id, sn: box.sn }],
        ['device.unbound', { plantId: data.id, deviceId: device.id, sn: device.sn }],
      ]);
    });

    test('tells owner and installer what was shared, and holds no secret', async () => {
      const [owner, installer] = [await person(), await person({ role: 'installer' })];
      const { data } = await call(installer, 'addStation', { ...minimal, userId: owner.id });
      const by = { actor: `key:${installer.key.keyId}`, address: '127.0.0.1' };
      const accepted = { actor: `key:${owner.key.keyId}`, address: '127.0.0.1' };
      const shared = {
        ...accepted,
        kind: 'plant.shared',
        data: { plantId: data.id, with: installer.id, level: 'control' },
      };
      expect(await eventsOf(owner)).toEqual([]);
      const [invitation] = (await call(owner, 'invitation/list')).data.records;
      expect((await call(owner, 'invitation/accept', { id: invitation.id })).code).toBe('0');
      const transferred = {
        ...accepted,
        kind: 'plant.transferred',
        data: { plantId: data.id, from: installer.id, to: owner.id },
      };
      expect(await eventsOf(owner)).toEqual([transferred, shared]);
      expect(await eventsOf(installer)).toEqual([
        { ...by, kind: 'plant.created', data: { plantId: data.id, name: minimal.stationName } },
        transferred,
        shared,
      ]);
      const answers = await database()
        .db.selectFrom('auditEvent')
        .select(['kind', 'actor', 'accountId'])
        .where('kind', 'like', 'invitation.%')
        .where('accountId', 'in', [owner.id, installer.id])
        .orderBy('id')
        .execute();
      expect(answers).toEqual([
        { kind: 'invitation.sent', actor: by.actor, accountId: installer.id },
        { kind: 'invitation.accepted', actor: accepted.actor, accountId: owner.id },
      ]);
      const rows = JSON.stringify(
        await database().db.selectFrom('auditEvent').selectAll().execute(),
      );
      for (const { key } of [owner, installer]) expect(rows).not.toContain(key.keySecret);
    });
  },
);
