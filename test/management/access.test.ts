import { hasDoor, type OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { disableKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { startInterfaces } from '../access/requesters.ts';
import { applicationCaller } from '../support/world.ts';
import { addKey, signed } from '../user-api/fixture.ts';
import { describeManagement, minimal, type Person } from './fixture.ts';
import { plantOperations } from '../operations/plant-operations.ts';
import { operationsOn } from '../support/operations.ts';

/** A plant of an owner with an inverter and a collector in it, and an inverter that is free. */
interface Place {
  readonly owner: Person;
  readonly plantId: string;
  readonly inverter: string;
  readonly collector: string;
  readonly free: string;
}

const NOWHERE = { plantId: '1300000000000000009', inverter: 'UNKNOWN-1', collector: 'UNKNOWN-2' };

/** How each operation is asked about a place. An operation without a row here fails the first test. */
const requests: {
  readonly [id: string]: (
    place: Pick<Place, 'plantId' | 'inverter' | 'collector'> & { free: string },
  ) => Record<string, unknown>;
} = {
  stationUpdate: ({ plantId }) => ({ ...minimal, id: plantId, stationName: 'Taken over' }),
  addDevice: ({ plantId, free }) => ({ id: plantId, sn: free }),
  delCollector: ({ collector }) => ({ sn: collector, deleteInvert: 1 }),
  unbindDevice: ({ inverter }) => ({ sn: inverter }),
  archiveStation: ({ plantId }) => ({ id: plantId }),
};
const creations: { readonly [id: string]: () => Record<string, unknown> } = {
  addStation: () => minimal,
  addStationBindCollector: () => minimal,
};

describeManagement('who may manage what', (management) => {
  const { clock, fleet, database, person, call, collector } = management;
  const place = async (): Promise<Place> => {
    const owner = await person();
    const plantId = await fleet.plant(owner.id);
    const box = await collector();
    await fleet.write((trx) => bindDevice(trx, fleet.act(), box.id, plantId));
    return {
      owner,
      plantId,
      inverter: (await fleet.device(plantId)).sn,
      collector: box.sn,
      free: (await fleet.device(null)).sn,
    };
  };
  /** All that a call could change. */
  const stored = async (): Promise<unknown> => {
    const { db } = database();
    return {
      plants: await db.selectFrom('plant').selectAll().orderBy('id').execute(),
      access: await db
        .selectFrom('plantAccess')
        .selectAll()
        .orderBy('plantId')
        .orderBy('accountId')
        .execute(),
      devices: await db.selectFrom('device').selectAll().orderBy('id').execute(),
      bindings: await db.selectFrom('binding').selectAll().orderBy('no').execute(),
      events: await db
        .selectFrom('auditEvent')
        .select('id')
        .where('kind', 'like', 'plant.%')
        .orderBy('id')
        .execute(),
    };
  };

  test('every operation that changes something is asked', () => {
    const writes = plantOperations.filter(({ write }) => write);
    expect([...Object.keys(requests), ...Object.keys(creations)].toSorted()).toEqual(
      writes.map(({ id }) => id as string).toSorted(),
    );
    expect(writes.filter((operation) => hasDoor(operation, 'oauth'))).toEqual([]);
  });

  test('the owner may do all of it', async () => {
    for (const [id, request] of Object.entries(requests)) {
      const here = await place();
      expect([id, (await call(here.owner, id as OperationId, request(here))).code]).toEqual([
        id,
        '0',
      ]);
    }
    const owner = await person();
    for (const [id, request] of Object.entries(creations))
      expect((await call(owner, id as OperationId, request())).code).toBe('0');
  });

  test.each([
    'another owner',
    'somebody with a share for reading',
    'somebody with a share for control',
    'its owner with a key for another plant',
  ])('%s changes nothing, and gets the answer for nothing', async (who) => {
    const here = await place();
    let caller: { key: Person['key'] } = await person();
    if (who.includes('share')) {
      const { email } = caller as Person;
      await fleet.write((trx) =>
        sharePlant(
          trx,
          fleet.act(),
          here.plantId,
          email,
          who.endsWith('control') ? 'control' : 'read',
        ),
      );
    }
    if (who.startsWith('its owner'))
      caller = {
        key: await addKey(fleet, { accountId: here.owner.id, plantIds: [NOWHERE.plantId] }),
      };
    const before = await stored();
    for (const [id, request] of Object.entries(requests)) {
      const foreign = await call(caller, id as OperationId, request(here));
      expect([id, foreign.code]).toEqual([id, id === 'delCollector' ? 'B0049' : 'R0000']);
      const unknown = await call(
        caller,
        id as OperationId,
        request({ ...NOWHERE, free: here.free }),
      );
      expect([id, JSON.stringify(foreign)]).toEqual([id, JSON.stringify(unknown)]);
    }
    expect(await stored()).toEqual(before);
  });

  test('a key without control, and one for some plants alone, make no plant; one for this plant manages it', async () => {
    const here = await place();
    const reading = { key: await addKey(fleet, { accountId: here.owner.id, canControl: false }) };
    const narrow = {
      key: await addKey(fleet, { accountId: here.owner.id, plantIds: [here.plantId] }),
    };
    const before = await stored();
    for (const [id, request] of Object.entries({ ...requests, ...creations }))
      expect((await call(reading, id as OperationId, request(here))).code).toBe('R0000');
    for (const [id, request] of Object.entries(creations))
      expect((await call(narrow, id as OperationId, request())).code).toBe('R0000');
    expect(await stored()).toEqual(before);
    for (const [id, request] of Object.entries(requests).filter(
      ([one]) => one !== 'unbindDevice',
    )) {
      expect([id, (await call(narrow, id as OperationId, request(here))).code]).toEqual([id, '0']);
    }
  });

  test.each(['an expired key', 'a disabled key', 'a key of a disabled owner'])(
    'with %s nothing is managed',
    async (which) => {
      const here = await place();
      const expiresAt = which === 'an expired key' ? clock.at + 1 : null;
      const key = await addKey(fleet, { accountId: here.owner.id, expiresAt });
      if (which === 'a disabled key')
        await fleet.write((trx) => disableKeyPair(trx, fleet.act(), key.keyId));
      if (which === 'a key of a disabled owner')
        await fleet.write((trx) => disableOwner(trx, fleet.act(), here.owner.id));
      const before = await stored();
      for (const [id, request] of Object.entries({ ...requests, ...creations })) {
        expect([id, (await call({ key }, id as OperationId, request(here))).code]).toEqual([
          id,
          '403',
        ]);
      }
      expect(await stored()).toEqual(before);
    },
  );

  test.each(['whose share was withdrawn', 'of an archived plant', 'who owned it formerly'])(
    'somebody %s changes nothing, and gets the answer for nothing',
    async (who) => {
      const here = await place();
      const other = await person();
      await fleet.write(async (trx) => {
        const act = fleet.act();
        await sharePlant(trx, act, here.plantId, other.email, 'control');
        if (who.startsWith('whose')) await unsharePlant(trx, act, here.plantId, other.email);
        if (who.startsWith('of an')) await archivePlant(trx, act, here.plantId);
        if (who.startsWith('who owned')) await transferPlant(trx, act, here.plantId, other.id);
      });
      const caller = who.startsWith('whose') ? other : here.owner;
      const before = await stored();
      for (const [id, request] of Object.entries(requests)) {
        const foreign = await call(caller, id as OperationId, request(here));
        expect([id, foreign.success]).toEqual([id, false]);
        const unknown = await call(
          caller,
          id as OperationId,
          request({ ...NOWHERE, free: here.free }),
        );
        expect([id, JSON.stringify(foreign)]).toEqual([id, JSON.stringify(unknown)]);
      }
      expect(await stored()).toEqual(before);
    },
  );

  test('lists of one’s own and foreign devices are refused as those of one’s own and unknown ones', async () => {
    const [here, there] = [await place(), await place()];
    const before = await stored();
    for (const [id, own, foreign, unknown] of [
      ['unbindDevice', here.inverter, there.inverter, NOWHERE.inverter],
      ['unbindDevice', here.inverter, there.free, NOWHERE.inverter],
      ['delCollector', here.collector, there.collector, NOWHERE.collector],
      ['delCollector', here.collector, there.inverter, NOWHERE.collector],
    ] as const) {
      for (const sn of [[own, foreign], [foreign, own], `${foreign},${own}`]) {
        const answer = await call(here.owner, id, { sn });
        expect(answer.success).toBe(false);
        expect(JSON.stringify(answer)).toBe(
          JSON.stringify(await call(here.owner, id, { sn: [own, unknown] })),
        );
      }
    }
    expect(await stored()).toEqual(before);
  });

  test('the OAuth interface has no path that changes anything, and the signed one takes no token', async () => {
    const here = await place();
    const interfaces = await startInterfaces(database, clock, fleet);
    const ask = await interfaces.askAs({ token: {}, of: here.owner.id });
    const before = await stored();
    for (const [id, request] of Object.entries({ ...requests, ...creations })) {
      expect([id, await ask(id as OperationId, request(here))]).toMatchObject([
        id,
        { status: 404, body: { code: '404', data: null } },
      ]);
      const wire = signed({
        key: here.owner.key,
        at: clock.at,
        path: `/v1/api/${id}`,
        body: JSON.stringify(request(here)),
      });
      const headers = wire.headers.map(
        ([name, value]) =>
          [name, name === 'Authorization' ? 'Bearer abcdefghijklmnopqrstuvwxyz' : value] as const,
      );
      expect([id, (await management.api.send({ ...wire, headers })).status]).toEqual([id, 401]);
    }
    expect(await stored()).toEqual(before);
    await interfaces.close();
  });

  test('no application manages anything, whatever its scopes', async () => {
    const here = await place();
    const { db } = database();
    const handlers = operationsOn(db, clock, fleet.newId) as unknown as Record<
      string,
      (caller: unknown, input: unknown) => Promise<unknown>
    >;
    const before = await stored();
    for (const id of [...Object.keys(requests), ...Object.keys(creations)]) {
      const input = { id: here.plantId, serialNumbers: [here.inverter], name: 'x', capacityKwp: 1 };
      await expect(handlers[id]!(applicationCaller(here.owner.id), input)).rejects.toMatchObject({
        code: 'noPermission',
      });
    }
    expect(await stored()).toEqual(before);
  });

  test('a signed write counts once; one that failed may be sent again', async () => {
    for (const [id, request] of Object.entries({ ...requests, ...creations })) {
      const here = await place();
      clock.at += 1000;
      const wire = signed({
        key: here.owner.key,
        at: clock.at,
        path: `/v1/api/${id}`,
        body: JSON.stringify(request(here)),
      });
      expect([id, (await management.api.send(wire)).body.code]).toEqual([id, '0']);
      const before = await stored();
      const again = await management.api.send(wire);
      expect([id, again.status, again.body.code]).toEqual([id, 409, '409']);
      expect(await stored()).toEqual(before);
    }
    const here = await place();
    clock.at += 1000;
    const busy = await fleet.device(here.plantId);
    const wire = signed({
      key: here.owner.key,
      at: clock.at,
      path: '/v1/api/addStation',
      body: JSON.stringify({ ...minimal, inverterSn: busy.sn }),
    });
    expect((await management.api.send(wire)).body.code).toBe('B0001');
    expect((await call(here.owner, 'unbindDevice', { sn: busy.sn })).code).toBe('0');
    expect((await management.api.send(wire)).body.code).toBe('0');
  });
});
