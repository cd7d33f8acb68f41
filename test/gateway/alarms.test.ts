import { afterAll, beforeAll, expect, test } from 'vitest';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { openGateway } from './gateway-fixture.ts';

describeEngines('POST /v1/readings with alarms', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock);
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let device: Installation;

  beforeAll(async () => {
    gateway = await openGateway(database().db, world.parts().ingest, clock);
    device = await world.install();
  });
  afterAll(() => gateway.server.close());

  const post = (payload: unknown) =>
    gateway.server.inject({
      method: 'POST',
      url: '/v1/readings',
      payload: JSON.stringify(payload),
      headers: { authorization: `Bearer ${device.token}`, 'content-type': 'application/json' },
    });
  const alarm = (change: object = {}) => ({
    sn: device.sn,
    code: '1015',
    at: clock.at,
    level: 3,
    message: 'no grid',
    ...change,
  });
  const stored = () =>
    database()
      .db.selectFrom('alarm')
      .select(['code', 'state'])
      .where('deviceId', '=', device.deviceId)
      .orderBy('id')
      .execute();
  const stateOf = async (id: string) =>
    (
      await database()
        .db.selectFrom('device')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).state;

  test('stores both, and puts a device that reports an alarm into its state', async () => {
    const answer = await post({
      readings: [{ sn: device.sn, at: clock.at, values: { acPowerW: 0 } }],
      alarms: [alarm(), alarm({ sn: 'FOREIGN' })],
    });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        accepted: 1,
        duplicate: 0,
        refused: [],
        alarms: {
          accepted: 1,
          duplicate: 0,
          refused: [
            { index: 1, reason: 'no device with this serial number is bound to this collector' },
          ],
        },
      },
    ]);
    expect(await stored()).toEqual([{ code: '1015', state: 0 }]);
    expect(await stateOf(device.deviceId)).toBe(presence.alarm);
    expect(await stateOf(device.collectorId)).toBe(presence.online);
  });

  test('takes alarms without readings, and says the same of them a second time', async () => {
    const end = { alarms: [alarm({ at: clock.at + 60_000, cleared: true })] };
    expect((await post(end)).json()).toEqual({
      accepted: 0,
      duplicate: 0,
      refused: [],
      alarms: { accepted: 1, duplicate: 0, refused: [] },
    });
    expect((await post(end)).json()).toMatchObject({ alarms: { accepted: 0, duplicate: 1 } });
    expect(await stored()).toEqual([{ code: '1015', state: 2 }]);
  });

  test.each([[{ alarms: {} }], [{ readings: [], alarms: 'none' }]])(
    'says of %j that its alarms are no list',
    async (payload) => {
      expect((await post(payload)).json()).toEqual({
        accepted: 0,
        duplicate: 0,
        refused: [],
        alarms: {
          accepted: 0,
          duplicate: 0,
          refused: [{ index: 0, reason: 'alarms must be a list' }],
        },
      });
    },
  );

  test.each([[{}], [null], [[]]])('refuses %j as a whole', async (payload) => {
    expect((await post(payload)).statusCode).toBe(400);
  });

  test('refuses more than a thousand alarms', async () => {
    const answer = await post({ alarms: Array.from({ length: 1001 }, () => alarm()) });
    expect(answer.statusCode).toBe(413);
  });

  test('keeps the time of a collector’s last post', async () => {
    clock.at += 600_000;
    await post({ readings: [] });
    const row = await database()
      .db.selectFrom('device')
      .select('reportedAt')
      .where('id', '=', device.collectorId)
      .executeTakeFirstOrThrow();
    expect(row.reportedAt).toBe(clock.at);
  });
});
