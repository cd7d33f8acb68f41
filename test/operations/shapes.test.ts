import { quantities, type OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { anyKnownKeys, knownKeys } from '../contract/known-keys.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet, type Measurements } from './fleet.ts';

const NOW = Date.parse('2026-06-15T10:00:00Z');

/** A value for every quantity there is; energies of a day grow from 1 to 2 kWh, totals from 1000 to 1001. */
const everything = (step: 1 | 2): Measurements =>
  Object.fromEntries(
    [...quantities.values()].map(({ name, unit }) => [
      name,
      unit === 'kWh'
        ? name.includes('Total')
          ? 999 + step
          : step
        : unit === 'W'
          ? 1500 * step
          : unit === '%'
            ? 50
            : 3,
    ]),
  );

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
const SIBLING = /(Str|Pec|Unit)$/;
const anywhere = anyKnownKeys();

describeEngines('the shape of answers made of stored readings', (database) => {
  const clock = settableClock(NOW);
  const fleet = createFleet(database, clock);

  const setUp = async () => {
    const [owner, installer] = [await fleet.person(), await fleet.person()];
    const plantId = await fleet.plant(owner.id, {
      name: 'Sun roof',
      timeZone: 'Europe/Berlin',
      currency: 'EUR',
      pricePerKwh: 0.1,
      capacityKwp: 10,
      address: 'Sun street 1',
      tiltDegrees: 30,
      azimuthDegrees: -5,
      nmiCode: 'NMI42',
      installerId: installer.id,
    });
    const collector = await fleet.device(plantId, { kind: 'collector' });
    const { id, sn } = await fleet.device(plantId, {
      model: 'M-6',
      name: 'South',
      ratedPowerW: 6000,
    });
    await fleet.write((trx) => assignCollector(trx, id, collector.id));
    const silent = await fleet.device(plantId);
    await fleet.report(sn, [
      [NOW - 600_000, everything(1)],
      [NOW - 300_000, everything(2)],
    ]);
    return { owner, installer, plantId, id, sn, silent, collector, caller: userCaller(owner.id) };
  };

  test('every key and its type is one that clients know', async () => {
    const { caller, plantId, sn, silent } = await setUp();
    const records: [OperationId, object][] = [
      ['userStationList', (await fleet.wire('userStationList', caller)).page.records[0]],
      ['stationDetail', await fleet.wire('stationDetail', caller, { id: plantId })],
      ['inverterList', (await fleet.wire('inverterList', caller)).page.records[0]],
      ['inverterDetail', await fleet.wire('inverterDetail', caller, { sn })],
      ['inverterDetail', await fleet.wire('inverterDetail', caller, { sn: silent.sn })],
      ['inverterDay', (await fleet.wire('inverterDay', caller, { sn }))[1]],
    ];
    const strange = records.flatMap(([operation, record]) => {
      const known = knownKeys(operation);
      return Object.entries(record).flatMap(([key, value]) => {
        const type = typeOf(value);
        const fits = known.has(key)
          ? known.get(key) === type
          : anywhere.has(`${key}: ${type}`) ||
            (type === 'string' && key.replace(SIBLING, '') in record && SIBLING.test(key));
        return fits ? [] : [`${operation}: ${key} is ${type}`];
      });
    });
    expect(strange).toEqual([]);
  });

  test('inverterDetail holds what was reported, powers in kW, with units that agree (W9, W12)', async () => {
    const { caller, owner, plantId, id, sn, collector } = await setUp();
    const detail = await fleet.wire('inverterDetail', caller, { sn });
    expect(detail).toMatchObject({
      id,
      sn,
      stationId: plantId,
      stationName: 'Sun roof',
      userId: owner.id,
      collectorId: collector.id,
      collectorsn: collector.sn,
      model: 'M-6',
      name: 'South',
      state: 1,
      dataTimestamp: String(NOW - 300_000),
      timeStr: '2026-06-15 11:55:00',
      timeZone: 1,
      daylight: 1,
      power: 6,
      powerStr: 'kW',
      pac: 3,
      pacStr: 'kW',
      pacPec: '1',
      eToday: 2,
      eTodayStr: 'kWh',
      eMonth: 2,
      eTotal: 1.001,
      eTotalStr: 'MWh',
      fac: 3,
      facStr: 'Hz',
      inverterTemperature: 3,
      psum: 3,
      psumStr: 'kW',
      batteryPower: 3,
      batteryCapacitySoc: 50,
      bstteryCurrent: 3,
      familyLoadPower: 3,
      uPv1: 3,
      uPv1Str: 'V',
      uPv32: 3,
      iPv32: 3,
      pow32: 3000,
      pow32Str: 'W',
      uAc3: 3,
      gridPurchasedTodayEnergy: 2,
      batteryTodayChargeEnergy: 2,
      dcInputtype: 31,
      acOutputType: 1,
      type: 2,
      money: 'EUR',
      dayInCome: 0.2,
      hmiVersionAll: '0000',
    });
  });

  test('an inverter that never reported still has the keys that clients index without asking (W11)', async () => {
    const { caller, silent } = await setUp();
    const detail = await fleet.wire('inverterDetail', caller, { sn: silent.sn });
    for (const key of [
      'sn',
      'stationName',
      'state',
      'dataTimestamp',
      'hmiVersionAll',
      'collectorId',
      'userId',
      'batteryType',
      'batteryPower',
      'psum',
      'currentState',
    ])
      expect(detail).toHaveProperty(key);
    expect(detail).toMatchObject({
      state: 2,
      dataTimestamp: '0',
      batteryType: '0',
      batteryPower: 0,
      uPv1: 0,
      uAc3: 0,
    });
    for (const key of ['pac', 'eToday', 'eTotal', 'fac', 'inverterTemperature', 'dayInCome'])
      expect(detail).not.toHaveProperty(key);
  });

  test('stationDetail and the plant in userStationList tell the same figures', async () => {
    const { caller, owner, installer, plantId } = await setUp();
    const detail = await fleet.wire('stationDetail', caller, { id: plantId });
    const { page, stationStatusVo } = await fleet.wire('userStationList', caller);
    expect(page).toMatchObject({ total: 1, size: 20, current: 1, pages: 1 });
    expect(stationStatusVo).toEqual({
      all: 1,
      normal: 1,
      fault: 0,
      offline: 0,
      building: 0,
      mppt: 0,
    });
    const shared = {
      id: plantId,
      stationName: 'Sun roof',
      userId: owner.id,
      addr: 'Sun street 1',
      installerId: installer.id,
      installer: installer.name,
      installerEmail: installer.email,
      dip: 30,
      azimuth: -5,
      nmiCode: 'NMI42',
      price: 0.1,
      money: 'EUR',
      capacity: 10,
      capacityStr: 'kWp',
      state: 1,
      power: 3,
      powerStr: 'kW',
      capacityPercent: 30,
      dayEnergy: 2,
      dayEnergyStr: 'kWh',
      allEnergy: 1.001,
      allEnergyStr: 'MWh',
      allEnergy1: 1001,
      fullHour: 0.2,
      inverterCount: 2,
      homeLoadTodayEnergy: 4,
      gridSellTodayEnergy: 2,
      batteryTodayChargeEnergy: 2,
      timeZone: 1,
      timeZoneId: 'Europe/Berlin',
      dataTimestamp: String(NOW - 300_000),
    };
    const { gridSellTodayEnergy, ...inDetail } = shared;
    expect(page.records[0]).toMatchObject({
      ...shared,
      dayIncome: 0.2,
      dayIncomeUnit: 'EUR',
      allIncome: 100.1,
    });
    expect(detail).toMatchObject({
      ...inDetail,
      gridSellDayEnergy: gridSellTodayEnergy,
      dayInCome: 0.2,
      allInCome: 100.1,
      monthEnergy: 2,
      yearEnergy: 2,
      psum: 3,
      batteryPower: 3,
      familyLoadPower: 3,
    });
  });

  test('inverterDay rows are raw W with display unit and multiplier, on the plant’s clock (W10)', async () => {
    const { caller, sn } = await setUp();
    const rows = await fleet.wire('inverterDay', caller, {
      sn,
      time: '2026-6-15',
      money: 'USD',
      timeZone: '8',
    });
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({
      dataTimestamp: String(NOW - 300_000),
      timeStr: '2026-06-15 11:55:00',
      time: '11:55:00',
      state: 1,
      pac: 3000,
      pacStr: 'kW',
      pacPec: '0.001',
      eToday: 2,
      eTotal: 1001,
      uPv1: 3,
      uAc3: 3,
      fac: 3,
      dcInputType: 31,
      acOutputType: 1,
    });
  });

  test('a day gives every stored reading, at most 2,880 of them', async () => {
    const { owner, plantId } = await setUp();
    const { sn } = await fleet.device(plantId);
    const start = Date.parse('2026-06-13T22:00:00Z');
    for (let hour = 0; hour < 24; hour++) {
      await fleet.report(
        sn,
        Array.from(
          { length: 180 },
          (_, i) => [start + (hour * 180 + i) * 20_000, { acPowerW: i }] as const,
        ),
      );
    }
    const rows = await fleet.wire('inverterDay', userCaller(owner.id), { sn, time: '2026-06-14' });
    expect(rows).toHaveLength(2880);
    expect(Number(rows.at(-1).dataTimestamp)).toBe(start + 86_400_000 - 20_000);
  });
});
