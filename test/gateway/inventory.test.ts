import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCollectorRefusals } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { findLink } from '../../packages/server/src/fleet/devices/description.ts';
import { findDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { openGateway } from './gateway-fixture.ts';

describeEngines('what devices say of themselves, beside their readings', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock);
  let gateway: Awaited<ReturnType<typeof openGateway>>;

  beforeAll(async () => {
    gateway = await openGateway(database().db, world.parts().ingest, clock);
  });
  afterAll(() => gateway.server.close());

  const post = async ({ token }: Installation, report: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await gateway.server.inject({
      method: 'POST',
      url: '/v1/readings',
      payload: JSON.stringify(report),
      headers,
    });
    expect(answer.statusCode).toBe(200);
    return answer.json() as {
      accepted: number;
      refused: { index: number; reason: string }[];
      devices: object;
    };
  };
  const described = async (sn: string) => {
    const { model, ratedPowerW, facts } = (await findDevice(database().db, sn))!;
    return { model, ratedPowerW, ...(JSON.parse(facts) as object) };
  };
  const full = (sn: string) => ({
    sn,
    model: 'HS-8K',
    firmware: '3D0037',
    ratedPowerW: 8000,
    strings: 2,
    profile: 'solis-storage',
  });

  test('says how the collector reaches a device, and nothing beside that', async () => {
    const device = await world.install({ ratedPowerW: null });
    const link = {
      via: 'v5',
      address: '192.168.1.41:8899',
      unit: 1,
      stick: '2700000001',
      readOnly: false,
      state: 'silent',
      timeouts: 4,
      strays: 0,
      reconnects: 2,
      droppedValues: 1,
    };
    const ofDevice = async () =>
      findLink(database().db, (await findDevice(database().db, device.sn))!.id);
    await post(device, { devices: [{ sn: device.sn, link: { ...link, ssid: [[[]]] } }] });
    expect(await ofDevice()).toEqual(link);
    for (const odd of [[], null, 'tcp', { ...link, address: [[]] }])
      expect(await post(device, { devices: [{ sn: device.sn, link: odd }] })).toMatchObject({
        devices: { accepted: 0, refused: [{ reason: expect.stringMatching(/^link/) }] },
      });
    expect(await ofDevice()).toEqual(link);
  });

  test('fills what is not known, and follows later reports', async () => {
    const device = await world.install({ ratedPowerW: null });
    expect(await post(device, { readings: [], devices: [full(device.sn)] })).toMatchObject({
      devices: { accepted: 1, duplicate: 0, refused: [] },
    });
    expect(await described(device.sn)).toEqual({
      model: 'HS-8K',
      ratedPowerW: 8000,
      firmwareVersion: '3D0037',
      dcInputs: 2,
      profile: 'solis-storage',
    });
    expect(await post(device, { devices: [full(device.sn)] })).toMatchObject({
      accepted: 0,
      devices: { accepted: 0, duplicate: 1, refused: [] },
    });
    expect(await post(device, { devices: [{ sn: device.sn, firmware: '3D0040' }] })).toMatchObject({
      devices: { accepted: 1 },
    });
    expect(await described(device.sn)).toEqual({
      model: 'HS-8K',
      ratedPowerW: 8000,
      firmwareVersion: '3D0040',
      dcInputs: 2,
      profile: 'solis-storage',
    });
  });

  test('a rated power has what its counters said judged anew', async () => {
    const device = await world.install({ ratedPowerW: null });
    const reading = (hoursAgo: number, energyTotalKwh: number) => ({
      sn: device.sn,
      at: clock.at - hoursAgo * 3_600_000,
      values: { energyTotalKwh },
    });
    await post(device, { readings: [reading(3, 100), reading(2, 105), reading(1, 110)] });
    const yieldOfDay = async () =>
      (await world.parts().telemetry.daysOf(database().db, [device.binding], 0, 99_999_999))[0]!
        .energies.production?.energyKwh;
    expect(await yieldOfDay()).toBe(10);
    await post(device, { devices: [{ sn: device.sn, ratedPowerW: 1000 }] });
    expect(await world.runWork()).toBeGreaterThan(0);
    // 1.5 kW cannot yield 5 kWh in an hour.
    expect(await yieldOfDay()).toBeUndefined();
    await post(device, { devices: [{ sn: device.sn, ratedPowerW: 1000, model: 'HS-1K' }] });
    expect(await world.runWork()).toBe(0);
  });

  test('changes nothing that the owner entered', async () => {
    const device = await world.install({ ratedPowerW: 10_000 });
    await database()
      .db.updateTable('device')
      .set({ model: 'Mine', facts: '{"firmwareVersion":"1"}' })
      .where('id', '=', device.deviceId)
      .execute();
    await post(device, { devices: [full(device.sn)] });
    expect(await described(device.sn)).toEqual({
      model: 'Mine',
      ratedPowerW: 10_000,
      firmwareVersion: '1',
      dcInputs: 2,
      profile: 'solis-storage',
    });
  });

  test('bounds the readings of the same report', async () => {
    const device = await world.install({ ratedPowerW: null });
    const reading = (acPowerW: number, minutes: number) => ({
      sn: device.sn,
      at: clock.at - minutes * 60_000,
      values: { acPowerW },
    });
    const answer = await post(device, {
      readings: [reading(24_000, 3), reading(24_001, 2), reading(1e12, 1)],
      devices: [full(device.sn)],
    });
    const reason = 'acPowerW is beyond 24000 W, which the device cannot reach';
    expect(answer).toMatchObject({
      accepted: 1,
      refused: [
        { index: 1, reason },
        { index: 2, reason },
      ],
    });
    expect(await listCollectorRefusals(database().db, device.collectorId, 10)).toMatchObject([
      { sn: device.sn, reason, count: 2 },
    ]);
  });

  test('a reading of a device of which nothing is known is bounded too', async () => {
    const device = await world.install({ ratedPowerW: null });
    const readings = [9_999_999, -1e12].map((acPowerW, i) => ({
      sn: device.sn,
      at: clock.at - i * 60_000,
      values: { energyTodayKwh: 1, acPowerW },
    }));
    expect(await post(device, { readings })).toMatchObject({
      accepted: 2,
      refused: [],
      dropped: [
        {
          index: 1,
          quantity: 'acPowerW',
          reason: 'beyond 10000000 W, which the device cannot reach',
        },
      ],
    });
  });

  test('is refused one by one, with the reason, and shown to who asks for the collector', async () => {
    const [device, other] = [
      await world.install({ ratedPowerW: null }),
      await world.install({ ratedPowerW: null }),
    ];
    const { sn } = device;
    const wrong: [unknown, RegExp][] = [
      [7, /a device must be an object/],
      [[], /a device must be an object/],
      [{ sn: 'A B' }, /sn must be/],
      [{ sn, model: '' }, /model must be/],
      [{ sn, model: 'x'.repeat(101) }, /model must be/],
      [{ sn, model: { deep: [] } }, /model must be/],
      [{ sn, firmware: 'a\u0000b' }, /firmware must be/],
      [{ sn, firmware: '\ud800' }, /firmware must be/],
      [{ sn, modelCode: '' }, /modelCode must be/],
      [{ sn, profile: '' }, /profile must be/],
      [{ sn, profile: 7 }, /profile must be/],
      [{ sn, displayVersion: '4g00' }, /displayVersion must be/],
      [{ sn, displayVersion: '' }, /displayVersion must be/],
      [{ sn, displayVersion: '123456789' }, /displayVersion must be/],
      [{ sn, displayVersion: 4096 }, /displayVersion must be/],
      [{ sn, ratedPowerW: 0 }, /ratedPowerW must be/],
      [{ sn, ratedPowerW: 1e12 }, /ratedPowerW must be/],
      [{ sn, ratedPowerW: '8000' }, /ratedPowerW must be/],
      [{ sn, strings: 33 }, /strings must be/],
      [{ sn, strings: 1.5 }, /strings must be/],
      [{ sn, model: 'x'.repeat(20_000) }, /at most 16 KiB/],
      [{ sn: other.sn, model: 'Taken' }, /is bound to this collector/],
      [{ sn: 'UNKNOWN' }, /is bound to this collector/],
    ];
    const { devices } = await post(device, { devices: [...wrong.map(([each]) => each), full(sn)] });
    expect(devices).toEqual({
      accepted: 1,
      duplicate: 0,
      refused: wrong.map(([, reason], index) => ({ index, reason: expect.stringMatching(reason) })),
    });
    expect(await described(other.sn)).toEqual({ model: null, ratedPowerW: null });
    expect(await listCollectorRefusals(database().db, device.collectorId, 50)).toContainEqual(
      expect.objectContaining({ sn: other.sn }),
    );
  });
});
