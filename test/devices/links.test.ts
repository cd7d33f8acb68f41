import { expect, test } from 'vitest';
import { authenticateCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import { storeInventory } from '../../packages/server/src/fleet/collectors/inventory.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const LINK = {
  via: 'tcp',
  address: '192.168.1.40:502',
  unit: 1,
  readOnly: true,
  state: 'answering',
  timeouts: 3,
  strays: 1,
  reconnects: 2,
  droppedValues: 7,
};

describeEngines('how a collector reaches a device', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);
  const { ask } = fleet;

  const household = async () => {
    const { id: ownerId } = await fleet.person();
    const owner = userCaller(ownerId);
    const plantId = await fleet.plant(ownerId);
    const collector = await ask('collector/create', owner, { plantId });
    return { owner, plantId, collector, collectorId: collector.id };
  };
  const tell = (collectorId: string, ...devices: object[]) =>
    storeInventory(database().db, { collectorId }, devices, clock.at);

  test('is shown of what waits to be bound, and then on the page of the device', async () => {
    const { owner, collectorId } = await household();
    const sn = fleet.uniqueSn('NEW');
    await tell(collectorId, { sn, kind: 'inverter', link: LINK });
    expect(await ask('discovery/list', owner)).toMatchObject([
      { sn, kind: 'inverter', link: LINK },
    ]);
    await ask('discovery/bind', owner, { sn });
    const { id } = (await database()
      .db.selectFrom('device')
      .select('id')
      .where('sn', '=', sn)
      .executeTakeFirst())!;
    expect((await ask('device/show', owner, { id })).link).toEqual(LINK);
    const silent = { ...LINK, state: 'silent', timeouts: 40, stick: '2700000001' };
    expect(await tell(collectorId, { sn, link: silent })).toMatchObject({ accepted: 1 });
    expect(await tell(collectorId, { sn, link: silent })).toMatchObject({ duplicate: 1 });
    expect((await ask('device/show', owner, { id })).link).toEqual(silent);
    // A collector that does not tell it any more no longer knows it.
    await tell(collectorId, { sn });
    expect((await ask('device/show', owner, { id })).link).toBeUndefined();
  });

  test.each<[string, object | string | null]>([
    ['link must be an object', 'tcp'],
    ['link must be an object', null],
    ['link must be an object', []],
    ['link.via must be', { ...LINK, via: 'T C P' }],
    ['link.via must be', { ...LINK, via: undefined }],
    ['link.address must be', { ...LINK, address: '' }],
    ['link.address must be', { ...LINK, address: 'a\nb' }],
    ['link.address must be', { ...LINK, address: 'x'.repeat(101) }],
    ['link.stick must be', { ...LINK, stick: 27 }],
    ['link.unit must be', { ...LINK, unit: -1 }],
    ['link.unit must be', { ...LINK, unit: 1.5 }],
    ['link.readOnly must be', { ...LINK, readOnly: 'yes' }],
    ['link.state must be', { ...LINK, state: 'starting' }],
    ['link.timeouts must be', { ...LINK, timeouts: -1 }],
    ['link.strays must be', { ...LINK, strays: undefined }],
    ['link.droppedValues must be', { ...LINK, droppedValues: 1e300 }],
  ])('is refused where it makes no sense: %s', async (reason, link) => {
    const { collectorId } = await household();
    const answer = await tell(collectorId, { sn: fleet.uniqueSn('NEW'), link });
    expect(answer.refused).toMatchObject([{ reason: expect.stringContaining(reason) }]);
  });

  test('is kept without what else it comes with', async () => {
    const { owner, collectorId } = await household();
    const sn = fleet.uniqueSn('NEW');
    await tell(collectorId, { sn, more: 'x'.repeat(1000), link: { ...LINK, ssid: 'at home' } });
    const { described } = (await database()
      .db.selectFrom('collectorRefusal')
      .select('described')
      .where('sn', '=', sn)
      .executeTakeFirst())!;
    expect(JSON.parse(described!)).toEqual({ link: LINK });
    expect((await ask('discovery/list', owner))[0]!.link).toEqual(LINK);
  });
});

describeEngines('a collector that an owner creates', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);
  const { ask } = fleet;

  test('is in the plant, with a serial number of its own and a token that works', async () => {
    const { id: ownerId } = await fleet.person();
    const plantId = await fleet.plant(ownerId);
    const made = [
      await ask('collector/create', userCaller(ownerId), { plantId }),
      await ask('collector/create', userCaller(ownerId), { plantId }),
    ];
    expect(made[0]).toMatchObject({
      sn: expect.stringMatching(/^SITE-[2-9A-HJ-NP-Z]{10}$/),
      gateway: 'https://gateway.example.org',
    });
    expect(made[1]!.sn).not.toBe(made[0]!.sn);
    for (const { id, token } of made)
      expect(await authenticateCollector(database().db, token, clock.at)).toMatchObject({ id });
    const { page } = await ask('collectorList', userCaller(ownerId), {});
    expect(page.records.map(({ sn }) => sn).toSorted()).toEqual(
      made.map(({ sn }) => sn).toSorted(),
    );
  });

  test('is nobody’s who may not manage the plant', async () => {
    const [{ id: ownerId }, { id: other }] = [await fleet.person(), await fleet.person()];
    const plantId = await fleet.plant(ownerId);
    for (const plant of [plantId, '1300000000000000009'])
      await expect(
        ask('collector/create', userCaller(other), { plantId: plant }),
      ).rejects.toMatchObject({ code: 'noPermission' });
  });
});
