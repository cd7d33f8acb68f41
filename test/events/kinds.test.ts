import { expect, test } from 'vitest';
import { eventKinds } from '@helioport/contract';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { sinceOf } from '../../packages/server/src/identity/oauth/access-since.ts';
import { revokeGrant } from '../../packages/server/src/identity/oauth/grants.ts';
import { bindDevice, unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { updatePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { changeTimeZone } from '../../packages/server/src/fleet/plants/zones.ts';
import { createMemorySeries } from '../support/memory-series.ts';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { addClient } from '../oauth/fixture.ts';
import { describeEngines } from '../support/engines.ts';
import { createForwardingScene } from '../forwarding/scene.ts';

const NOWHERE = 'https://receiver.example/events';
const MINUTE = 60_000;

describeEngines('what is recorded as an event', (database) => {
  const scene = createForwardingScene(database);
  const { clock } = scene;
  const eventsOf = async (subject: string) =>
    (await scene.logged()).filter((event) => event.subject === subject);

  test('readings, late and corrected ones too, once each and in the transaction that stores them', async () => {
    const { device } = await scene.connected(NOWHERE, { kinds: ['telemetry.sample'] });
    const at = clock.at;
    await scene.report(device, [
      { at: at - 10 * MINUTE, values: { acPowerW: 1000.5, energyTotalKwh: 812.25 } },
      { at: at - 5 * MINUTE, values: { acPowerW: -0.1 } },
    ]);
    await scene.report(device, [{ at: at - 5 * MINUTE, values: { acPowerW: -0.1 } }]);
    await scene.report(device, [
      { at: at - 5 * MINUTE, values: { temperatureC: 20 } },
      { at: at - 7 * MINUTE, values: { acPowerW: 7 } },
    ]);
    const events = await eventsOf(device.deviceId);
    expect(
      events.map(({ sequence, occurredAt, data, sn, plantId }) => ({
        sequence,
        occurredAt: occurredAt - at,
        data,
        sn,
        plantId,
      })),
    ).toEqual([
      {
        sequence: 1,
        occurredAt: -10 * MINUTE,
        data: { at: at - 10 * MINUTE, values: { acPowerW: 1000.5, energyTotalKwh: 812.25 } },
        sn: device.sn,
        plantId: device.plantId,
      },
      {
        sequence: 2,
        occurredAt: -5 * MINUTE,
        data: { at: at - 5 * MINUTE, values: { acPowerW: -0.1 } },
        sn: device.sn,
        plantId: device.plantId,
      },
      {
        sequence: 3,
        occurredAt: -7 * MINUTE,
        data: { at: at - 7 * MINUTE, values: { acPowerW: 7 }, amended: true },
        sn: device.sn,
        plantId: device.plantId,
      },
      {
        sequence: 4,
        occurredAt: -5 * MINUTE,
        data: { at: at - 5 * MINUTE, values: { acPowerW: -0.1, temperatureC: 20 }, amended: true },
        sn: device.sn,
        plantId: device.plantId,
      },
    ]);
  });

  test('nothing where no destination could want it: none at all, none of a granted application, none that takes the kind', async () => {
    const device = await scene.install();
    const ownerId = await scene.ownerOf(device.plantId);
    const blocks = await database().db.selectFrom('sequenceBlock').selectAll().execute();
    const reading = () =>
      scene.report(device, [{ at: (clock.at += 1_000), values: { acPowerW: 1 } }]);
    await reading();
    const { application } = await addClient(scene);
    await scene.grant(application.id, ownerId);
    await reading();
    await scene.destination(application, NOWHERE, { kinds: ['alarm.raised'] });
    await reading();
    expect(await eventsOf(device.deviceId)).toEqual([]);
    expect(await database().db.selectFrom('sequenceBlock').selectAll().execute()).toEqual(blocks);
    await scene.destination(application, NOWHERE, { kinds: ['telemetry.sample'] });
    await reading();
    expect((await eventsOf(device.deviceId)).map(({ sequence }) => sequence)).toEqual([1]);
  });

  test('nothing of an ammeter', async () => {
    const { device } = await scene.connected(NOWHERE);
    const meter = await scene.device(device.plantId, { kind: 'ammeter' });
    await database()
      .db.updateTable('device')
      .set({ collectorId: device.collectorId })
      .where('id', '=', meter.id)
      .execute();
    await scene.report({ ...device, sn: meter.sn }, [{ at: clock.at, values: { acPowerW: 1 } }]);
    await scene.write((trx) => unbindDevice(trx, scene.act(), meter.id, device.plantId));
    expect(await eventsOf(meter.id)).toEqual([]);
  });

  test('an engine without transactions repeats what a failed attempt may have stored without recording it', async () => {
    const { device } = await scene.connected(NOWHERE, { kinds: ['telemetry.sample'] });
    const { db } = database();
    const ingest = createIngest({ db, clock, series: createMemorySeries(createFieldLists(db)) });
    const readings = [{ sn: device.sn, at: clock.at, values: { acPowerW: 3 } }];
    await ingest({ collectorId: device.collectorId }, readings);
    expect(await ingest({ collectorId: device.collectorId }, readings)).toMatchObject({
      accepted: 0,
      duplicate: 1,
    });
    expect((await eventsOf(device.deviceId)).map(({ data }) => data['values'])).toEqual([
      { acPowerW: 3 },
      { acPowerW: 3 },
    ]);
  });

  test('changes of state, alarms, comings and goings, and changes of the plant', async () => {
    const { device } = await scene.connected(NOWHERE);
    const { deviceId, plantId } = device;
    await scene.report(device, [{ at: clock.at, values: { acPowerW: 1 } }]);
    const circumstances = { now: clock.at, newId: scene.newId };
    const beginAt = clock.at - 1_000;
    await scene.write((trx) =>
      changeAlarms(trx, circumstances, deviceId, [
        { raise: { code: 'E1', level: 2, message: 'too hot', beginAt } },
      ]),
    );
    await scene.write((trx) =>
      changeAlarms(trx, circumstances, deviceId, [{ clear: { code: 'E1', endAt: clock.at } }]),
    );
    await scene.write((trx) => unbindDevice(trx, scene.act(), deviceId, plantId));
    await scene.write((trx) => updatePlant(trx, scene.act(), plantId, { capacityKwp: 12 }));
    await scene.write((trx) => changeTimeZone(trx, scene.act(), plantId, 'Europe/Berlin'));
    const kindsOf = (events: Awaited<ReturnType<typeof eventsOf>>) =>
      events.map(({ kind, sequence, data }) => [kind, sequence, data]);
    const alarm = { code: 'E1', level: 2, message: 'too hot', beginAt };
    expect(kindsOf(await eventsOf(deviceId))).toEqual([
      ['telemetry.sample', 1, { at: clock.at, values: { acPowerW: 1 } }],
      ['device.state', 1, { state: 'online', formerState: 'offline', unexpected: false }],
      ['alarm.raised', 1, { alarmId: expect.any(String), ...alarm }],
      ['device.state', 2, { state: 'alarm', formerState: 'online', unexpected: false }],
      ['alarm.cleared', 1, { alarmId: expect.any(String), ...alarm, endAt: clock.at }],
      ['device.state', 3, { state: 'online', formerState: 'alarm', unexpected: false }],
      ['device.unbound', 1, { deviceKind: 'inverter' }],
    ]);
    expect(kindsOf(await eventsOf(plantId))).toEqual([
      ['plant.changed', 1, { changed: ['capacityKwp'] }],
      ['plant.changed', 2, { changed: ['timeZone'] }],
    ]);
  });

  test('an alarm that continues once its device is back in its plant, as one that began', async () => {
    const { device } = await scene.connected(NOWHERE, { kinds: ['alarm.raised'] });
    const { deviceId, plantId } = device;
    const circumstances = { now: clock.at, newId: scene.newId };
    const raised = {
      code: 'H106',
      level: 2,
      message: 'too hot',
      beginAt: clock.at - 1_000,
    } as const;
    await scene.write((trx) => changeAlarms(trx, circumstances, deviceId, [{ raise: raised }]));
    await scene.write((trx) => unbindDevice(trx, scene.act(), deviceId, plantId));
    await scene.write((trx) => changeAlarms(trx, circumstances, deviceId, []));
    await scene.write((trx) => bindDevice(trx, scene.act(), deviceId, plantId));
    await scene.write((trx) =>
      changeAlarms(trx, circumstances, deviceId, [{ resume: { code: 'H106', leftAt: clock.at } }]),
    );
    const [first, second, ...rest] = await eventsOf(deviceId);
    expect([second?.data, rest]).toEqual([first!.data, []]);
  });

  test('authorizations, to the application that they concern', async () => {
    const { application, ownerId, grantId } = await scene.connected(NOWHERE);
    await scene.grant(application.id, ownerId, ['123'], 3);
    await scene.write((trx) => revokeGrant(trx, scene.act(), grantId, ownerId));
    const events = await eventsOf(grantId);
    expect(
      events.map(({ kind, sequence, plantId, data }) => [kind, sequence, plantId, data]),
    ).toEqual([
      [
        'authorization.granted',
        1,
        null,
        { authorizationId: grantId, account: ownerId, scopes: ['access_data'], plantIds: null },
      ],
      [
        'authorization.granted',
        2,
        null,
        {
          authorizationId: grantId,
          account: ownerId,
          scopes: ['access_data', 'control_device'],
          plantIds: ['123'],
        },
      ],
      [
        'authorization.revoked',
        1,
        null,
        { authorizationId: grantId, account: ownerId, reason: 'revoked' },
      ],
    ]);
  });

  test('an authorization knows since when it has covered each plant', async () => {
    const { application, ownerId } = await scene.connected(NOWHERE);
    const standing = async (id: string) =>
      database()
        .db.selectFrom('oauthGrant')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const begun = clock.at;
    const id = await scene.grant(application.id, ownerId);
    clock.at += 1_000;
    await scene.grant(application.id, ownerId, ['1', '2']);
    expect(sinceOf(await standing(id), '1')).toBe(begun);
    clock.at += 1_000;
    const widened = clock.at;
    await scene.grant(application.id, ownerId, ['2', '3']);
    expect([sinceOf(await standing(id), '2'), sinceOf(await standing(id), '3')]).toEqual([
      begun,
      widened,
    ]);
    clock.at += 1_000;
    await scene.grant(application.id, ownerId);
    expect([sinceOf(await standing(id), '2'), sinceOf(await standing(id), '1')]).toEqual([
      begun,
      clock.at,
    ]);
    // Without access to data in between, everything begins anew.
    await scene.grant(application.id, ownerId, null, 2);
    clock.at += 1_000;
    await scene.grant(application.id, ownerId);
    expect(sinceOf(await standing(id), '2')).toBe(clock.at);
  });

  test('every kind has a bit of its own', () => {
    const bits = Object.values(eventKinds).map(({ bit }) => bit);
    expect(new Set(bits).size).toBe(bits.length);
    expect(bits.every((bit) => Math.log2(bit) % 1 === 0)).toBe(true);
  });
});
