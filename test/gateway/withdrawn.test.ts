import { afterAll, beforeAll, expect, test } from 'vitest';
import { rotateToken, revokeTokens } from '../../packages/server/src/collectors/tokens.ts';
import { bindDevice, unbindDevice } from '../../packages/server/src/plants/bindings.ts';
import { disableOwner, enableOwner } from '../../packages/server/src/plants/owners.ts';
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
      payload: JSON.stringify({ readings: [{ sn: to.sn, at, values: { acPowerW: minute } }], alarms: [{ sn: to.sn, code: `E${minute}`, at, level: 1 }] }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    return { status: answer.statusCode, body: answer.json() as { code?: string; msg?: string } };
  };
  const samples = async ({ series }: Installation): Promise<number> =>
    (await database().db.selectFrom('sample').select('at').where('series', '=', series).execute()).length;
  const alarms = async ({ deviceId }: Installation): Promise<number> =>
    (await database().db.selectFrom('alarm').select('id').where('deviceId', '=', deviceId).execute()).length;
  const collectorOf = ({ collectorId }: Installation) => ({ id: collectorId, sn: 'any' });

  test('that stands in no plant is refused whole with 403, so that it keeps its backlog, until it is bound again', async () => {
    const device = await world.install();
    expect((await post(device)).status).toBe(200);
    await world.write((trx) => unbindDevice(trx, world.act(), device.collectorId, device.plantId));
    const { status, body } = await post(device);
    expect([status, body]).toEqual([403, { success: false, code: '403', msg: expect.stringMatching(/is not in a plant/), data: null }]);
    expect([await samples(device), await alarms(device)]).toEqual([1, 1]);
    await world.write((trx) => bindDevice(trx, world.act(), device.collectorId, device.plantId));
    expect((await post(device)).status).toBe(200);
  });

  test('whose plant’s owner is disabled is refused whole with 403, until the account is enabled', async () => {
    const device = await world.install();
    const { ownerId } = await database().db.selectFrom('plant').select('ownerId').where('id', '=', device.plantId).executeTakeFirstOrThrow();
    await world.write((trx) => disableOwner(trx, world.act(), ownerId));
    const { status, body } = await post(device);
    expect([status, body.msg]).toEqual([403, expect.stringMatching(/owner is disabled/)]);
    expect([await samples(device), await alarms(device)]).toEqual([0, 0]);
    await world.write((trx) => enableOwner(trx, world.act(), ownerId));
    expect((await post(device)).status).toBe(200);
  });

  test('reports with its new token after a rotation, and with the former one for the overlap alone', async () => {
    const device = await world.install();
    const fresh = await world.write((trx) => rotateToken(trx, world.act(), collectorOf(device), HOUR_MS));
    expect([(await post(device)).status, (await post(device, fresh.token)).status]).toEqual([200, 200]);
    // A second rotation gives the first token no longer life.
    const newest = await world.write((trx) => rotateToken(trx, world.act(), collectorOf(device), 2 * HOUR_MS));
    clock.at += HOUR_MS;
    expect((await post(device)).status).toBe(401);
    expect((await post(device, fresh.token)).status).toBe(200);
    clock.at += HOUR_MS;
    expect([(await post(device, fresh.token)).status, (await post(device, newest.token)).status]).toEqual([401, 200]);
    const last = await world.write((trx) => rotateToken(trx, world.act(), collectorOf(device), 0));
    expect([(await post(device, newest.token)).status, (await post(device, last.token)).status]).toEqual([401, 200]);
  });

  test('stores nothing after its tokens’ revocation has returned, not even what was under way', async () => {
    for (let round = 0; round < 10; round++) {
      const device = await world.install();
      const posts: Promise<{ status: number }>[] = [];
      for (let i = 0; i < 8; i++) {
        posts.push(post(device));
        if (i % 3 === round % 3) await new Promise((resolve) => setImmediate(resolve));
      }
      const stored = world.write((trx) => revokeTokens(trx, world.act(), collectorOf(device))).then(async () => [await samples(device), await alarms(device)]);
      const [before] = await Promise.all([stored, ...posts]);
      expect([await samples(device), await alarms(device)]).toEqual(before);
      expect((await post(device)).status).toBe(401);
    }
  });
});
