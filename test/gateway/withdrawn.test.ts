import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rotateToken, revokeTokens } from '../../packages/server/src/fleet/collectors/tokens.ts';
import { inTransaction } from '../../packages/server/src/platform/storage/transactions/transaction.ts';
import {
  bindDevice,
  endBinding,
  unbindDevices,
} from '../../packages/server/src/fleet/plants/bindings.ts';
import { lockDeviceRows } from '../../packages/server/src/fleet/plants/lock.ts';
import { disableOwner, enableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { openGateway } from './gateway-fixture.ts';

const HOUR_MS = 3_600_000;

describeEngines('a collector whose right to report was withdrawn', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock);
  let gateway: Awaited<ReturnType<typeof openGateway>>;

  beforeAll(async () => {
    gateway = await openGateway(database().db, world.parts().ingest, clock);
  });
  afterAll(() => gateway.server.close());

  let minute = 0;
  const post = async (to: Installation, token = to.token) => {
    const at = clock.at - HOUR_MS + ++minute * 1000;
    const answer = await gateway.server.inject({
      method: 'POST',
      url: '/v1/readings',
      payload: JSON.stringify({
        readings: [{ sn: to.sn, at, values: { acPowerW: minute } }],
        alarms: [{ sn: to.sn, code: `E${minute}`, at, level: 1 }],
      }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    return { status: answer.statusCode, body: answer.json() as { code?: string; msg?: string } };
  };
  const samples = async ({ series }: Installation): Promise<number> =>
    (await database().db.selectFrom('sample').select('at').where('series', '=', series).execute())
      .length;
  const alarms = async ({ deviceId }: Installation): Promise<number> =>
    (
      await database()
        .db.selectFrom('alarm')
        .select('id')
        .where('deviceId', '=', deviceId)
        .execute()
    ).length;
  const collectorOf = ({ collectorId }: Installation) => ({ id: collectorId, sn: 'any' });

  test('that stands in no plant is refused whole with 403, so that it keeps its backlog, until it is bound again', async () => {
    const device = await world.install();
    expect((await post(device)).status).toBe(200);
    await world.write((trx) => endBinding(trx, world.act(), device.collectorId, device.plantId));
    const { status, body } = await post(device);
    expect([status, body]).toEqual([
      403,
      { success: false, code: '403', msg: expect.stringMatching(/is not in a plant/), data: null },
    ]);
    expect([await samples(device), await alarms(device)]).toEqual([1, 1]);
    await world.write((trx) => bindDevice(trx, world.act(), device.collectorId, device.plantId));
    expect((await post(device)).status).toBe(200);
  });

  test('whose plant’s owner is disabled is refused whole with 403, until the account is enabled', async () => {
    const device = await world.install();
    const { ownerId } = await database()
      .db.selectFrom('plant')
      .select('ownerId')
      .where('id', '=', device.plantId)
      .executeTakeFirstOrThrow();
    await world.write((trx) => disableOwner(trx, world.act(), ownerId));
    const { status, body } = await post(device);
    expect([status, body.msg]).toEqual([403, expect.stringMatching(/owner is disabled/)]);
    expect([await samples(device), await alarms(device)]).toEqual([0, 0]);
    await world.write((trx) => enableOwner(trx, world.act(), ownerId));
    expect((await post(device)).status).toBe(200);
  });

  test('reports with its new token after a rotation, and with the former one for the overlap alone', async () => {
    const device = await world.install();
    const fresh = await world.write((trx) =>
      rotateToken(trx, world.act(), collectorOf(device), HOUR_MS),
    );
    expect([(await post(device)).status, (await post(device, fresh.token)).status]).toEqual([
      200, 200,
    ]);
    // A second rotation gives the first token no longer life.
    const newest = await world.write((trx) =>
      rotateToken(trx, world.act(), collectorOf(device), 2 * HOUR_MS),
    );
    clock.at += HOUR_MS;
    expect((await post(device)).status).toBe(401);
    expect((await post(device, fresh.token)).status).toBe(200);
    clock.at += HOUR_MS;
    expect([
      (await post(device, fresh.token)).status,
      (await post(device, newest.token)).status,
    ]).toEqual([401, 200]);
    const last = await world.write((trx) => rotateToken(trx, world.act(), collectorOf(device), 0));
    expect([
      (await post(device, newest.token)).status,
      (await post(device, last.token)).status,
    ]).toEqual([401, 200]);
  });

  const kept = async (device: Installation) => ({
    samples: await samples(device),
    alarms: await alarms(device),
    reported: (
      await database()
        .db.selectFrom('device')
        .select('reported')
        .where('id', '=', device.deviceId)
        .executeTakeFirstOrThrow()
    ).reported,
  });
  const at = clock.at - 60_000;
  const parts = {
    readings: ({ sn }: Installation) => ({ readings: [{ sn, at, values: { acPowerW: 1 } }] }),
    alarms: ({ sn }: Installation) => ({ readings: [], alarms: [{ sn, code: 'E', at, level: 1 }] }),
    devices: ({ sn }: Installation) => ({ readings: [], devices: [{ sn, model: 'Late 5000' }] }),
  };
  const send = async (device: Installation, body: object): Promise<number> =>
    (
      await gateway.server.inject({
        method: 'POST',
        url: '/v1/readings',
        payload: JSON.stringify(body),
        headers: { authorization: `Bearer ${device.token}`, 'content-type': 'application/json' },
      })
    ).statusCode;

  test.each(Object.entries(parts))(
    'stores no %s once it has been unbound, though its report was looked at before',
    async (_, reportOf) => {
      const { db, engine } = database();
      // SQLite's write transactions are exclusive.
      if (engine === 'sqlite') return;
      const device = await world.install();
      const before = await kept(device);
      const [unbound, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      // A connection of its own, which holds what a report of each kind needs after its sender was looked at: the series, the plant, the device.
      const unbinding = world.write(async (trx) => {
        await sql`select pg_advisory_xact_lock(72051, ${device.series})`.execute(trx);
        await endBinding(trx, world.act(), device.collectorId, device.plantId);
        await lockDeviceRows(trx, [device.deviceId]);
        unbound.resolve();
        await commit.promise;
      });
      await unbound.promise;
      const answered = send(device, reportOf(device));
      const waiting = async (): Promise<number> =>
        (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length;
      await expect.poll(waiting).toBeGreaterThan(0);
      commit.resolve();
      await unbinding;
      expect(await answered).toBe(403);
      expect(await kept(device)).toEqual(before);
      await world.write((trx) => bindDevice(trx, world.act(), device.collectorId, device.plantId));
      expect(await send(device, reportOf(device))).toBe(200);
      expect(await kept(device)).not.toEqual(before);
    },
  );

  test('that somebody changes without unbinding it waits for them, and stores its report then', async () => {
    const { db, engine } = database();
    if (engine === 'sqlite') return;
    const device = await world.install();
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const changing = world.write(async (trx) => {
      await lockDeviceRows(trx, [device.collectorId]);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const answered = send(device, parts.readings(device));
    await expect
      .poll(
        async () => (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length,
      )
      .toBeGreaterThan(0);
    expect((await kept(device)).samples).toBe(0);
    release.resolve();
    await changing;
    expect(await answered).toBe(200);
    expect((await kept(device)).samples).toBe(1);
  });

  test('stores nothing after its unbinding has returned, not even what was under way', async () => {
    const seen = new Set<number>();
    for (let round = 0; round < 10; round++) {
      const device = await world.install();
      const posts: Promise<number>[] = [];
      for (let i = 0; i < 8; i++) {
        const when = clock.at - HOUR_MS + i * 1000;
        const body = {
          readings: [{ sn: device.sn, at: when, values: { acPowerW: i } }],
          alarms: [{ sn: device.sn, code: `E${i}`, at: when, level: 1 }],
          devices: [{ sn: device.sn, model: `Model ${i}` }],
        };
        posts.push(send(device, body));
        if (i % 3 === round % 3) await new Promise((resolve) => setImmediate(resolve));
      }
      const ids = [device.collectorId, ...(round % 2 === 0 ? [device.deviceId] : [])];
      const [before, ...statuses] = await Promise.all([
        inTransaction(database().db, (trx) =>
          unbindDevices(trx, world.act(), ids, device.plantId),
        ).then(() => kept(device)),
        ...posts,
      ]);
      for (const status of statuses) seen.add(status);
      expect(await kept(device)).toEqual(before);
      expect(await send(device, parts.readings(device))).toBe(403);
    }
    expect([...seen].filter((status) => status !== 200 && status !== 403)).toEqual([]);
  });

  test('stores nothing after its owner was disabled, not even what was under way', async () => {
    for (let round = 0; round < 10; round++) {
      const device = await world.install();
      const { ownerId } = await database()
        .db.selectFrom('plant')
        .select('ownerId')
        .where('id', '=', device.plantId)
        .executeTakeFirstOrThrow();
      const posts: Promise<{ status: number }>[] = [];
      for (let i = 0; i < 8; i++) {
        posts.push(post(device));
        if (i % 3 === round % 3) await new Promise((resolve) => setImmediate(resolve));
      }
      const disabled = world
        .write((trx) => disableOwner(trx, world.act(), ownerId))
        .then(() => kept(device));
      const [before, ...answers] = await Promise.all([disabled, ...posts]);
      expect(answers.filter(({ status }) => status !== 200 && status !== 403)).toEqual([]);
      expect(await kept(device)).toEqual(before);
    }
  });

  test('stores nothing after its tokens’ revocation has returned, not even what was under way', async () => {
    for (let round = 0; round < 10; round++) {
      const device = await world.install();
      const posts: Promise<{ status: number }>[] = [];
      for (let i = 0; i < 8; i++) {
        posts.push(post(device));
        if (i % 3 === round % 3) await new Promise((resolve) => setImmediate(resolve));
      }
      const stored = world
        .write((trx) => revokeTokens(trx, world.act(), collectorOf(device)))
        .then(async () => [await samples(device), await alarms(device)]);
      const [before] = await Promise.all([stored, ...posts]);
      expect([await samples(device), await alarms(device)]).toEqual(before);
      expect((await post(device)).status).toBe(401);
    }
  });
});
