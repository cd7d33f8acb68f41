import { expect, test } from 'vitest';
import { bindDevice, unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { archivePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock } from '../support/world.ts';

describeEngines('devices in plants', (database) => {
  const clock = settableClock('2026-06-01T00:00:00Z');
  const world = createWorld(database, clock);
  const { act, write } = world;
  const bindings = (deviceId: string) =>
    database()
      .db.selectFrom('binding')
      .select(['plantId', 'fromAt', 'toAt'])
      .where('deviceId', '=', deviceId)
      .orderBy('no')
      .execute();
  const standsIn = async (deviceId: string) =>
    (
      await database()
        .db.selectFrom('device')
        .select('plantId')
        .where('id', '=', deviceId)
        .executeTakeFirstOrThrow()
    ).plantId;
  const setUp = async () => {
    const owner = await world.person();
    const [a, b] = [await world.plant(owner.id), await world.plant(owner.id)];
    const { id } = await world.device(null);
    return { a, b, id };
  };
  const bind = (deviceId: string, plantId: string) =>
    write((trx) => bindDevice(trx, act(), deviceId, plantId));
  const unbind = (deviceId: string, plantId: string) =>
    write((trx) => unbindDevice(trx, act(), deviceId, plantId));

  test('the first binding holds from the beginning of time, later ones from their moment', async () => {
    const { a, b, id } = await setUp();
    await bind(id, a);
    const moved = (clock.at += 1000);
    await unbind(id, a);
    expect(await standsIn(id)).toBeNull();
    const bound = (clock.at += 1000);
    await bind(id, b);
    expect(await bindings(id)).toEqual([
      { plantId: a, fromAt: 0, toAt: moved },
      { plantId: b, fromAt: bound, toAt: null },
    ]);
    expect(await standsIn(id)).toBe(b);
  });

  test('a device that returns to a plant gets a second stretch there', async () => {
    const { a, id } = await setUp();
    await bind(id, a);
    const left = (clock.at += 1000);
    await unbind(id, a);
    await bind(id, a);
    expect(await bindings(id)).toEqual([
      { plantId: a, fromAt: 0, toAt: left },
      { plantId: a, fromAt: left, toAt: null },
    ]);
  });

  test('stretches never overlap, also when the clock was set back', async () => {
    const { a, b, id } = await setUp();
    const start = clock.at;
    await bind(id, a);
    clock.at += 10_000;
    await unbind(id, a);
    clock.at -= 5_000;
    await bind(id, b);
    await unbind(id, b);
    expect((await bindings(id))[1]).toEqual({
      plantId: b,
      fromAt: start + 10_000,
      toAt: start + 10_000,
    });
  });

  test('a device stands in one plant at a time', async () => {
    const { a, b, id } = await setUp();
    await bind(id, a);
    await expect(bind(id, b)).rejects.toMatchObject({ code: 'deviceAlreadyBound' });
    await expect(bind(id, a)).rejects.toMatchObject({ code: 'deviceAlreadyBound' });
    expect(await bindings(id)).toHaveLength(1);
  });

  test('of two who bind a device at once one wins, the other learns that it is bound', async () => {
    for (let round = 0; round < 5; round++) {
      const { a, b, id } = await setUp();
      const outcomes = await Promise.allSettled([bind(id, a), bind(id, b)]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'deviceAlreadyBound' },
      });
      expect(await bindings(id)).toHaveLength(1);
      expect((await bindings(id))[0]!.plantId).toBe(await standsIn(id));
    }
  });

  test('unbinding needs the device to stand in that plant', async () => {
    const { a, b, id } = await setUp();
    await bind(id, a);
    await expect(unbind(id, b)).rejects.toMatchObject({ code: 'noPermission' });
    expect(await standsIn(id)).toBe(a);
  });

  test('nothing is bound to an archived or unknown plant, and archiving frees the devices', async () => {
    const { a, b, id } = await setUp();
    await bind(id, a);
    const at = (clock.at += 1000);
    await write((trx) => archivePlant(trx, act(), a));
    expect(await bindings(id)).toEqual([{ plantId: a, fromAt: 0, toAt: at }]);
    for (const plantId of [a, '1'])
      await expect(bind(id, plantId)).rejects.toMatchObject({ code: 'noPermission' });
    await bind(id, b);
    expect(await standsIn(id)).toBe(b);
  });
});
