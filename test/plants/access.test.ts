import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Permission } from '@helioport/contract';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { disableAccount } from '../../packages/server/src/identity/accounts/accounts.ts';
import {
  findPlant,
  getPlantByNmi,
  narrow,
  reachOf,
} from '../../packages/server/src/fleet/plants/access.ts';
import { listPlants } from '../../packages/server/src/fleet/plants/fleet/plant-list.ts';
import { getDevice } from '../../packages/server/src/fleet/plants/device-access.ts';
import { archivePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { describeEngines } from '../support/engines.ts';
import { applicationCaller, createWorld, settableClock, userCaller } from '../support/world.ts';

const permissions: Permission[] = ['read', 'control', 'manage'];

describeEngines('access', (database) => {
  const world = createWorld(database, settableClock('2026-06-01T00:00:00Z'));
  const { act, write } = world;

  /** What a caller may do with a plant, asked by the plant and by a device in it; both must agree. */
  const mayDo = async (caller: Caller, plantId: string, sn: string): Promise<Permission[]> => {
    const { db } = database();
    const allowed: Permission[] = [];
    for (const permission of permissions) {
      const plant = await findPlant(db, caller, plantId, permission).catch((error) =>
        refused(error),
      );
      const device = await getDevice(db, caller, 'inverter', { sn }, permission).catch((error) =>
        refused(error),
      );
      expect(device?.plantId).toBe(plant?.id);
      if (plant) allowed.push(permission);
    }
    return allowed;
  };
  const refused = (error: unknown): undefined => {
    expect(error).toMatchObject({ code: 'noPermission', data: null });
    return undefined;
  };

  const setUp = async () => {
    const [owner, other] = [await world.person(), await world.person()];
    const plantId = await world.plant(owner.id);
    const { id: deviceId, sn } = await world.device(plantId);
    return { owner, other, plantId, deviceId, sn };
  };

  test.each<
    [string, Permission[], (ids: { owner: string; other: string; plantId: string }) => Caller]
  >([
    ['its owner', ['read', 'control', 'manage'], ({ owner }) => userCaller(owner)],
    [
      'its owner with a key for reading only',
      ['read'],
      ({ owner }) => userCaller(owner, { canControl: false }),
    ],
    [
      'its owner with a key for this plant',
      ['read', 'control', 'manage'],
      ({ owner, plantId }) => userCaller(owner, { plantIds: ['1', plantId] }),
    ],
    [
      'its owner with a key for other plants',
      [],
      ({ owner }) => userCaller(owner, { plantIds: ['1'] }),
    ],
    ['its owner with a key for no plant', [], ({ owner }) => userCaller(owner, { plantIds: [] })],
    ['a stranger', [], ({ other }) => userCaller(other)],
    [
      'a stranger with a key that names the plant',
      [],
      ({ other, plantId }) => userCaller(other, { plantIds: [plantId] }),
    ],
    ['an application of the owner', ['read', 'control'], ({ owner }) => applicationCaller(owner)],
    [
      'an application that may read',
      ['read'],
      ({ owner }) => applicationCaller(owner, { scopes: ['access_data'] }),
    ],
    [
      'an application that may control',
      ['control'],
      ({ owner }) => applicationCaller(owner, { scopes: ['control_device'] }),
    ],
    [
      'an application with consent for this plant',
      ['read', 'control'],
      ({ owner, plantId }) => applicationCaller(owner, { plantIds: [plantId] }),
    ],
    [
      'an application with consent for another plant',
      [],
      ({ owner }) => applicationCaller(owner, { plantIds: ['1'] }),
    ],
    ['an application of a stranger', [], ({ other }) => applicationCaller(other)],
  ])('%s may %j', async (_, expected, caller) => {
    const { owner, other, plantId, sn } = await setUp();
    expect(await mayDo(caller({ owner: owner.id, other: other.id, plantId }), plantId, sn)).toEqual(
      expected,
    );
  });

  test('a share opens reading, or reading and control, and ends with the next question', async () => {
    const { other, plantId, sn } = await setUp();
    const [person, reader, application] = [
      userCaller(other.id),
      userCaller(other.id, { canControl: false }),
      applicationCaller(other.id),
    ];
    await write((trx) => sharePlant(trx, act(), plantId, other.email, 'read'));
    expect(await mayDo(person, plantId, sn)).toEqual(['read']);
    await write((trx) => sharePlant(trx, act(), plantId, other.email, 'control'));
    expect(await mayDo(person, plantId, sn)).toEqual(['read', 'control']);
    expect(await mayDo(reader, plantId, sn)).toEqual(['read']);
    expect(await mayDo(application, plantId, sn)).toEqual([]);
    await write((trx) => unsharePlant(trx, act(), plantId, other.email));
    expect(await mayDo(person, plantId, sn)).toEqual([]);
  });

  test('an archived plant, and one whose owner is disabled, is nobody’s', async () => {
    const [first, second] = [await setUp(), await setUp()];
    for (const { plantId, other } of [first, second])
      await write((trx) => sharePlant(trx, act(), plantId, other.email, 'control'));
    await write((trx) => archivePlant(trx, act(), first.plantId));
    await write((trx) => disableAccount(trx, act(), second.owner.id));
    for (const { owner, other, plantId, sn } of [first, second]) {
      for (const caller of [
        userCaller(owner.id),
        userCaller(other.id),
        applicationCaller(owner.id),
      ])
        expect(await mayDo(caller, plantId, sn)).toEqual([]);
    }
  });

  test('a device is named by id, by serial number, or by both when they agree', async () => {
    const { db } = database();
    const { owner, plantId, deviceId, sn } = await setUp();
    const another = await world.device(plantId);
    const caller = userCaller(owner.id);
    const get = (
      named: { id?: string; sn?: string },
      kind: 'inverter' | 'epm' | 'collector' = 'inverter',
    ) => getDevice(db, caller, kind, named, 'read');
    for (const named of [{ id: deviceId }, { sn }, { id: deviceId, sn }])
      expect(await get(named)).toMatchObject({ id: deviceId, sn, plantId });
    for (const named of [{ id: another.id, sn }, { sn: sn.toLowerCase() }, { id: sn }, { id: '1' }])
      await expect(get(named)).rejects.toMatchObject({ code: 'noPermission', data: null });
    await expect(get({})).rejects.toMatchObject({
      code: 'missingParameter',
      data: { field: 'sn' },
    });
    await expect(get({ sn }, 'epm')).rejects.toMatchObject({ code: 'noPermission' });
    await expect(get({ sn }, 'collector')).rejects.toMatchObject({ code: 'collectorUnknown' });
  });

  test('a device that stands nowhere is nobody’s', async () => {
    const { owner } = await setUp();
    const { sn } = await world.device(null);
    await expect(
      getDevice(database().db, userCaller(owner.id), 'inverter', { sn }, 'read'),
    ).rejects.toMatchObject({ code: 'noPermission', data: null });
  });

  test('a plant is found by its meter id where the caller may see it', async () => {
    const { db } = database();
    const { owner, other } = await setUp();
    const id = await world.plant(owner.id, { nmiCode: 'NMI1234567' });
    expect((await getPlantByNmi(db, userCaller(owner.id), 'NMI1234567', 'read')).id).toBe(id);
    await expect(
      getPlantByNmi(db, userCaller(other.id), 'NMI1234567', 'read'),
    ).rejects.toMatchObject({ code: 'noPermission' });
  });

  test('pages of any size give every visible plant once, in the order of the ids', async () => {
    const { db } = database();
    const [owner, other] = [await world.person(), await world.person()];
    const own: string[] = [];
    for (let i = 0; i < 11; i++) {
      const id = await world.plant(i % 3 === 2 ? other.id : owner.id);
      if (i % 3 === 2 && i > 2)
        await write((trx) => sharePlant(trx, act(), id, owner.email, 'read'));
      if (i !== 2) own.push(id);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 13 }),
        fc.option(fc.subarray(own), { nil: undefined }),
        async (pageSize, named) => {
          const reach = narrow(reachOf(userCaller(owner.id), 'read'), named);
          const seen: string[] = [];
          for (let pageNo = 1; ; pageNo++) {
            const page = await listPlants(db, { reach }, { pageNo, pageSize });
            seen.push(...page.map(({ id }) => id));
            expect(page.length).toBeLessThanOrEqual(pageSize);
            if (page.length < pageSize) break;
          }
          expect(seen).toEqual((named ?? own).toSorted());
        },
      ),
      { numRuns: 30 },
    );
  });

  test('while plants are added, a reader of pages sees none twice and misses none that was there', async () => {
    const { db } = database();
    const owner = await world.person();
    const first: string[] = [];
    for (let i = 0; i < 5; i++) first.push(await world.plant(owner.id));
    const seen: string[] = [];
    for (let pageNo = 1; pageNo <= 4; pageNo++) {
      seen.push(
        ...(
          await listPlants(
            db,
            { reach: reachOf(userCaller(owner.id), 'read') },
            { pageNo, pageSize: 2 },
          )
        ).map(({ id }) => id),
      );
      await world.plant(owner.id);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 5)).toEqual(first);
  });

  test('a list of plants narrows a key’s, never widens it', async () => {
    const reach = reachOf(userCaller('1', { plantIds: ['1', '2'] }), 'read');
    expect(narrow(reach, ['2', '3']).plantIds).toEqual(['2']);
    expect(narrow(reach, undefined).plantIds).toEqual(['1', '2']);
    expect(narrow(reachOf(userCaller('1'), 'read'), ['3']).plantIds).toEqual(['3']);
  });
});
