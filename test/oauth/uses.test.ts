import { operations } from '@helioport/contract';
import { expect, test } from 'vitest';
import { recordAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import {
  listGrants,
  recordConsent,
  revokeGrant,
} from '../../packages/server/src/identity/oauth/grants.ts';
import { sweepOauth } from '../../packages/server/src/identity/oauth/housekeeping.ts';
import { createUseCounts } from '../../packages/server/src/identity/oauth/uses/count-uses.ts';
import { listUses } from '../../packages/server/src/identity/oauth/uses/list-uses.ts';
import { operationsOn } from '../support/operations.ts';
import { userCaller } from '../support/world.ts';
import { startOauth } from './listener.ts';
import { addClient, describeOauth } from './fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describeOauth('what an application does', (t) => {
  const { clock, world, database } = t;

  /** An owner in Kathmandu, whose days begin at 18:15 UTC, and an application with an authorization. */
  async function granted() {
    const owner = await world.person({ timeZone: 'Asia/Kathmandu' });
    const plantId = await world.plant(owner.id);
    const client = await addClient(world);
    const pair = await t.pair(client, { owner });
    const ask = operationsOn(database().db, clock, world.newId);
    const caller = userCaller(owner.id);
    const [{ id }] = (await ask['grant/list'](caller, { email: undefined })) as unknown as [
      { id: string },
    ];
    return {
      owner,
      plantId,
      pair,
      id,
      caller,
      application: client.application,
      subject: { accountId: owner.id, applicationId: client.application.id },
      listed: async () => (await ask['grant/list'](caller, { email: undefined }))[0]!,
      uses: () => ask['grant/uses'](caller, { id }),
    };
  }

  test('is counted per day by the requests that are let in, and stored at the latest when the server stops', async () => {
    clock.at = Date.parse('2026-11-06T05:00:00Z');
    const { pair, plantId, uses, listed } = await granted();
    const ids = world.newId;
    const api = await startOauth(database(), clock, {
      operations: Object.values(operations),
      handlers: operationsOn(database().db, clock, ids),
    });
    const send = async (
      path: string,
      body: object,
      token: string = pair.access_token,
    ): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      return (
        await fetch(`${api.url}/api/${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
      ).status;
    };
    await Promise.all([1, 2, 3].map(() => send('access_data/userStationList', {})));
    await send('access_data/stationDetail', { id: plantId });
    await send('control_device/strategy/cancel', { id: '1' });
    // A caller that is not let in did nothing.
    expect(await send('access_data/userStationList', {}, `${pair.access_token}x`)).toBe(401);
    expect(await send('access_data/userStationList', { access_token: pair.access_token })).toBe(
      400,
    );
    expect(await uses()).toEqual([]);
    expect((await listed()).usedAt).toBeNull();
    clock.at += MINUTE_MS;
    await api.close();
    expect(await uses()).toEqual([
      { day: '2026-11-06', reads: 4, writes: 1, commands: 0, forwarded: 0 },
    ]);
    expect((await listed()).usedAt).toBe(clock.at - MINUTE_MS);
  });

  test('is added up over instances, by the days of the owner’s calendar, newest first', async () => {
    const { subject, uses } = await granted();
    const instances = [1, 2].map(() => createUseCounts({ db: database().db, clock }));
    for (const [time, isWrite] of [
      ['2026-11-06T18:14:00Z', false],
      ['2026-11-06T18:15:00Z', true],
      ['2026-11-08T12:00:00Z', false],
    ] as const) {
      clock.at = Date.parse(time);
      for (const instance of instances) instance.request(subject, isWrite);
      instances[0]!.forwarded(subject.applicationId, subject.accountId);
      await Promise.all(instances.map((instance) => instance.flush()));
    }
    expect(await uses()).toEqual([
      { day: '2026-11-08', reads: 2, writes: 0, commands: 0, forwarded: 1 },
      { day: '2026-11-07', reads: 0, writes: 2, commands: 0, forwarded: 1 },
      { day: '2026-11-06', reads: 2, writes: 0, commands: 0, forwarded: 1 },
    ]);
    await Promise.all(instances.map((instance) => instance.close()));
  });

  test('comes with the settings that it asked to be written, also on days on which nothing was counted', async () => {
    clock.at = Date.parse('2026-11-07T18:10:00Z');
    const { subject, uses } = await granted();
    const actor = `application:${subject.applicationId}` as const;
    const command = (
      kind: 'device.commanded' | 'strategy.created',
      by: Parameters<typeof world.act>[0] = { actor },
    ) =>
      world.write((trx) =>
        recordAudit(trx, world.act(by), { kind, accountId: subject.accountId, data: { sn: 'A' } }),
      );
    await command('device.commanded');
    clock.at += 10 * MINUTE_MS;
    await command('device.commanded');
    await command('device.commanded');
    await command('strategy.created');
    await command('device.commanded', { actor: `account:${subject.accountId}` });
    clock.at += DAY_MS;
    const none = { reads: 0, writes: 0, forwarded: 0 };
    expect(await uses()).toEqual([
      { day: '2026-11-08', commands: 2, ...none },
      { day: '2026-11-07', commands: 1, ...none },
    ]);
  });

  test('is shown for thirty days, kept for ninety, and is no affair of others', async () => {
    clock.at = Date.parse('2026-11-06T12:00:00Z');
    const { subject, uses, id } = await granted();
    const counts = createUseCounts({ db: database().db, clock });
    counts.request(subject, false);
    await counts.flush();
    const kept = async (): Promise<number> =>
      (
        await database()
          .db.selectFrom('applicationUse')
          .select('day')
          .where('accountId', '=', subject.accountId)
          .execute()
      ).length;
    clock.at += 29 * DAY_MS;
    expect(await uses()).toHaveLength(1);
    clock.at += DAY_MS;
    expect(await uses()).toEqual([]);
    clock.at += 60 * DAY_MS;
    while ((await sweepOauth(database().db, clock.at, world.newId)) > 0);
    expect(await kept()).toBe(1);
    clock.at += DAY_MS;
    expect(await sweepOauth(database().db, clock.at, world.newId)).toBeGreaterThan(0);
    expect(await kept()).toBe(0);

    const ask = operationsOn(database().db, clock, world.newId)['grant/uses'];
    const stranger = userCaller((await world.person()).id);
    await expect(ask(stranger, { id })).rejects.toMatchObject({ code: 'noPermission' });
    await expect(ask(stranger, { id: '1' })).rejects.toMatchObject({ code: 'noPermission' });
    await counts.close();
  });

  test('of an authorization that has ended, the last thirty days before its end are shown, and nothing of the one that followed', async () => {
    clock.at = Date.parse('2026-11-06T12:00:00Z');
    const { subject, uses, id, listed } = await granted();
    const { db } = database();
    const counts = createUseCounts({ db, clock });
    const actor = `application:${subject.applicationId}` as const;
    const act = async (): Promise<void> => {
      counts.request(subject, true);
      await counts.flush();
      await world.write((trx) =>
        recordAudit(trx, world.act({ actor }), {
          kind: 'device.commanded',
          accountId: subject.accountId,
          data: { sn: 'A' },
        }),
      );
    };
    await act();
    clock.at += 2 * DAY_MS;
    await world.write((trx) => revokeGrant(trx, world.act(), id, subject.accountId));
    const before = [{ day: '2026-11-06', reads: 0, writes: 1, commands: 1, forwarded: 0 }];
    expect(await uses()).toEqual(before);
    const { usedAt } = await listed();
    expect(usedAt).toBe(clock.at - 2 * DAY_MS);

    clock.at += DAY_MS;
    const again = await world.write((trx) =>
      recordConsent(trx, world.act(), { ...subject, asked: 1, approved: 1, plantIds: null }),
    );
    await act();
    clock.at += 29 * DAY_MS;
    expect(await uses()).toEqual(before);
    const listedGrants = await listGrants(db, subject.accountId);
    expect(listedGrants.map((grant) => [grant.id, grant.usedAt])).toEqual([
      [again, clock.at - 29 * DAY_MS],
      [id, usedAt],
    ]);
    expect(await listUses(db, again, subject.accountId, clock.at)).toEqual([
      { day: '2026-11-09', reads: 0, writes: 1, commands: 1, forwarded: 0 },
    ]);
    await counts.close();
  });

  test('stays counted while the database is away', async () => {
    clock.at = Date.parse('2026-11-06T12:00:00Z');
    const { subject, uses } = await granted();
    const { db } = database();
    let isAway = true;
    const sometimes = new Proxy(db, {
      get: (target, name) => {
        if (isAway && name === 'transaction') throw new Error('away');
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const counts = createUseCounts({ db: sometimes, clock });
    counts.request(subject, false);
    await counts.flush();
    counts.request(subject, false);
    expect(await uses()).toEqual([]);
    isAway = false;
    await counts.flush();
    await counts.flush();
    expect(await uses()).toMatchObject([{ reads: 2 }]);
    await counts.close();
  });
});
