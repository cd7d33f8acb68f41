import { expect, test } from 'vitest';
import { updatePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

describeEngines('figures that were not read as they are', (database) => {
  const clock = settableClock(0);
  const fleet = createFleet(database, clock);
  const setUp = async (change: object = {}) => {
    clock.at = Date.parse('2026-06-15T20:00:00Z');
    const owner = await fleet.person();
    const id = await fleet.plant(owner.id, change);
    const { id: deviceId, sn } = await fleet.device(id);
    return { caller: userCaller(owner.id), id, deviceId, sn };
  };
  const june = (time: string): string => `2026-06-${time.replace(' ', 'T')}:00Z`;

  test('are marked as estimated on the wire: in rows of energy and in records of plants and inverters, in lists, too', async () => {
    const { caller, id, sn } = await setUp();
    await fleet.report(sn, [
      [june('14 10:00'), { energyTotalKwh: 100 }],
      [june('14 11:00'), { energyTotalKwh: 104 }],
      [june('15 00:00'), { energyTotalKwh: 104 }],
      [june('15 10:00'), { acPowerW: 4000 }],
      [june('15 11:00'), { acPowerW: 4000 }],
    ]);
    const marks = async () => {
      const [plants, inverters] = [
        await fleet.wire('userStationList', caller),
        await fleet.wire('inverterList', caller),
      ];
      const details = [
        await fleet.wire('stationDetail', caller, { id }),
        await fleet.wire('inverterDetail', caller, { sn }),
      ];
      return [...plants.page.records, ...inverters.page.records, ...details].map(
        ({ estimated }) => estimated,
      );
    };
    expect(await marks()).toEqual([1, 1, 1, 1]);
    for (const rows of [
      await fleet.wire('stationMonth', caller, { id, month: '2026-06' }),
      await fleet.wire('inverterMonth', caller, { sn, month: '2026-06' }),
    ]) {
      expect(
        rows.map(({ energy, estimated }: { energy: number; estimated: number }) => [
          energy,
          estimated,
        ]),
      ).toEqual([
        [4, 0],
        [4, 1],
      ]);
    }
    expect(
      (await fleet.wire('stationYear', caller, { id, year: '2026' })).map(
        ({ estimated }: { estimated: number }) => estimated,
      ),
    ).toEqual([1]);
    clock.at = Date.parse('2026-06-16T12:00:00Z');
    await fleet.report(sn, [
      [june('16 00:00'), { energyTotalKwh: 108 }],
      [june('16 11:00'), { energyTotalKwh: 110 }],
    ]);
    expect(await marks()).toEqual([0, 0, 0, 0]);
  });

  test('what a replacement had counted elsewhere is not the plant’s; its first device’s is, unless the owner says what it was', async () => {
    const { caller, id, deviceId, sn } = await setUp({ pricePerKwh: 0.5 });
    await fleet.report(sn, [
      [june('14 10:00'), { energyTotalKwh: 300 }],
      [june('14 11:00'), { energyTotalKwh: 304 }],
    ]);
    await fleet.write((trx) => endBinding(trx, fleet.act(), deviceId, id));
    const next = await fleet.device(null);
    await fleet.write((trx) => bindDevice(trx, fleet.act(), next.id, id));
    await fleet.report(next.sn, [
      [june('15 10:00'), { energyTotalKwh: 5000 }],
      [june('15 11:00'), { energyTotalKwh: 5003 }],
    ]);
    const figures = async () => {
      const { energies, income } = await fleet.ask('stationDetail', caller, { id });
      return [energies.production!.totalKwh, income!.total];
    };
    expect(await figures()).toEqual([307, 153.5]);
    expect(
      (await fleet.ask('inverterDetail', caller, { sn: next.sn })).energies.production!.totalKwh,
    ).toBe(5003);
    await fleet.write((trx) =>
      updatePlant(trx, fleet.act(), id, { facts: { energyOffsetKwh: 1000 } }),
    );
    expect((await figures())[0]).toBe(1007);
  });

  test.each([
    ['capacity', { capacityKwp: 1 }, 31.2],
    ['position', { latitude: 52.5, longitude: 13.4 }, undefined],
  ])('a change of %s has all days judged anew', async (_, change, atMostKwh) => {
    const { caller, id, sn } = await setUp();
    const readings = Array.from(
      { length: 48 },
      (_row, i) =>
        [Date.parse('2026-06-14T00:00:00Z') + i * 1_800_000, { acPowerW: 9000 }] as const,
    );
    await fleet.report(sn, readings);
    const ofDay = async () =>
      (await fleet.ask('stationMonth', caller, { id, month: '2026-06' }))[0]!.kwh.production!;
    expect(await ofDay()).toBeCloseTo(9 * 23.5, 6);
    await fleet.write((trx) => updatePlant(trx, fleet.act(), id, change));
    expect(await fleet.runWork()).toBeGreaterThan(0);
    if (atMostKwh === undefined) {
      expect(await ofDay()).toBeGreaterThan(80);
      expect(await ofDay()).toBeLessThan(150);
    } else expect(await ofDay()).toBe(atMostKwh);
    await fleet.write((trx) => updatePlant(trx, fleet.act(), id, change));
    expect(await fleet.runWork()).toBe(0);
    await fleet.write((trx) => updatePlant(trx, fleet.act(), id, { latitude: 40 }));
    expect(await fleet.runWork()).toBeGreaterThan(0);
  });

  test('the curve of a day does not fall when its total jitters beside power', async () => {
    const { caller, id, sn } = await setUp();
    const levels = [462.0, 462.1, 462.0, 462.1, 462.0, 462.0, 462.2];
    await fleet.report(
      sn,
      levels.map(
        (energyTotalKwh, i) =>
          [Date.parse(june('15 10:00')) + i * 300_000, { energyTotalKwh, acPowerW: 500 }] as const,
      ),
    );
    const points = (await fleet.wire('stationDay', caller, { id, time: '2026-06-15' })).map(
      ({ produceEnergy }: { produceEnergy: number }) => produceEnergy,
    );
    expect(points).toEqual(points.toSorted((a: number, b: number) => a - b));
    expect(points.at(-1)).toBeCloseTo(0.2, 6);
  });
});
