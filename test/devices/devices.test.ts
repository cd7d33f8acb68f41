import { expect, test } from 'vitest';
import { authenticateCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import {
  insertCollector,
  lastReportOf,
} from '../../packages/server/src/fleet/collectors/collectors.ts';
import {
  assignCollector,
  findDevice,
  insertDevice,
  listDevices,
  type NewDevice,
} from '../../packages/server/src/fleet/devices/devices.ts';
import { describeEngines } from '../support/engines.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { createWorld, settableClock } from '../support/world.ts';

describeEngines('devices', (database) => {
  const world = createWorld(database, settableClock('2026-06-01T00:00:00Z'));
  const { act, write } = world;
  const insert = (input: NewDevice): Promise<string> =>
    write((trx) => insertDevice(trx, act(), input));

  test('a serial number keeps its case, and another case is another device', async () => {
    const { db } = database();
    const [lower, upper] = [
      await insert({ sn: 'abC-1', kind: 'inverter' }),
      await insert({ sn: 'ABC-1', kind: 'epm', model: 'M', name: 'Näme', ratedPowerW: 5000 }),
    ];
    expect(await findDevice(db, 'abC-1')).toMatchObject({
      id: lower,
      sn: 'abC-1',
      kind: 'inverter',
      model: null,
      plantId: null,
    });
    expect(await findDevice(db, 'ABC-1')).toMatchObject({
      id: upper,
      kind: 'epm',
      model: 'M',
      name: 'Näme',
      ratedPowerW: 5000,
    });
    expect(await findDevice(db, 'abc-1')).toBeUndefined();
  });

  test('devices have numbers of their own in the telemetry engine', async () => {
    const sns = [world.uniqueSn(), world.uniqueSn()];
    for (const sn of sns) await insert({ sn, kind: 'inverter' });
    const [a, b] = await Promise.all(sns.map((sn) => findDevice(database().db, sn)));
    expect(a!.series).toEqual(expect.any(Number));
    expect(b!.series).not.toBe(a!.series);
  });

  test('a serial number that is taken is refused, whatever the kind', async () => {
    await insert({ sn: 'TAKEN', kind: 'inverter' });
    await expect(insert({ sn: 'TAKEN', kind: 'weather' })).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field: 'sn' },
    });
  });

  test.each([
    ['sn', { sn: '' }],
    ['sn', { sn: 'a b' }],
    ['sn', { sn: 'a,b' }],
    ['sn', { sn: 'ä' }],
    ['sn', { sn: 'x'.repeat(65) }],
    ['model', { model: 'a\u0007' }],
    ['name', { name: 'x'.repeat(101) }],
    ['ratedPowerW', { ratedPowerW: 0 }],
    ['ratedPowerW', { ratedPowerW: NaN }],
    ['ratedPowerW', { ratedPowerW: Infinity }],
  ])('a %s that cannot be is refused: %j', async (field, change) => {
    await expect(
      insert({ sn: world.uniqueSn(), kind: 'inverter', ...change }),
    ).rejects.toMatchObject({ code: 'invalidValue', data: { field } });
  });

  test('a collector is known by its token, of which only a digest is stored', async () => {
    const { db } = database();
    const sn = world.uniqueSn('COL');
    const { id, token, tokenId } = await write((trx) => insertCollector(trx, act(), { sn }));
    expect(token).toMatch(/^[A-Za-z0-9]{43}$/);
    await expect(authenticateCollector(db, token, act().at)).rejects.toMatchObject({
      code: 'collectorRefused',
    });
    const plantId = await world.plant((await world.person()).id);
    await write((trx) => bindDevice(trx, act(), id, plantId));
    expect(await authenticateCollector(db, token, act().at)).toMatchObject({
      id,
      sn,
      tokenId,
      plantId,
    });
    for (const other of [token.toLowerCase(), '', tokenId])
      await expect(authenticateCollector(db, other, act().at)).rejects.toMatchObject({
        code: 'notAuthenticated',
      });
    const { hash } = await db
      .selectFrom('collectorToken')
      .select('hash')
      .where('id', '=', tokenId)
      .executeTakeFirstOrThrow();
    expect(Buffer.from(hash).toString('hex')).toMatch(/^[0-9a-f]{64}$/);
    expect(Buffer.from(hash).includes(token)).toBe(false);
    expect(JSON.stringify(await db.selectFrom('auditEvent').selectAll().execute())).not.toContain(
      token,
    );
  });

  test('a collector lists the devices that it reports for', async () => {
    const { db } = database();
    const { id } = await write((trx) => insertCollector(trx, act(), { sn: world.uniqueSn('COL') }));
    const device = await world.device(null);
    await world.device(null);
    await assignCollector(db, device.id, id);
    expect((await listDevices(db, { collectorId: id })).map(({ sn }) => sn)).toEqual([device.sn]);
    expect(await lastReportOf(db, id)).toBeNull();
  });
});
