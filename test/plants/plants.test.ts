import { expect, test } from 'vitest';
import { listAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import { findPlant, listAccess } from '../../packages/server/src/fleet/plants/access.ts';
import {
  archivePlant,
  transferPlant,
  updatePlant,
} from '../../packages/server/src/fleet/plants/plants.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { changeTimeZone, listZones } from '../../packages/server/src/fleet/plants/zones.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock, userCaller } from '../support/world.ts';

describeEngines('plants', (database) => {
  const clock = settableClock('2026-06-01T00:00:00Z');
  const world = createWorld(database, clock);
  const { act, write } = world;

  test('a plant starts with its owner’s access, its zone since ever, and an event', async () => {
    const { db } = database();
    const owner = await world.person();
    const id = await world.plant(owner.id, {
      name: '  Sun roof ☀ ',
      timeZone: 'Asia/Kathmandu',
      latitude: -90,
      pricePerKwh: 0,
    });
    expect(await findPlant(db, userCaller(owner.id), id, 'manage')).toMatchObject({
      id,
      name: 'Sun roof ☀',
      level: 'owner',
      timeZone: 'Asia/Kathmandu',
      latitude: -90,
      pricePerKwh: 0,
    });
    expect(await listZones(db, id)).toEqual([{ fromAt: 0, timeZone: 'Asia/Kathmandu' }]);
    expect((await listAudit(db, owner.id, { limit: 1 }))[0]).toMatchObject({
      kind: 'plant.created',
      actor: 'operator',
      data: { plantId: id, name: 'Sun roof ☀' },
    });
  });

  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'a\nb' }],
    ['name', { name: '\ud800' }],
    ['capacityKwp', { capacityKwp: -1 }],
    ['capacityKwp', { capacityKwp: NaN }],
    ['currency', { currency: 'euro' }],
    ['latitude', { latitude: 91 }],
    ['longitude', { longitude: -181 }],
    ['type', { type: 1.5 }],
    ['type', { type: 12 }],
    ['timeZone', { timeZone: '+01:00' }],
    ['timeZone', { timeZone: 'Europe/Nowhere' }],
    ['nmiCode', { nmiCode: 'a b' }],
  ])('a %s that cannot be is refused and nothing is stored: %j', async (field, change) => {
    const owner = await world.person();
    await expect(world.plant(owner.id, change)).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field },
    });
    expect(
      await database()
        .db.selectFrom('plant')
        .select('id')
        .where('ownerId', '=', owner.id)
        .execute(),
    ).toEqual([]);
  });

  test('an update changes what it names and leaves the rest', async () => {
    const { db } = database();
    const owner = await world.person();
    const id = await world.plant(owner.id, { name: 'Before', capacityKwp: 5 });
    clock.at += 1000;
    await write((trx) => updatePlant(trx, act(), id, { name: 'After' }));
    expect(await findPlant(db, userCaller(owner.id), id, 'read')).toMatchObject({
      name: 'After',
      capacityKwp: 5,
      updatedAt: clock.at,
    });
    await expect(
      write((trx) => updatePlant(trx, act(), id, { latitude: 100 })),
    ).rejects.toMatchObject({ code: 'invalidValue' });
  });

  test('a change of the zone holds from its moment on; the same zone again is none', async () => {
    const { db } = database();
    const owner = await world.person();
    const id = await world.plant(owner.id, { timeZone: 'Europe/Berlin' });
    clock.at += 1000;
    await write((trx) => changeTimeZone(trx, act(), id, 'Europe/Berlin'));
    await write((trx) => changeTimeZone(trx, act(), id, 'Pacific/Marquesas'));
    expect(await listZones(db, id)).toEqual([
      { fromAt: 0, timeZone: 'Europe/Berlin' },
      { fromAt: clock.at, timeZone: 'Pacific/Marquesas' },
    ]);
    expect((await findPlant(db, userCaller(owner.id), id, 'read'))!.timeZone).toBe(
      'Pacific/Marquesas',
    );
    await expect(write((trx) => changeTimeZone(trx, act(), id, 'Nowhere'))).rejects.toMatchObject({
      code: 'invalidValue',
    });
  });

  test('a share is given, changed and withdrawn by e-mail address, and both sides read it in their trails', async () => {
    const { db } = database();
    const [owner, other] = [await world.person(), await world.person()];
    const id = await world.plant(owner.id);
    const levels = async () => (await listAccess(db, id)).map(({ email, level }) => [email, level]);
    await write((trx) => sharePlant(trx, act(), id, other.email.toUpperCase(), 'read'));
    expect(await levels()).toEqual([
      [owner.email, 'owner'],
      [other.email, 'read'],
    ]);
    await write((trx) => sharePlant(trx, act(), id, other.email, 'control'));
    expect(await levels()).toEqual([
      [owner.email, 'owner'],
      [other.email, 'control'],
    ]);
    await write((trx) => unsharePlant(trx, act(), id, other.email));
    expect(await levels()).toEqual([[owner.email, 'owner']]);
    for (const { id: account } of [owner, other]) {
      expect((await listAudit(db, account, { limit: 3 })).map(({ kind }) => kind)).toEqual([
        'plant.unshared',
        'plant.shared',
        'plant.shared',
      ]);
    }
  });

  test('a share with nobody, with the owner, or of an unknown plant is refused; so is withdrawing what is not there', async () => {
    const [owner, other] = [await world.person(), await world.person()];
    const id = await world.plant(owner.id);
    const share = (plantId: string, email: string) =>
      write((trx) => sharePlant(trx, act(), plantId, email, 'read'));
    await expect(share(id, 'nobody@example.com')).rejects.toMatchObject({ code: 'accountUnknown' });
    await expect(share(id, owner.email)).rejects.toMatchObject({ code: 'invalidValue' });
    await expect(share('1', other.email)).rejects.toMatchObject({ code: 'noPermission' });
    for (const email of [other.email, owner.email]) {
      await expect(write((trx) => unsharePlant(trx, act(), id, email))).rejects.toMatchObject({
        code: 'accountUnknown',
      });
    }
    expect((await listAccess(database().db, id)).map(({ level }) => level)).toEqual(['owner']);
  });

  test('a transferred plant is the new owner’s alone', async () => {
    const { db } = database();
    const [owner, buyer, installer] = [
      await world.person(),
      await world.person(),
      await world.person(),
    ];
    const id = await world.plant(owner.id);
    await write((trx) => sharePlant(trx, act(), id, installer.email, 'control'));
    await write((trx) => sharePlant(trx, act(), id, buyer.email, 'read'));
    await write((trx) => transferPlant(trx, act(), id, buyer.id));
    expect((await listAccess(db, id)).map(({ accountId, level }) => [accountId, level])).toEqual([
      [buyer.id, 'owner'],
    ]);
    expect((await findPlant(db, userCaller(buyer.id), id, 'manage'))!.ownerId).toBe(buyer.id);
    await expect(write((trx) => transferPlant(trx, act(), id, buyer.id))).rejects.toMatchObject({
      code: 'invalidValue',
    });
  });

  test('an archived plant takes no change any more', async () => {
    const owner = await world.person();
    const id = await world.plant(owner.id);
    await write((trx) => archivePlant(trx, act(), id));
    await expect(write((trx) => archivePlant(trx, act(), id))).rejects.toMatchObject({
      code: 'noPermission',
    });
    await expect(
      write((trx) => updatePlant(trx, act(), id, { name: 'Ghost' })),
    ).rejects.toMatchObject({ code: 'noPermission' });
  });
});
