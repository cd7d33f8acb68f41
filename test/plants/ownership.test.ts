import { setBounds } from '../../packages/server/src/platform/storage/bounds/within.ts';
import { expect, test } from 'vitest';
import {
  changeAlarms,
  type AlarmChange,
} from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

describeEngines('a plant in its owner’s hands', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);

  const furnish = async () => {
    const [owner, guest] = [await fleet.person(), await fleet.person()];
    const plantId = await fleet.plant(owner.id, { name: 'Meadow Lane 4' });
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, guest.email, 'read'));
    return {
      owner,
      guest,
      plantId,
      caller: userCaller(owner.id),
      guestCaller: userCaller(guest.id),
    };
  };
  const plantsOf = async (caller: ReturnType<typeof userCaller>) =>
    (await fleet.ask('plant/ranking', caller)).records.map(({ id }) => id);

  test('is listed with whose it is for those whom it is shared with', async () => {
    const { owner, guest, caller, guestCaller } = await furnish();
    await fleet.plant(guest.id, { name: 'Own' });
    const shown = async (one: typeof caller) =>
      (await fleet.ask('plant/ranking', one)).records.map(({ name, ownerEmail }) => [
        name,
        ownerEmail,
      ]);
    expect(await shown(guestCaller)).toEqual([
      ['Meadow Lane 4', owner.email],
      ['Own', undefined],
    ]);
    expect(await shown(caller)).toEqual([['Meadow Lane 4', undefined]]);
  });

  test('comes back from the archive with its shares, and is counted and sorted again', async () => {
    const { caller, guestCaller, plantId } = await furnish();
    const { sn } = await fleet.device(plantId);
    await fleet.ask('archiveStation', userCaller(caller.accountId), { id: plantId });
    expect([await plantsOf(caller), await plantsOf(guestCaller)]).toEqual([[], []]);
    expect(
      await Promise.all(
        [caller, guestCaller].map(async (one) => (await fleet.ask('plant/overview', one)).archived),
      ),
    ).toEqual([1, 0]);
    expect(await fleet.ask('plant/archived', caller)).toMatchObject({
      total: 1,
      records: [
        {
          id: plantId,
          name: 'Meadow Lane 4',
          address: null,
          capacityKwp: 10,
          archivedAt: clock.at,
          devices: 1,
        },
      ],
    });
    for (const other of [
      guestCaller,
      userCaller((await fleet.person()).id),
      { ...caller, canControl: false },
    ]) {
      await expect(fleet.ask('plant/restore', other, { plantId })).rejects.toThrow('no permission');
    }
    expect(await fleet.ask('plant/restore', caller, { plantId })).toEqual({
      bound: 1,
      elsewhere: 0,
    });
    expect([await plantsOf(caller), await plantsOf(guestCaller)]).toEqual([[plantId], [plantId]]);
    expect(await fleet.ask('plant/overview', caller)).toMatchObject({
      plants: 1,
      offline: 1,
      archived: 0,
    });
    expect(
      await database()
        .db.selectFrom('plantStanding')
        .select('dueAt')
        .where('plantId', '=', plantId)
        .execute(),
    ).toEqual([{ dueAt: 0 }]);
    expect(await fleet.ask('plant/archived', caller)).toMatchObject({ total: 0, records: [] });
    await expect(fleet.ask('plant/restore', caller, { plantId })).rejects.toThrow('no permission');
    await expect(fleet.ask('addDevice', caller, { id: plantId, sn })).rejects.toThrow('bound');
    const [last] = await fleet
      .ask('user/events', caller, { limit: 3 })
      .then((events) => events.filter(({ kind }) => kind === 'plant.restored'));
    expect(last).toMatchObject({ actor: `account:${caller.accountId}`, data: { plantId } });
  });

  test('is listed page by page in the archive, the latest first', async () => {
    const { id } = await fleet.person();
    const caller = userCaller(id);
    const archived: string[] = [];
    for (let i = 0; i < 5; i++) {
      const plantId = await fleet.plant(id);
      // Those archived in one instant have an order too.
      if (i !== 2) clock.at += 1_000;
      await fleet.ask('archiveStation', caller, { id: plantId });
      archived.unshift(plantId);
    }
    const pages = await Promise.all(
      [1, 2, 3, 4].map((pageNo) => fleet.ask('plant/archived', caller, { pageNo, pageSize: 2 })),
    );
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
    expect(pages.map(({ records }) => records.map((one) => one.id))).toEqual([
      archived.slice(0, 2),
      archived.slice(2, 4),
      archived.slice(4),
      [],
    ]);
  });

  test('comes back only where there is room, however many come back at once', async () => {
    const { id } = await fleet.person();
    const caller = userCaller(id);
    const most = 3;
    setBounds(database().db, { plants: most });
    try {
      const archived: string[] = [];
      for (let i = 0; i < 12; i++) {
        const plantId = await fleet.plant(id);
        await fleet.ask('archiveStation', caller, { id: plantId });
        archived.push(plantId);
      }
      const restored = await Promise.allSettled(
        archived.map((plantId) => fleet.ask('plant/restore', caller, { plantId })),
      );
      expect(restored.filter(({ status }) => status === 'fulfilled')).toHaveLength(most);
      for (const one of restored)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'invalidValue' });
      expect(await plantsOf(caller)).toHaveLength(most);
    } finally {
      setBounds(database().db, {});
    }
  });

  test.each([
    ['within a day, with its alarms', 24, null],
    ['after a day, without its alarms', 24.001, Date.parse('2026-06-01T12:00:00Z')],
  ])('comes back %s', async (_, hours, endAt) => {
    clock.at = Date.parse('2026-06-01T12:00:00Z');
    const { caller, plantId } = await furnish();
    const { id } = await fleet.device(plantId);
    const change = (...changes: AlarmChange[]) =>
      fleet.write((trx) => changeAlarms(trx, { now: clock.at, newId: fleet.newId }, id, changes));
    await change({ raise: { code: 'H106', level: 2, message: 'is hot', beginAt: clock.at - 1 } });
    await fleet.ask('archiveStation', caller, { id: plantId });
    await change();
    clock.at += hours * 3_600_000;
    await fleet.ask('plant/restore', caller, { plantId });
    expect(
      await database().db.selectFrom('alarm').select('endAt').where('deviceId', '=', id).execute(),
    ).toEqual([{ endAt }]);
  });

  test('comes back without the devices of another plant that was archived at the same time', async () => {
    const { caller, plantId } = await furnish();
    const own = await fleet.device(plantId);
    const other = await fleet.plant(caller.accountId);
    const beside = await fleet.device(other);
    for (const id of [plantId, other])
      await fleet.ask('archiveStation', userCaller(caller.accountId), { id });
    expect(await fleet.ask('plant/restore', caller, { plantId })).toEqual({
      bound: 1,
      elsewhere: 0,
    });
    const placed = await database()
      .db.selectFrom('device')
      .select(['id', 'plantId'])
      .where('id', 'in', [own.id, beside.id])
      .execute();
    expect(new Map(placed.map(({ id, plantId: at }) => [id, at]))).toEqual(
      new Map([
        [own.id, plantId],
        [beside.id, null],
      ]),
    );
  });

  test('comes back with the devices that it had when it was archived, except those that have been elsewhere since', async () => {
    const { caller, plantId } = await furnish();
    const [stays, moved, returned, gone, unbound, reserved] = [
      await fleet.device(plantId),
      await fleet.device(plantId),
      await fleet.device(plantId),
      await fleet.device(plantId),
      await fleet.device(plantId),
      await fleet.device(plantId),
    ];
    const other = await fleet.plant(caller.accountId);
    const strangers = await fleet.plant((await fleet.person()).id);
    await fleet.ask('unbindDevice', caller, { sn: [unbound.sn] });
    clock.at += 1000;
    await fleet.ask('archiveStation', caller, { id: plantId });
    clock.at += 86_400_000 * 30;
    await fleet.ask('addDevice', caller, { id: other, sn: [moved.sn, returned.sn] });
    await fleet.ask('unbindDevice', caller, { sn: [returned.sn] });
    await fleet.write((trx) => bindDevice(trx, fleet.act(), gone.id, strangers));
    const { db } = database();
    await db
      .updateTable('device')
      .set({ accountId: (await fleet.person()).id })
      .where('id', '=', reserved.id)
      .execute();
    expect(await fleet.ask('plant/restore', caller, { plantId })).toEqual({
      bound: 1,
      elsewhere: 4,
    });
    const where = async ({ id }: { readonly id: string }) =>
      (
        await db
          .selectFrom('device')
          .select('plantId')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).plantId;
    expect(await Promise.all([stays, moved, returned, gone, unbound, reserved].map(where))).toEqual(
      [plantId, other, null, strangers, null, null],
    );
  });

  test('is offered to somebody, who owns it with its history once they accept', async () => {
    const { owner, caller, guestCaller, plantId } = await furnish();
    const buyer = await fleet.person();
    await expect(
      fleet.ask('plant/offer', guestCaller, { plantId, email: buyer.email }),
    ).rejects.toThrow('no permission');
    await expect(
      fleet.ask('plant/offer', caller, { plantId, email: owner.email.toUpperCase() }),
    ).rejects.toThrow('email');
    await expect(fleet.ask('plant/offer', caller, { plantId, email: 'nobody' })).rejects.toThrow(
      'email',
    );
    const first = await fleet.ask('plant/offer', caller, { plantId, email: 'slip@example.com' });
    const { invitationId } = await fleet.ask('plant/offer', caller, {
      plantId,
      email: buyer.email,
    });
    expect(await plantsOf(caller)).toEqual([plantId]);
    const states = await database()
      .db.selectFrom('invitation')
      .select(['id', 'state'])
      .where('plantId', '=', plantId)
      .where('kind', '=', 'owner')
      .orderBy('id')
      .execute();
    expect(states).toEqual([
      { id: first.invitationId, state: 'withdrawn' },
      { id: invitationId, state: 'open' },
    ]);
    await fleet.ask('invitation/accept', userCaller(buyer.id), { id: invitationId });
    expect([
      await plantsOf(caller),
      await plantsOf(guestCaller),
      await plantsOf(userCaller(buyer.id)),
    ]).toEqual([[], [], [plantId]]);
  });

  test.each([
    ['what the offer says', 'owner', 'control', {}, 'control'],
    ['nothing if the buyer wants that', 'owner', 'read', { withoutSender: 1 }, undefined],
    ['nothing if the offer says nothing', 'owner', undefined, {}, undefined],
    ['its control as its installer', 'installer', undefined, {}, 'control'],
    [
      'nothing as its installer if the buyer wants that',
      'installer',
      undefined,
      { withoutSender: 1 },
      undefined,
    ],
    ['to see it as its installer if the offer says so', 'installer', 'read', {}, 'read'],
  ] as const)(
    'is handed over, and the person who sells it keeps %s',
    async (_what, role, keep, answer, kept) => {
      const [seller, buyer] = [await fleet.person({ role }), await fleet.person()];
      const [sellers, buyers] = [userCaller(seller.id), userCaller(buyer.id)];
      const plantId = await fleet.plant(seller.id);
      const { invitationId: id } = await fleet.ask('plant/offer', sellers, {
        plantId,
        email: buyer.email,
        ...(keep && { keep }),
      });
      const { records } = await fleet.ask('invitation/list', buyers);
      expect(records).toMatchObject([
        {
          id,
          kind: 'owner',
          level: null,
          keeps: keep ?? (role === 'installer' ? 'control' : null),
        },
      ]);
      await fleet.ask('invitation/accept', buyers, { id, ...answer });
      const shares = await fleet.ask('share/list', buyers, { plantId });
      expect(new Map(shares.map(({ accountId, level }) => [accountId, level]))).toEqual(
        new Map([[buyer.id, 'owner'], ...(kept ? [[seller.id, kept] as const] : [])]),
      );
      expect(await plantsOf(sellers)).toEqual(kept ? [plantId] : []);
    },
  );

  test('is accepted without its sender only if it changes hands', async () => {
    const { caller, plantId } = await furnish();
    const guest = await fleet.person();
    await fleet.ask('share/give', caller, { plantId, email: guest.email, level: 'read' });
    const { id } = (await fleet.ask('invitation/list', userCaller(guest.id))).records[0]!;
    await expect(
      fleet.ask('invitation/accept', userCaller(guest.id), { id, withoutSender: 1 }),
    ).rejects.toThrow('withoutSender');
    await fleet.ask('invitation/accept', userCaller(guest.id), { id });
  });

  test('loses its place, and keeps its time zone', async () => {
    const { caller } = await furnish();
    const plantId = await fleet.plant(caller.accountId, {
      latitude: 38.72,
      longitude: -9.14,
      timeZone: 'Europe/Lisbon',
    });
    expect(await fleet.ask('plant/positions', caller, { plantId })).toHaveLength(1);
    await fleet.ask('plant/edit', caller, { plantId, withoutPlace: 1 });
    expect(await fleet.ask('plant/positions', caller, { plantId })).toEqual([]);
    const { records } = await fleet.ask('plant/ranking', caller);
    expect(records.find((one) => one.id === plantId)).toMatchObject({
      latitude: null,
      longitude: null,
      timeZone: 'Europe/Lisbon',
    });
  });

  test('is not changed by somebody who has not seen its last change', async () => {
    const { caller, plantId } = await furnish();
    const seen = async () =>
      Number((await fleet.wire('stationDetail', caller, { id: plantId })).updateDate);
    const [first, second] = [await seen(), await seen()];
    await fleet.ask('plant/edit', caller, {
      plantId,
      name: 'Meadow Lane 6',
      unchangedSince: first,
    });
    await expect(
      fleet.ask('plant/edit', caller, { plantId, name: 'Meadow Lane 8', unchangedSince: second }),
    ).rejects.toThrow('somebody has changed this meanwhile');
    expect((await fleet.wire('stationDetail', caller, { id: plantId })).stationName).toBe(
      'Meadow Lane 6',
    );
    await fleet.ask('plant/edit', caller, {
      plantId,
      name: 'Meadow Lane 8',
      unchangedSince: await seen(),
    });
    await fleet.ask('plant/edit', caller, { plantId, name: 'Meadow Lane 10' });
  });

  test('gets a time zone and a currency from its position; there are none at sea', async () => {
    const { caller } = await furnish();
    expect(await fleet.ask('plant/zone', caller, { latitude: -36.85, longitude: 174.76 })).toEqual({
      timeZone: 'Pacific/Auckland',
      currency: 'NZD',
    });
    // Names of zones that have changed are known by both names.
    for (const [place, currency] of [
      [{ latitude: 28.61, longitude: 77.2 }, 'INR'],
      [{ latitude: 50.45, longitude: 30.52 }, 'UAH'],
      [{ latitude: 38.72, longitude: -9.14 }, 'EUR'],
      [{ latitude: 47.37, longitude: 8.54 }, 'CHF'],
    ] as const) {
      expect(await fleet.ask('plant/zone', caller, place)).toMatchObject({ currency });
    }
    expect(await fleet.ask('plant/zone', caller, { latitude: -67.6, longitude: 62.87 })).toEqual({
      timeZone: 'Antarctica/Mawson',
      currency: undefined,
    });
    expect(await fleet.ask('plant/zone', caller, { latitude: 0, longitude: -30 })).toEqual({
      timeZone: undefined,
      currency: undefined,
    });
  });
});
