import { operations, type OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { rememberRefusals } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { assignCollector, findDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { minimal } from './fixture.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const SOUTH = { tiltDegrees: 30, azimuthDegrees: 180, capacityKwp: 4.2 };
const AT_ONCE = 12;

describeEngines('the installation of a plant', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);
  const { write, act } = fleet;
  const as = ({ id }: Pick<Account, 'id'>, change = {}): Caller => userCaller(id, change);
  const codeOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      ({ code, message }) => code ?? message,
    );
  const collectorIn = async (plantId: string | null) => {
    const sn = fleet.uniqueSn('COL');
    const made = await write((trx) => insertCollector(trx, act(), { sn }));
    if (plantId !== null) await write((trx) => bindDevice(trx, act(), made.id, plantId));
    return { ...made, sn };
  };
  /** Has a collector report a serial number that nobody has bound. */
  const report = async (collectorId: string): Promise<string> => {
    const sn = fleet.uniqueSn('NEW');
    await write((trx) =>
      rememberRefusals(trx, collectorId, [{ sn, reason: 'unknown' }], clock.now()),
    );
    return sn;
  };
  /** A plant with an inverter behind a collector, and another one that waits. */
  const site = async (owner: Account) => {
    const plantId = await fleet.plant(owner.id, { timeZone: 'UTC' });
    const collector = await collectorIn(plantId);
    const { id, sn } = await fleet.device(plantId, { model: 'SIM-8K-ES' });
    await write((trx) => assignCollector(trx, id, collector.id));
    return { plantId, collector, id, sn, waiting: await report(collector.id) };
  };
  type Site = Awaited<ReturnType<typeof site>>;
  const share = (plantId: string, { email }: Account, level: 'read' | 'control' | 'install') =>
    write((trx) => sharePlant(trx, act(), plantId, email, level));

  /** Everything that installing allows; an operation with that permission and no row here fails. */
  const rows: Readonly<Partial<Record<OperationId, (site: Site) => Record<string, unknown>>>> = {
    'collector/create': ({ plantId }) => ({ plantId }),
    'collector/replaceToken': ({ plantId, collector }) => ({ plantId, sn: collector.sn }),
    'device/edit': ({ plantId, sn }) => ({ plantId, sn, name: 'Garage', ratedPower: 8 }),
    'device/replace': ({ plantId, sn, waiting }) => ({ plantId, sn, by: waiting }),
    'discovery/list': ({ plantId }) => ({ plantId }),
    'discovery/bind': ({ waiting }) => ({ sn: waiting }),
    'plant/edit': ({ plantId }) => ({ plantId, capacityKwp: 12, tiltDegrees: 20 }),
    'plant/setArrays': ({ plantId }) => ({ plantId, arrays: [SOUTH] }),
  };
  const ids = Object.keys(rows) as OperationId[];

  test('is every operation that needs the permission for it', () => {
    expect(ids.toSorted()).toEqual(
      Object.values(operations)
        .filter(({ permission }) => permission === 'install')
        .map(({ id }) => id as string)
        .toSorted(),
    );
  });

  test.each(ids)('is for its owner and those whom the owner lets install it: %s', async (id) => {
    const [owner, boss, stranger] = [
      await fleet.person(),
      await fleet.person(),
      await fleet.person(),
    ];
    const colleague = await fleet.person();
    await fleet.wire('company/found', as(boss), { name: 'Sun & Sons' });
    const joining = await fleet.wire('company/invite', as(boss), { email: colleague.email });
    await fleet.wire('company/accept', as(colleague), { id: joining.invitationId });
    const ask = async (
      caller: Caller,
      level?: 'read' | 'control' | 'install',
      forCompany = false,
    ): Promise<string> => {
      const here = await site(owner);
      if (forCompany) {
        const { plantId } = here;
        const sent = await fleet.wire('share/give', as(owner), {
          plantId,
          email: boss.email,
          level,
        });
        await fleet.wire('invitation/accept', as(boss), { id: sent.invitationId, forCompany: 1 });
      } else if (level) await share(here.plantId, stranger, level);
      return codeOf(fleet.wire(id, caller, rows[id]!(here)));
    };
    expect(await ask(as(owner))).toBe('done');
    expect(await ask(as(stranger), 'install')).toBe('done');
    expect(await ask(as(colleague), 'install', true)).toBe('done');
    for (const level of ['read', 'control'] as const) {
      expect([level, await ask(as(stranger), level)]).toEqual([level, 'noPermission']);
      expect([level, await ask(as(colleague), level, true)]).toEqual([level, 'noPermission']);
    }
    expect(await ask(as(stranger))).toBe('noPermission');
    expect(await ask(as(stranger, { canControl: false }), 'install')).toBe('noPermission');
    const application = {
      kind: 'application',
      applicationId: '1',
      grantId: '1',
      tokenFamily: null,
      accountId: owner.id,
      scopes: ['access_data', 'control_device'],
      plantIds: null,
    } as const;
    expect(await ask(application)).not.toBe('done');
    expect(await countMiscounts(database().db)).toBe(0);
  });

  test('leaves to the owner what is the owner’s', async () => {
    const [owner, installer] = [await fleet.person(), await fleet.person()];
    const { plantId, sn, collector, waiting } = await site(owner);
    await share(plantId, installer, 'install');
    for (const [id, body] of [
      ['unbindDevice', { sn }],
      ['delCollector', { sn: collector.sn }],
      ['addDevice', { id: plantId, sn: waiting }],
      ['archiveStation', { id: plantId }],
      ['stationUpdate', { ...minimal, id: plantId }],
      ['plant/edit', { plantId, name: 'Mine' }],
      ['plant/edit', { plantId, capacityKwp: 9, currency: 'USD' }],
      ['plant/edit', { plantId, timeZone: 'Asia/Tokyo' }],
      ['plant/edit', { plantId, withoutPlace: 1 }],
      ['plant/edit', { plantId, readingRetention: '400d' }],
      ['plant/edit', { plantId, readingThinning: 'off' }],
      ['plant/offer', { plantId, email: installer.email }],
      ['share/give', { plantId, email: installer.email, level: 'read' }],
      ['share/list', { plantId }],
      ['tariff/set', { plantId, use: 'import', pricePerKwh: 1 }],
      ['strategy/setLimits', { plantId, reserveSocPercent: 1 }],
      ['control/stop', { plantId }],
    ] as const)
      expect([id, await codeOf(fleet.wire(id, as(installer), body))]).toEqual([
        id,
        id === 'delCollector' ? 'collectorUnknown' : 'noPermission',
      ]);
    // What controlling allows, it allows too.
    expect(
      await codeOf(fleet.wire('command/send', as(installer), { sn, cid: '157', value: '20' })),
    ).toBe('done');
    expect((await fleet.ask('plant/show', as(installer), { plantId })).level).toBe('install');
  });

  test('knows nothing of the owner’s other plants: neither what waits there nor what was there', async () => {
    const [owner, installer] = [await fleet.person(), await fleet.person()];
    const [here, there] = [await site(owner), await site(owner)];
    await share(here.plantId, installer, 'install');
    await fleet.wire('unbindDevice', as(owner), { sn: there.sn });
    const put = (by: string, who = installer): Promise<string> =>
      codeOf(fleet.wire('device/replace', as(who), { plantId: here.plantId, sn: here.sn, by }));
    for (const by of [there.waiting, there.sn, 'UNKNOWN-1'])
      expect([by, await put(by)]).toEqual([by, 'noPermission']);
    expect(
      await codeOf(
        fleet.wire('discovery/bind', as(installer), { sn: there.waiting, plantId: here.plantId }),
      ),
    ).toBe('noPermission');
    const listed = await fleet.wire('discovery/list', as(installer));
    expect(listed.map(({ sn }: { sn: string }) => sn)).toEqual([here.waiting]);
    expect(await put(there.sn, owner)).toBe('done');
  });

  test('continues a device’s history under the serial number of the one that has replaced it', async () => {
    const [owner, installer] = [await fleet.person(), await fleet.person()];
    const here = await site(owner);
    const { plantId, sn, waiting } = here;
    await share(plantId, installer, 'install');
    await fleet.wire('plant/setArrays', as(owner), { plantId, arrays: [{ ...SOUTH, sn }] });
    await fleet.wire('device/edit', as(installer), { plantId, sn, name: 'Garage' });
    await fleet.report(sn, [
      ['2026-05-30T08:00:00Z', { acPowerW: 1000, energyTotalKwh: 9000 }],
      ['2026-05-30T12:00:00Z', { acPowerW: 1000, energyTotalKwh: 9004 }],
    ]);
    const command = await fleet.wire('command/send', as(owner), { sn, cid: '157', value: '20' });
    await fleet.watch();
    clock.at = Date.parse('2026-06-01T12:00:00Z');
    expect(
      await fleet.wire('device/replace', as(installer), {
        plantId,
        sn,
        by: waiting,
        ratedPower: 10,
      }),
    ).toMatchObject({ sn: waiting });
    const came = (await findDevice(database().db, waiting))!;
    expect(came).toMatchObject({ plantId, name: 'Garage', ratedPowerW: 10_000, kind: 'inverter' });
    expect(came.collectorId).toBe(here.collector.id);
    expect(await findDevice(database().db, sn)).toMatchObject({ plantId: null });
    clock.at += 60_000;
    await fleet.report(waiting, [
      ['2026-06-01T12:00:30Z', { acPowerW: 500, energyTotalKwh: 2 }],
      ['2026-06-01T12:00:50Z', { acPowerW: 500, energyTotalKwh: 3 }],
    ]);
    await fleet.runWork();
    const month = { month: '2026-05' };
    const [day] = await fleet.ask('inverterMonth', as(owner), { sn: waiting, ...month });
    expect(day!.kwh.production).toBeCloseTo(4, 6);
    const [ofPlant] = await fleet.ask('plant/energy', as(owner), {
      plantId,
      each: 'month',
      year: '2026',
    });
    expect(ofPlant).toMatchObject({ kwh: { production: expect.closeTo(4, 6) } });
    const curve = await fleet.ask('device/day', as(owner), { id: came.id, day: '2026-05-30' });
    expect(JSON.stringify(curve)).toContain(String(Date.parse('2026-05-30T12:00:00Z')));
    const inverter = await fleet.wire('inverterDetail', as(owner), { sn: waiting });
    expect(inverter.eToday).toBe(1);
    const { arrays } = await fleet.ask('plant/arrays', as(owner), { plantId });
    expect(arrays).toEqual([{ ...SOUTH, sn: waiting }]);
    // Commands that were sent to it stay its own.
    const { deviceId } = await database()
      .db.selectFrom('command')
      .select('deviceId')
      .where('id', '=', command.id)
      .executeTakeFirstOrThrow();
    expect(deviceId).toBe(here.id);
    expect(await fleet.wire('command/list', as(owner), { sn: waiting })).toEqual([]);
    expect(await countMiscounts(database().db)).toBe(0);
    // It is told to the owner, with who did it.
    const trail = await fleet.wire('user/events', as(owner), { limit: 100 });
    expect(trail.find(({ kind }: { kind: string }) => kind === 'device.replaced')).toMatchObject({
      actor: `account:${installer.id}`,
      data: { plantId, sn: waiting, former: sn },
    });
  });

  test('gives the alarms of a device to the one that has replaced it, and ends those that are open', async () => {
    const owner = await fleet.person();
    const { plantId, sn, waiting, id } = await site(owner);
    const { changeAlarms } =
      await import('../../packages/server/src/outbound/alarms/alarm-rows.ts');
    const raise = { code: 'T1', level: 2, message: 'test', beginAt: clock.now() } as const;
    await write((trx) =>
      changeAlarms(trx, { now: clock.now(), newId: fleet.newId }, id, [{ raise }]),
    );
    await fleet.wire('device/replace', as(owner), { plantId, sn, by: waiting });
    const alarms = async (deviceSn: string) =>
      (await fleet.wire('alarmList', as(owner), { alarmDeviceSn: deviceSn })).records;
    expect(await alarms(sn)).toEqual([]);
    expect(await alarms(waiting)).toMatchObject([{ alarmCode: 'T1', state: '2' }]);
    expect(await countMiscounts(database().db)).toBe(0);
  });

  test('has a new collector report for the devices of the former one, whoever shows its token', async () => {
    const [owner, installer] = [await fleet.person(), await fleet.person()];
    const { plantId, collector, id, sn } = await site(owner);
    await share(plantId, installer, 'install');
    const box = await collectorIn(null);
    const put = (body: object): Promise<string> =>
      codeOf(fleet.wire('device/replace', as(installer), { plantId, sn: collector.sn, ...body }));
    expect(await put({ by: box.sn })).toBe('noPermission');
    expect(await put({ by: sn })).toBe('invalidValue');
    expect(await put({ by: box.sn, collectorToken: 'nonsense' })).toBe('invalidValue');
    expect(await put({ by: box.sn, collectorToken: box.token })).toBe('done');
    const { collectorId } = await database()
      .db.selectFrom('device')
      .select('collectorId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(collectorId).toBe(box.id);
  });

  test('replaces a device once, however many do it at once', async () => {
    const [owner, installer] = [await fleet.person(), await fleet.person()];
    const { plantId, sn, collector } = await site(owner);
    await share(plantId, installer, 'install');
    const comers: string[] = [];
    for (let i = 0; i < AT_ONCE; i++) comers.push(await report(collector.id));
    const codes = await Promise.all(
      comers.map((by, i) =>
        codeOf(fleet.wire('device/replace', as(i % 2 ? owner : installer), { plantId, sn, by })),
      ),
    );
    expect(codes.filter((code) => code === 'done')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['done', 'noPermission']));
    const bound = await database()
      .db.selectFrom('device')
      .select('sn')
      .where('plantId', '=', plantId)
      .where('kind', '=', 'inverter')
      .execute();
    expect(bound).toHaveLength(1);
  });

  test('is kept where somebody may it by several ways, and given to a company at most as far as it goes', async () => {
    const [owner, installer, colleague] = [
      await fleet.person(),
      await fleet.person({ role: 'installer' }),
      await fleet.person(),
    ];
    const { plantId } = await site(owner);
    const levelOf = async (who: Account): Promise<string> =>
      (await fleet.ask('plant/show', as(who), { plantId })).level;
    await share(plantId, installer, 'install');
    // Being named as the installer takes nothing away.
    await fleet.wire('stationUpdate', as(owner), {
      ...minimal,
      id: plantId,
      installerEmail: installer.email,
    });
    const [invitation] = (await fleet.wire('invitation/list', as(installer))).records;
    await fleet.wire('invitation/accept', as(installer), { id: invitation.id });
    expect(await levelOf(installer)).toBe('install');
    await fleet.wire('company/found', as(installer), { name: 'Sun & Sons' });
    const joining = await fleet.wire('company/invite', as(installer), { email: colleague.email });
    await fleet.wire('company/accept', as(colleague), { id: joining.invitationId });
    await share(plantId, colleague, 'control');
    expect(
      await codeOf(
        fleet.wire('company/give', as(colleague), { plantIds: [plantId], level: 'install' }),
      ),
    ).toBe('invalidValue');
    await fleet.wire('company/give', as(installer), { plantIds: [plantId] });
    expect(await levelOf(colleague)).toBe('install');
    const { id: companyId } = await fleet.wire('company/show', as(installer));
    await fleet.wire('company/end', as(owner), { plantId, companyId });
    expect(await levelOf(colleague)).toBe('control');
  });

  test('stays with the person who hands a plant over, where its new owner agrees', async () => {
    const [installer, buyer, another] = [
      await fleet.person({ role: 'installer' }),
      await fleet.person(),
      await fleet.person(),
    ];
    const { plantId } = await site(installer);
    const offer = async (from: Account, to: Account, without: boolean): Promise<void> => {
      await fleet.wire('plant/offer', as(from), { plantId, email: to.email, keep: 'install' });
      const { records } = await fleet.wire('invitation/list', as(to));
      const open = records.find(({ state }: { state: string }) => state === 'open');
      expect(open).toMatchObject({ kind: 'owner', keeps: 'install' });
      await fleet.wire('invitation/accept', as(to), {
        id: open.id,
        ...(without && { withoutSender: 1 }),
      });
    };
    await offer(installer, buyer, false);
    expect((await fleet.ask('plant/show', as(installer), { plantId })).level).toBe('install');
    await offer(buyer, another, true);
    expect(await codeOf(fleet.ask('plant/show', as(buyer), { plantId }))).toBe('noPermission');
  });
});
