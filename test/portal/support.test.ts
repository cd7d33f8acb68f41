import { hasDoor, operations, type OperationId } from '@helioport/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  changeRole,
  disableAccount,
  enableAccount,
  findAccount,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import { SUPPORT_MS, sweepSupport } from '../../packages/server/src/identity/accounts/support.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { addApp } from '../accounts/factors/fixture.ts';
import { createFleet } from '../operations/fleet.ts';
import { createScene, SCENE_NOW } from '../operations/scene.ts';
import { describeEngines } from '../support/engines.ts';
import {
  startPortal,
  visitAs,
  type PortalAnswer,
  type PortalVisitor,
  type TestPortal,
} from '../support/portal.ts';
import { settableClock } from '../support/world.ts';

const REFUSED = { status: 200, body: { success: false, code: 'R0000', data: null } };

describeEngines('support with consent', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await startPortal(database(), clock);
  });
  afterAll(() => portal.close());

  const logIn = async (accountId: string): Promise<PortalVisitor> =>
    (await visitAs(fleet, portal.url, accountId)).visitor;
  const operator = async () => {
    const account = await fleet.person({ role: 'operator' });
    await addApp(fleet, database().db, account.id);
    return { ...account, visitor: await logIn(account.id) };
  };
  const household = async () => {
    const scene = await createScene(fleet);
    return { ...scene, visitor: await logIn(scene.owner) };
  };
  const allow = async (visitor: PortalVisitor): Promise<string> =>
    (await visitor.call('support/allow')).body.data.id;
  const look = (
    visitor: PortalVisitor,
    permission: string | undefined,
    id: string,
    body: unknown = {},
  ): Promise<PortalAnswer> =>
    visitor.post(`/portal/support/${id}`, body, { 'X-Helioport-Support': permission });

  test('an operator sees what the owner sees, for exactly an hour, and nothing before', async () => {
    const { visitor, plantId, devices } = await household();
    const { visitor: supporter } = await operator();
    expect(await look(supporter, undefined, 'userStationList')).toMatchObject(REFUSED);
    const given = (await visitor.call('support/allow')).body.data;
    expect(given).toEqual({
      id: expect.stringMatching(/^\d{19}$/),
      createdAt: clock.at,
      expiresAt: clock.at + SUPPORT_MS,
    });
    expect((await visitor.session()).support).toEqual({ id: given.id, expiresAt: given.expiresAt });
    expect((await look(supporter, given.id, 'stationDetail', { id: plantId })).body).toEqual(
      (await visitor.call('stationDetail', { id: plantId })).body,
    );
    expect(
      (await look(supporter, given.id, 'inverterDetail', { sn: devices.inverter.sn })).body.code,
    ).toBe('0');
    expect(
      (await look(supporter, given.id, 'control/state', { plantId })).body.data?.mayWrite ?? false,
    ).toBe(false);
    clock.at = given.expiresAt - 1;
    expect((await look(supporter, given.id, 'stationDetail', { id: plantId })).body.code).toBe('0');
    clock.at = given.expiresAt;
    expect(await look(supporter, given.id, 'stationDetail', { id: plantId })).toMatchObject(
      REFUSED,
    );
    expect((await visitor.session()).support).toBeNull();
    // What is over cannot be ended by anybody, so the trail does not say so.
    expect(await visitor.call('support/end', { id: given.id })).toMatchObject(REFUSED);
    expect(
      (await supporter.post('/portal/console/support/open')).body.data.map(
        ({ id }: { id: string }) => id,
      ),
    ).not.toContain(given.id);
  });

  test('reaches no plant of anybody else, which is like one that does not exist', async () => {
    const { visitor } = await household();
    const stranger = await createScene(fleet);
    const { visitor: supporter } = await operator();
    const permission = await allow(visitor);
    const foreign = await look(supporter, permission, 'stationDetail', { id: stranger.plantId });
    expect(foreign).toMatchObject(REFUSED);
    expect(foreign.body).toEqual(
      (await look(supporter, permission, 'stationDetail', { id: '1300000000000000000' })).body,
    );
    const all = JSON.stringify((await look(supporter, permission, 'userStationList')).body);
    expect(all).not.toContain(stranger.plantId);
  });

  test('shows nothing of what somebody else shares with the owner, whose it is not to show', async () => {
    const { visitor, owner, plantId } = await household();
    const friend = await createScene(fleet);
    await fleet.write(async (trx) => {
      const act = fleet.act({ actor: `account:${friend.owner}` });
      await sharePlant(trx, act, friend.plantId, (await findAccount(trx, owner))!.email, 'control');
    });
    const { visitor: supporter } = await operator();
    const permission = await allow(visitor);
    expect((await visitor.call('stationDetail', { id: friend.plantId })).body.code).toBe('0');
    expect((await look(supporter, permission, 'stationDetail', { id: plantId })).body.code).toBe(
      '0',
    );
    const { inverter } = friend.devices;
    const asked: readonly [string, unknown][] = [
      ['stationDetail', { id: friend.plantId }],
      ['inverterDetail', { sn: inverter.sn }],
      ['device/day', { id: inverter.id }],
      ['device/ranking', { plantId: friend.plantId }],
      ['strategy/list', { plantId: friend.plantId }],
      ['command/list', { sn: inverter.sn }],
      ['command/parameters', { sn: inverter.sn }],
      ['control/state', { plantId: friend.plantId }],
    ];
    for (const [id, body] of asked)
      expect([id, await look(supporter, permission, id, body)]).toMatchObject([id, REFUSED]);
    for (const id of [
      'userStationList',
      'plant/ranking',
      'plant/positions',
      'inverterList',
      'collectorList',
      'alarmList',
    ]) {
      const listed = (await look(supporter, permission, id, { pageNo: 1, pageSize: 100 })).body;
      expect([id, listed.code]).toEqual([id, '0']);
      expect(JSON.stringify(listed)).not.toMatch(new RegExp(`${friend.plantId}|${inverter.sn}`));
    }
    expect((await look(supporter, permission, 'userStationList')).body.data.page.total).toBe(1);
    expect((await look(supporter, permission, 'plant/overview')).body.data.plants).toBe(1);
    expect((await visitor.call('plant/overview')).body.data.plants).toBe(2);
  });

  test('shows what devices were commanded, and cannot tell them anything', async () => {
    const { visitor, plantId, devices } = await household();
    const { visitor: supporter } = await operator();
    const permission = await allow(visitor);
    const { id: deviceId, sn } = devices.inverter;
    await database()
      .db.updateTable('device')
      .set({ model: 'SIM-8K-ES' })
      .where('id', '=', deviceId)
      .execute();
    const [id] = await fleet.write((trx) =>
      queueCommands(trx, fleet.act(), { kind: 'operator', accountId: null, plantIds: null }, [
        { deviceId, plantId, parameter: '157', value: '20', expiresAt: clock.at + 300_000 },
      ]),
    );
    const listed = (await look(supporter, permission, 'command/list', { sn })).body;
    expect(listed.data).toMatchObject([{ id, state: 'queued', newValue: '20' }]);
    expect(listed).toEqual((await visitor.call('command/list', { sn })).body);
    expect((await look(supporter, permission, 'command/show', { id })).body.data).toMatchObject({
      id,
    });
    for (const write of ['command/send', 'command/cancel', 'command/undo'])
      expect((await look(supporter, permission, write, { id, sn })).status).toBe(404);
    expect(
      (await visitor.call('support/list')).body.data[0].looks.map(
        ({ subject }: { subject: string }) => subject,
      ),
    ).toEqual(expect.arrayContaining([sn, id]));
  });

  test('only reads: no write, no key pair, no account and no export is behind this door', async () => {
    const { visitor } = await household();
    const { visitor: supporter } = await operator();
    const permission = await allow(visitor);
    for (const id of Object.keys(operations) as OperationId[]) {
      const { family, write, permission: needed, doors } = operations[id];
      if (!hasDoor(operations[id], 'support')) {
        expect([id, (await look(supporter, permission, id)).status]).toEqual([id, 404]);
        continue;
      }
      // Nothing that its owner cannot see at the portal.
      expect([id, write, needed, doors.includes('portal' as never)]).toEqual([
        id,
        false,
        expect.stringMatching(/^(read|manage)$/),
        true,
      ]);
      expect([
        'plants',
        'inverters',
        'collectors',
        'epm',
        'weather',
        'ammeters',
        'alarms',
        'strategies',
        'control',
      ]).toContain(family);
    }
    expect(await supporter.get('/portal/exports/1').then((answer) => answer.json())).toMatchObject({
      code: 'R0000',
    });
    // The header opens no other door.
    expect(
      await supporter.call('userStationList', {}, { 'X-Helioport-Support': permission }),
    ).toMatchObject(REFUSED);
  });

  test('ends at once, by the one who ends it first', async () => {
    const { visitor, plantId } = await household();
    const { visitor: supporter } = await operator();
    const { visitor: stranger } = await household();
    const ask = async (permission: string) =>
      (await look(supporter, permission, 'stationDetail', { id: plantId })).body.code;
    const first = await allow(visitor);
    expect(await stranger.call('support/end', { id: first })).toMatchObject(REFUSED);
    expect(await ask(first)).toBe('0');
    expect((await visitor.call('support/end', { id: first })).body.code).toBe('0');
    expect(await ask(first)).toBe('R0000');
    expect(await visitor.call('support/end', { id: first })).toMatchObject(REFUSED);
    const second = await allow(visitor);
    const third = await allow(visitor);
    expect([await ask(second), await ask(third)]).toEqual(['R0000', '0']);
    expect((await supporter.post('/portal/console/support/end', { id: third })).body.code).toBe(
      '0',
    );
    expect(await ask(third)).toBe('R0000');
    expect((await visitor.call('support/list')).body.data).toMatchObject([
      { id: third, endedBy: 'operator', endedAt: clock.at },
      { id: second, endedBy: 'owner' },
      { id: first, endedBy: 'owner' },
    ]);
    expect((await stranger.call('support/list')).body.data).toEqual([]);
  });

  test('is closed to everybody who is no operator, or no more, and while the owner is disabled', async () => {
    const { visitor, owner, plantId } = await household();
    const permission = await allow(visitor);
    const ask = (who: PortalVisitor) => look(who, permission, 'stationDetail', { id: plantId });
    // Not even the owner looks through the own eyes.
    for (const role of ['owner', 'installer', 'developer'] as const)
      expect(await ask(await logIn((await fleet.person({ role })).id))).toMatchObject(REFUSED);
    expect(await ask(visitor)).toMatchObject(REFUSED);
    const plain = await fleet.person({ role: 'operator' });
    expect((await ask(await logIn(plain.id))).body.code).toBe('H0012');
    const disabled = await operator();
    const former = await operator();
    expect([
      (await ask(disabled.visitor)).body.code,
      (await ask(former.visitor)).body.code,
    ]).toEqual(['0', '0']);
    await fleet.write((trx) => disableAccount(trx, fleet.act(), disabled.id));
    await fleet.write((trx) => changeRole(trx, fleet.act(), former, 'developer'));
    expect([(await ask(disabled.visitor)).status, (await ask(former.visitor)).status]).toEqual([
      401, 401,
    ]);
    expect(await ask(await logIn(former.id))).toMatchObject(REFUSED);
    const present = await operator();
    await fleet.write((trx) => disableAccount(trx, fleet.act(), owner));
    expect(await ask(present.visitor)).toMatchObject(REFUSED);
    // Also what asks for no plant.
    expect(await look(present.visitor, permission, 'plant/overview')).toMatchObject(REFUSED);
    await fleet.write((trx) => enableAccount(trx, fleet.act(), owner));
    expect((await ask(present.visitor)).body.code).toBe('0');
    for (const bad of ['', 'x', '1 or 1=1', '9'.repeat(20), '1300000000000000000'])
      expect(await look(present.visitor, bad, 'userStationList')).toMatchObject(REFUSED);
    expect(await present.visitor.call('support/allow')).toMatchObject(REFUSED);
  });

  test('tells the owner who looked at what, and how often', async () => {
    const { visitor, owner, plantId, devices } = await household();
    const [one, two] = [await operator(), await operator()];
    const permission = await allow(visitor);
    const from = clock.at;
    await look(one.visitor, permission, 'stationDetail', { id: plantId });
    clock.at += 5_000;
    await look(one.visitor, permission, 'stationDetail', { id: plantId });
    await look(one.visitor, permission, 'plant/overview');
    await look(two.visitor, permission, 'inverterDetail', { sn: devices.inverter.sn });
    // What is refused was looked for all the same.
    await look(two.visitor, permission, 'stationDetail', { id: '1300000000000000000' });
    // What cannot be read is answered with a complaint alone.
    expect(
      (await look(two.visitor, permission, 'inverterDetailList', { snList: ['\u0000\ud800x'] }))
        .body.code,
    ).toBe('H0001');
    const [{ looks }] = (await visitor.call('support/list')).body.data;
    expect(looks).toEqual(
      expect.arrayContaining([
        {
          operator: one.email,
          operation: 'stationDetail',
          subject: plantId,
          firstAt: from,
          lastAt: clock.at,
          count: 2,
        },
        {
          operator: one.email,
          operation: 'plant/overview',
          subject: '',
          firstAt: clock.at,
          lastAt: clock.at,
          count: 1,
        },
        {
          operator: two.email,
          operation: 'inverterDetail',
          subject: devices.inverter.sn,
          firstAt: clock.at,
          lastAt: clock.at,
          count: 1,
        },
      ]),
    );
    expect(looks).toHaveLength(4);
    const trail = (await visitor.call('user/events', { limit: 20 })).body.data.filter(
      ({ kind }: { kind: string }) => kind.startsWith('support.'),
    );
    expect(trail).toHaveLength(5);
    expect(trail).toContainEqual(
      expect.objectContaining({
        kind: 'support.looked',
        actor: `account:${one.id}`,
        data: { permissionId: permission, operation: 'stationDetail', subject: plantId },
      }),
    );
    expect(trail.at(-1)).toMatchObject({ kind: 'support.allowed', actor: `account:${owner}` });
  });

  test('what is recorded is what was answered about, whatever else the request holds', async () => {
    const { visitor, plantId, devices } = await household();
    const { visitor: supporter } = await operator();
    const permission = await allow(visitor);
    const decoys = {
      stationId: 'decoy',
      inverterSn: 'decoy',
      plantId: 'decoy',
      sn: 'decoy',
      id: 'decoy',
      deviceSn: 'decoy',
    };
    const { plantId: _p, ...forDevices } = { ...decoys, id: undefined };
    expect(
      (await look(supporter, permission, 'stationDetail', { ...decoys, id: plantId })).body.code,
    ).toBe('0');
    expect(
      (
        await look(supporter, permission, 'inverterDetail', {
          ...forDevices,
          sn: devices.inverter.sn,
        })
      ).body.code,
    ).toBe('0');
    const snList = Array.from({ length: 90 }, (_, i) => `SN-LIST-${i}`).join(',');
    expect((await look(supporter, permission, 'inverterDetailList', { snList })).body.code).toBe(
      '0',
    );
    const [{ looks }] = (await visitor.call('support/list')).body.data;
    const seen = looks.map(({ operation, subject }: { operation: string; subject: string }) => [
      operation,
      subject,
    ]);
    expect(seen).toContainEqual(['stationDetail', plantId]);
    expect(seen).toContainEqual(['inverterDetail', devices.inverter.sn]);
    const [, list] = seen.find(([operation]: [string]) => operation === 'inverterDetailList');
    expect(list).toMatch(/^SN-LIST-0, SN-LIST-1, .*…$/);
    expect(list).toHaveLength(500);
    expect(JSON.stringify(seen)).not.toContain('decoy');
  });

  test('of more looks than are shown, the latest are', async () => {
    const { visitor } = await household();
    const { id: operatorId, visitor: supporter } = await operator();
    const permissionId = await allow(visitor);
    const old = {
      permissionId,
      operatorId,
      operation: 'stationDetail',
      firstAt: clock.at - 1,
      lastAt: clock.at - 1,
      count: 1,
    };
    const padding = Array.from({ length: 500 }, (_, i) => ({ ...old, subject: `padding ${i}` }));
    await database().db.insertInto('supportLook').values(padding).execute();
    await look(supporter, permissionId, 'plant/overview');
    const [{ looks }] = (await visitor.call('support/list')).body.data;
    expect(looks).toHaveLength(500);
    expect(looks[0]).toMatchObject({ operation: 'plant/overview', lastAt: clock.at });
  });

  test('of old permissions nothing is kept, of others everything', async () => {
    const { visitor } = await household();
    const { visitor: supporter } = await operator();
    const old = await allow(visitor);
    await look(supporter, old, 'plant/overview');
    const { db } = database();
    clock.at += 10 * SUPPORT_MS;
    const recent = await allow(visitor);
    while ((await sweepSupport(db, clock.at - SUPPORT_MS, 2)) > 0);
    expect(
      (await visitor.call('support/list')).body.data.map(({ id }: { id: string }) => id),
    ).toEqual([recent]);
    expect(
      await db
        .selectFrom('supportLook')
        .select('operation')
        .where('permissionId', '=', old)
        .execute(),
    ).toEqual([]);
  });
});
