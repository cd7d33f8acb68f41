import { expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from '../operations/fleet.ts';

describeEngines('a request that names two things', (database) => {
  const fleet = createFleet(database, settableClock('2026-06-01T12:00:00Z'));

  test.each([
    [
      'inverter',
      ['inverterDetail', 'inverterDay', 'inverterMonth', 'inverterYear', 'inverterAll'],
      'noPermission',
    ],
    ['epm', ['epmDetail', 'epm/day', 'epm/month', 'epm/year', 'epm/all'], 'noPermission'],
    ['collector', ['collectorDetail', 'collector/day'], 'collectorUnknown'],
    ['weather', ['weatherDetail'], 'noPermission'],
    ['ammeter', ['ammeterDetail'], 'noPermission'],
  ] as const)(
    'id and serial number of two of kind %s name none of them',
    async (kind, ids, code) => {
      const owner = await fleet.person();
      const plantId = await fleet.plant(owner.id);
      const [first, second] = [
        await fleet.device(plantId, { kind }),
        await fleet.device(plantId, { kind }),
      ];
      const foreign = await fleet.device(await fleet.plant((await fleet.person()).id), { kind });
      for (const id of ids) {
        for (const body of [
          { id: first.id, sn: second.sn },
          { id: foreign.id, sn: first.sn },
          { id: first.id, sn: foreign.sn },
        ]) {
          await expect(fleet.ask(id, userCaller(owner.id), body)).rejects.toMatchObject({ code });
        }
        await expect(fleet.ask(id, userCaller(owner.id), first)).resolves.toBeDefined();
      }
    },
  );

  test('a device of another kind is no device', async () => {
    const owner = await fleet.person();
    const { sn } = await fleet.device(await fleet.plant(owner.id), { kind: 'epm' });
    for (const id of ['inverterDetail', 'weatherDetail', 'ammeterDetail'] as const) {
      await expect(fleet.ask(id, userCaller(owner.id), { sn })).rejects.toMatchObject({
        code: 'noPermission',
      });
    }
    await expect(fleet.ask('collectorDetail', userCaller(owner.id), { sn })).rejects.toMatchObject({
      code: 'collectorUnknown',
    });
  });

  test('id and meter of two plants name none of them', async () => {
    const [owner, other] = [await fleet.person(), await fleet.person()];
    const plain = await fleet.plant(owner.id);
    const metered = await fleet.plant(owner.id, { nmiCode: 'NMI0000001' });
    const caller = userCaller(owner.id);
    expect((await fleet.ask('stationDetail', caller, { nmiCode: 'NMI0000001' })).id).toBe(metered);
    expect(
      (await fleet.ask('stationDetail', caller, { id: metered, nmiCode: 'NMI0000001' })).id,
    ).toBe(metered);
    for (const id of [
      'stationDetail',
      'stationDay',
      'stationMonth',
      'stationYear',
      'stationAll',
    ] as const) {
      await expect(
        fleet.ask(id, caller, { id: plain, nmiCode: 'NMI0000001' }),
      ).rejects.toMatchObject({ code: 'noPermission' });
      await expect(
        fleet.ask(id, userCaller(other.id), { nmiCode: 'NMI0000001' }),
      ).rejects.toMatchObject({ code: 'noPermission' });
    }
  });
});
