import { expect, test } from 'vitest';
import { revokeGrant } from '../../packages/server/src/identity/oauth/grants.ts';
import {
  changeApplication,
  disableApplication,
} from '../../packages/server/src/identity/oauth/applications.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { endBinding, bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { createKilledSteps } from '../closing/killed-steps.ts';
import { describeStrategies, EVENING, type Battery, type Partner } from './scene.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Case {
  readonly here: Battery;
  readonly partner: Partner;
  readonly id: string;
}

describeStrategies('the former settings come back (C32)', (scene) => {
  const { clock, write, act, database, settle, wait, stored } = scene;

  /** A strategy that is in force on a battery. */
  const inForce = async (
    body: Record<string, unknown> = {},
  ): Promise<Case & { before: Record<string, string> }> => {
    const here = await scene.battery();
    const partner = await scene.partner(here.ownerId);
    const before = here.registers();
    const id = await partner.dispatch({ sn: here.sn, ...body });
    await settle(here);
    expect(await stored(id, here)).toMatchObject({ state: 'active', endedAt: null });
    // The export is limited, and what is left of the energy is not sold first.
    expect(here.registers()).toEqual({ ...before, 230: '1000', 636: '33' });
    return { here, partner, id, before };
  };

  /** How a strategy ends, and in which state that leaves its device. */
  const ends: readonly [string, (one: Case) => Promise<unknown>, state: string, body?: object][] = [
    ['when its time is over', ({ here }) => wait(2 * HOUR_MS, here), 'completed'],
    [
      'when the application cancels it',
      ({ partner, id }) => partner.ask('strategy/cancel', { id }),
      'cancelled',
    ],
    [
      'when the owner stops it',
      ({ here, id }) => scene.callAs(here.ownerId, 'strategy/stop', { id }),
      'cancelled',
    ],
    [
      'when the operator stops it',
      ({ id }) =>
        scene.ask('strategy/stop', { kind: 'operator', accountId: null, plantIds: null }, { id }),
      'cancelled',
    ],
    [
      'when the owner withdraws the authorization',
      ({ partner }) => write((trx) => revokeGrant(trx, act(), partner.caller.grantId, null)),
      'cancelled',
    ],
    [
      'when the application gives its refresh token back',
      ({ partner }) => scene.running.revoke(partner.client, partner.refreshToken),
      'cancelled',
    ],
    [
      'when its refresh token expires',
      ({ here }) => wait(31 * DAY_MS, here),
      'cancelled',
      { end: Date.parse('2026-12-31T00:00:00Z') },
    ],
    [
      'when the owner leaves the plant out of the authorization',
      ({ partner }) =>
        database()
          .db.updateTable('oauthGrant')
          .set({ plantIds: '["1300000000000000000"]' })
          .where('id', '=', partner.caller.grantId)
          .execute(),
      'cancelled',
    ],
    [
      'when the application loses the scope',
      ({ partner: { client } }) =>
        write((trx) =>
          changeApplication(trx, act(), client.application.id, { scopes: ['access_data'] }),
        ),
      'cancelled',
    ],
    [
      'when the application is disabled',
      ({ partner: { client } }) =>
        write((trx) => disableApplication(trx, act(), client.application.id)),
      'cancelled',
    ],
    [
      'when no heartbeat arrives',
      ({ here }) => wait(61_000, here),
      'cancelled',
      { heartbeatSeconds: 60 },
    ],
    [
      'when the owner stops the writes of others',
      ({ here }) => scene.callAs(here.ownerId, 'control/stop', { plantId: here.plantId }),
      'cancelled',
    ],
    [
      'when the owner closes the account',
      ({ here }) =>
        scene.ask(
          'user/close',
          { kind: 'operator', accountId: null, plantIds: null },
          { email: here.ownerEmail },
        ),
      'cancelled',
    ],
    [
      'when the plant goes to another owner',
      async ({ here }) => {
        const { id } = await scene.person();
        await write((trx) => transferPlant(trx, act(), here.plantId, id));
      },
      'cancelled',
    ],
  ];

  test('one that goes on elsewhere says when and why it ended here', async () => {
    const { here, partner } = await inForce();
    await database()
      .db.updateTable('oauthGrant')
      .set({ plantIds: '["1300000000000000000"]' })
      .where('id', '=', partner.caller.grantId)
      .execute();
    await wait(5_000, here);
    const { body } = await scene.callAs(here.ownerId, 'strategy/list', { plantId: here.plantId });
    expect(body.data).toMatchObject([
      {
        state: 'cancelled',
        reason: 'the authorization is for other plants',
        endedAt: expect.any(Number),
      },
    ]);
  });

  test.each(ends)('%s', async (_, end, state, body = {}) => {
    const { here, id, before, ...one } = await inForce({ ...body });
    await end({ here, id, ...one });
    await wait(5_000, here);
    expect(here.registers()).toEqual(before);
    expect(await stored(id, here)).toMatchObject({ state, restoredAt: expect.any(Number) });
    // Nothing is done twice, and nothing comes back.
    const writes = here.written.length;
    await wait(DAY_MS, here);
    expect(here.written.length).toBe(writes);
    expect(here.registers()).toEqual(before);
  });

  test('by a step of the closing of its account, which says so', async () => {
    const { here, id, before } = await inForce();
    await scene.ask(
      'user/close',
      { kind: 'operator', accountId: null, plantIds: null },
      { email: here.ownerEmail },
    );
    await createKilledSteps(database, { clock, ids: scene.newId, outbox: null }).all();
    expect(await stored(id, here)).toMatchObject({
      state: 'cancelled',
      reason: 'the owner of the plant closed the account',
      restoredAt: null,
    });
    await wait(5_000, here);
    expect(here.registers()).toEqual(before);
  });

  test('when a device that was offline at the end returns after an hour', async () => {
    const { here, id, before, partner } = await inForce();
    here.isOnline = false;
    await partner.ask('strategy/cancel', { id });
    await wait(HOUR_MS, here);
    expect(here.registers()).toMatchObject({ 230: '1000' });
    expect(await stored(id, here)).toMatchObject({ state: 'cancelled', restoredAt: null });
    here.isOnline = true;
    await wait(1_000, here);
    expect(here.registers()).toEqual(before);
    expect(await stored(id, here)).toMatchObject({ restoredAt: clock.at });
  });

  test('when it returns after a week, from which it was away when the strategy ended', async () => {
    const { here, before } = await inForce();
    here.isOnline = false;
    for (let day = 0; day < 7; day++) await wait(DAY_MS, here);
    here.isOnline = true;
    await wait(1_000, here);
    expect(here.registers()).toEqual(before);
  });

  test('but for what was written by hand in the meantime: it pauses the strategy, and stays (C33)', async () => {
    const { here, id, before } = await inForce();
    await scene.send(here, '230', '2000');
    await settle(here);
    expect(here.registers()).toEqual({ ...before, 230: '2000' });
    expect(await stored(id, here)).toMatchObject({
      state: 'paused',
      reason: 'parameter 230 was written by hand',
    });
    // Now, the owner changes something that the strategy has nothing to do with.
    await scene.send(here, '157', '40');
    await settle(here);
    await wait(2 * HOUR_MS, here);
    expect(here.registers()).toEqual({ ...before, 230: '2000', 157: '40' });
    expect(await stored(id, here)).toMatchObject({
      state: 'cancelled',
      reason: 'parameter 230 was written by hand',
    });
  });

  test('but for what was written by hand; its owner can have it go on, and that is given back at the end', async () => {
    const { here, id, before } = await inForce();
    const applied = here.registers();
    await scene.send(here, '230', '2000');
    await settle(here);
    expect(await stored(id, here)).toMatchObject({ state: 'paused' });
    const pausedAt = clock.at;
    await wait(HOUR_MS / 2, here);
    // Nobody else may, and nothing else is resumed.
    const { id: stranger } = await scene.person();
    expect((await scene.callAs(stranger, 'strategy/resume', { id })).body.code).toBe('R0000');
    const resumed = await scene.callAs(here.ownerId, 'strategy/resume', { id });
    expect(resumed.body).toMatchObject({ code: '0' });
    await settle(here);
    expect(await stored(id, here)).toMatchObject({ state: 'active', reason: null });
    expect(here.registers()).toEqual(applied);
    // Where nothing is paused, nothing happens.
    expect((await scene.callAs(here.ownerId, 'strategy/resume', { id })).body.code).toBe('0');
    const [pause] = await scene
      .db()
      .selectFrom('strategyPause')
      .selectAll()
      .where('strategyId', '=', id)
      .execute();
    expect(pause!.fromAt).toBeLessThanOrEqual(pausedAt);
    expect(pause!.toAt).toBeGreaterThan(pausedAt);
    await wait(2 * HOUR_MS, here);
    expect(here.registers()).toEqual({ ...before, 230: '2000' });
  });

  test('whatever an installer writes pauses it, too, and an application’s write does not', async () => {
    const { here, id, partner } = await inForce();
    await scene.whileObeying(here, () =>
      partner.ask('control', { inverterSn: here.sn, cid: '157', value: '35' }),
    );
    await settle(here);
    expect(await stored(id, here)).toMatchObject({ state: 'active' });
    await scene.send(here, '157', '36', {}, { kind: 'operator', accountId: null, plantIds: null });
    await settle(here);
    expect(await stored(id, here)).toMatchObject({ state: 'paused' });
  });

  test('a write by hand that never reached the device changes nothing of what is restored', async () => {
    const { here, before } = await inForce();
    here.isOnline = false;
    await scene.send(here, '230', '2000');
    await wait(10 * 60_000, here);
    here.isOnline = true;
    await wait(1_000, here);
    expect(here.registers()).toEqual(before);
  });

  test('when a setting cannot be applied: the strategy fails on that device', async () => {
    const here = await scene.battery();
    const before = here.registers();
    const partner = await scene.partner(here.ownerId);
    here.lost.add('230');
    const id = await partner.dispatch({ sn: here.sn });
    for (let i = 0; i < 5; i++) await wait(5_000, here);
    expect(await stored(id, here)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining(
        'export limit of the system: the device has not taken the value',
      ),
    });
    here.lost.clear();
    await wait(60_000, here);
    expect(here.registers()).toEqual(before);
    expect((await partner.ask('strategy/detail', { id })).body.data).toMatchObject({
      state: 'failed',
      devices: { failed: 1 },
    });
  });

  test('a setting that could not be restored is tried again, later and later', async () => {
    const { here, id, before, partner } = await inForce();
    here.lost.add('230');
    await partner.ask('strategy/cancel', { id });
    for (let i = 0; i < 5; i++) await wait(5_000, here);
    expect(here.registers()).toEqual({ ...before, 230: '1000' });
    const tried = here.written.length;
    for (let i = 0; i < 8; i++) await wait(3_000, here);
    expect(here.written.length).toBe(tried);
    const minutes: number[] = [];
    for (let minute = 0; minute < 90; minute++) {
      const writes = here.written.length;
      await wait(60_000, here);
      if (here.written.length > writes) minutes.push(minute);
    }
    const pauses = minutes.slice(1).map((minute, i) => minute - minutes[i]!);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(pauses.at(-1)).toBeGreaterThan(4 * pauses[0]!);
    here.lost.clear();
    await wait(HOUR_MS, here);
    expect(here.registers()).toEqual(before);
    expect(await stored(id, here)).toMatchObject({ restoredAt: expect.any(Number) });
  });

  test('a device that left its plant is restored when it is back', async () => {
    const { here, id, before } = await inForce();
    await write((trx) => endBinding(trx, act(), here.deviceId, here.plantId));
    await wait(5_000, here);
    expect(await stored(id, here)).toMatchObject({
      state: 'cancelled',
      reason: 'the device left the plant',
      restoredAt: null,
    });
    await write((trx) => bindDevice(trx, act(), here.deviceId, here.plantId));
    await wait(HOUR_MS, here);
    expect(here.registers()).toEqual(before);
  });

  test('a disabled owner ends it, and has the former settings back once enabled again', async () => {
    const { here, id, before } = await inForce();
    const operator = { kind: 'operator', accountId: null, plantIds: null } as const;
    await scene.ask('user/disable', operator, { email: here.ownerEmail });
    // Its collector is not listened to any more.
    await wait(5_000);
    expect(await stored(id, here)).toMatchObject({
      state: 'cancelled',
      reason: 'the authorization has ended',
      restoredAt: null,
    });
    await scene.ask('user/enable', operator, { email: here.ownerEmail });
    await wait(1_000, here);
    expect(here.registers()).toEqual(before);
  });

  test('but for what the owner does not want back: a restoring write can be cancelled, like any other', async () => {
    const { here, id, before, partner } = await inForce();
    here.isOnline = false;
    await partner.ask('strategy/cancel', { id });
    await settle(here);
    const waiting = (await scene.ask('command/list', here.owner, { sn: here.sn })).find(
      ({ door, parameter }) => door === 'service' && parameter === '230',
    )!;
    await scene.ask('command/cancel', here.owner, { id: waiting.id });
    await settle(here);
    here.isOnline = true;
    await wait(1_000, here);
    expect(here.registers()).toEqual({ ...before, 230: '1000' });
    expect(await stored(id, here)).toMatchObject({ restoredAt: expect.any(Number) });
  });

  test('an archived plant ends it as well', async () => {
    const { here, id } = await inForce();
    await write((trx) => archivePlant(trx, act(), here.plantId));
    await wait(5_000);
    expect(await stored(id, here)).toMatchObject({
      state: 'cancelled',
      reason: 'the device left the plant',
    });
  });
});

describeStrategies('a plan in the slots of a device (C36)', (scene) => {
  const { settle, wait } = scene;

  test('is put in as a whole, so that a lost link leaves no battery without orders, and taken out again', async () => {
    const here = await scene.battery();
    const before = here.registers();
    const partner = await scene.partner(here.ownerId);
    const id = await partner.dispatch({
      sn: here.sn,
      intervals: EVENING,
      end: scene.clock.at + 3 * DAY_MS,
    });
    await settle(here);
    const now = here.registers();
    // The first slots of charging and discharging: 3 kW and 2.5 kW at 51.2 V.
    expect(now).toMatchObject({
      5946: '02:00-05:00',
      5948: '58',
      5928: '90',
      5916: '1',
      5964: '17:00-20:00',
      5967: '48',
      5965: '20',
      5922: '1',
    });
    expect(Number(now['636']) & 2).toBe(2);
    const writes = here.written.length;
    await wait(DAY_MS, here);
    expect(here.registers()).toEqual(now);
    expect(here.written.length).toBe(writes);
    await scene.ask('strategy/cancel', partner.caller, { id });
    await settle(here);
    expect(here.registers()).toEqual(before);
  });

  test('off and on again use two parameters for one memory', async () => {
    const here = await scene.battery();
    const before = here.registers();
    const partner = await scene.partner(here.ownerId);
    const id = await partner.dispatch({
      sn: here.sn,
      intervals: [{ start: '12:00', end: '13:00', payload: { type: 'off' } }],
    });
    await settle(here);
    expect(here.registers()['52']).toBe('222');
    await wait(61 * 60_000, here);
    expect(here.registers()).toEqual(before);
    expect((await partner.ask('strategy/detail', { id })).body.data).toMatchObject({
      state: 'active',
    });
    await wait(23 * HOUR_MS, here);
    expect(here.registers()).toEqual(before);
  });

  test('off is taken back when the strategy is cancelled meanwhile', async () => {
    const here = await scene.battery();
    const before = here.registers();
    const partner = await scene.partner(here.ownerId);
    const id = await partner.dispatch({
      sn: here.sn,
      intervals: [{ start: '12:00', end: '13:00', payload: { type: 'off' } }],
    });
    await settle(here);
    await partner.ask('strategy/cancel', { id });
    await settle(here);
    expect(here.registers()).toEqual(before);
  });
});
