import { operations } from '@helioport/contract';
import { expect, test } from 'vitest';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { rows } from '../operations/rows.ts';
import { createScene } from '../operations/scene.ts';
import { everythingStored } from '../support/stored.ts';
import { addKey, signed, startUserApi } from '../user-api/fixture.ts';
import { describeManagement, minimal, type Person } from './fixture.ts';
import { plantOperations, type PlantOperation } from '../operations/plant-operations.ts';
import { operationsOn } from '../support/operations.ts';

describeManagement(
  'a change that ends in its midst',
  ({ clock, fleet, database, person, collector }) => {
    /** Changes of several steps, and the one who may make them; of an operation that is not among them the simplest one. */
    const changeBy = async (
      id: PlantOperation,
    ): Promise<{ key: Person['key']; request: Record<string, unknown> }> => {
      const [owner, installer] = [await person(), await person({ role: 'installer' })];
      const request = (await place(owner, installer))[id];
      if (request) return { key: owner.key, request };
      const free = { free: (await fleet.device(null)).sn, freeCollector: (await collector()).sn };
      const scene = { ...(await createScene(fleet)), ...free };
      return {
        key: await addKey(fleet, { accountId: scene.owner }),
        request: rows[id].alike[0](scene),
      };
    };
    const place = async (
      owner: Person,
      installer: Person,
    ): Promise<Record<string, Record<string, unknown>>> => {
      const plantId = await fleet.plant(owner.id);
      const behind = async (boxId: string, where: string | null): Promise<{ sn: string }> => {
        const device = await fleet.device(where);
        await fleet.write((trx) => assignCollector(trx, device.id, boxId));
        return device;
      };
      const [box, freeBox, otherBox] = [
        await fleet.device(plantId, { kind: 'collector' }),
        await collector(),
        await collector(),
      ];
      const standing = [
        await behind(box.id, plantId),
        await behind(box.id, await fleet.plant(owner.id)),
      ];
      for (const each of [freeBox, otherBox]) await behind(each.id, null);
      const free = [await fleet.device(null), await fleet.device(null)];
      return {
        addStation: {
          ...minimal,
          installerEmail: installer.email,
          inverterSn: free.map(({ sn }) => sn),
        },
        addStationBindCollector: { ...minimal, installerEmail: installer.email, sn: freeBox.sn },
        stationUpdate: {
          ...minimal,
          id: plantId,
          installerEmail: installer.email,
          timeZoneId: 'Asia/Kathmandu',
          mobile: '+977 1',
        },
        addDevice: { id: plantId, sn: [otherBox.sn, ...free.map(({ sn }) => sn)] },
        delCollector: { sn: box.sn, deleteInvert: 1 },
        unbindDevice: { sn: standing.map(({ sn }) => sn) },
        archiveStation: { id: plantId },
      };
    };

    test.each(plantOperations.flatMap(({ id, write }) => (write ? [id] : [])))(
      '%s leaves everything as it was, and the same signed request may come again',
      async (id) => {
        const { key, request } = await changeBy(id);
        const { db } = database();
        // Every row of a change that has an id is one of its steps.
        let left = 0;
        const ids = (): string => {
          if (left-- === 0) throw new Error('cut off here');
          return fleet.newId();
        };
        const handlers = operationsOn(db, clock, ids) as never;
        const api = await startUserApi({ db }, clock, {
          operations: Object.values(operations),
          handlers,
        });
        clock.at += 1000;
        const wire = signed({
          key,
          at: clock.at,
          path: `/v1/api/${id}`,
          body: JSON.stringify(request),
        });
        const before = await everythingStored(database());
        let steps = 0;
        for (; ; steps++) {
          left = steps;
          const { status, body } = await api.send(wire);
          if (status === 200) {
            expect(body.code).toBe('0');
            break;
          }
          expect([status, body]).toEqual([
            500,
            {
              success: false,
              code: '500',
              msg: 'internal error',
              data: { requestId: expect.any(String) },
            },
          ]);
          expect(await everythingStored(database())).toEqual(before);
        }
        expect(steps).toBeGreaterThan(0);
        expect(await everythingStored(database())).not.toEqual(before);
        expect((await api.send(wire)).body.code).toBe('409');
        await api.close();
      },
    );
  },
);
