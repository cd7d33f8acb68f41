import { describe, expect, test } from 'vitest';
import { exceptions, neutral } from '../../packages/contract/src/compat/field-kinds/neutral.ts';
import * as examples from '../../packages/contract/src/examples.ts';
import { projected, recordSchemaOf, recordsOf } from './every-operation.ts';
import { fullOutputs } from './full-records.ts';
import { anyKnownKeys, knownKeys } from './known-keys.ts';

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

const SIBLING = /(Str|Pec|Unit)$/;
const elsewhere = anyKnownKeys();

describe('with everything known', () => {
  test.each(Object.keys(fullOutputs))('%s has the keys and types that clients know', (id) => {
    const known = knownKeys(id);
    const [record] = recordsOf(projected(id, fullOutputs[id]));
    const strange = Object.entries(record!).flatMap(([key, value]) => {
      const type = typeOf(value);
      const expected = known.get(key);
      if (expected !== undefined)
        return expected === type ? [] : [`${key} is ${type}, known as ${expected}`];
      const fits =
        elsewhere.has(`${key}: ${type}`) ||
        (type === 'string' && SIBLING.test(key) && key.replace(SIBLING, '') in record!);
      return fits ? [] : [`${key} (${type}) is known nowhere`];
    });
    expect(strange).toEqual([]);
  });

  test.each(Object.keys(fullOutputs))(
    '%s writes every key of its table, in the type of its schema',
    (id) => {
      const [record] = recordsOf(projected(id, fullOutputs[id]));
      const { properties = {} } = recordSchemaOf(id);
      const unlike = Object.entries(properties).filter(([key, { type }]) => {
        const value = record![key];
        return (
          typeOf(value) !== (type === 'integer' ? 'number' : type) ||
          (type === 'integer' && !Number.isInteger(value))
        );
      });
      expect(
        unlike.map(
          ([key, { type }]) => `${key}: ${String(type)}, but ${JSON.stringify(record![key])}`,
        ),
      ).toEqual([]);
      expect(Object.keys(record!).filter((key) => !(key in properties))).toEqual([]);
    },
  );

  test('multipliers of list and detail records are the text "1", those of chart rows fit their unit', () => {
    for (const [id, output] of Object.entries(fullOutputs)) {
      const chart = Array.isArray(output) || id.includes('EnergyList');
      const entries = Object.entries(recordsOf(projected(id, output))[0]!).filter(([key]) =>
        key.endsWith('Pec'),
      );
      for (const [key, value] of entries)
        expect([id, key, value]).toEqual([
          id,
          key,
          chart ? expect.stringMatching(/^(1|0\.001|0\.000001)$/) : '1',
        ]);
    }
  });

  test('a sibling unit stands beside a number, never alone', () => {
    for (const [id, output] of Object.entries(fullOutputs)) {
      const record = recordsOf(projected(id, output))[0]!;
      // One unit for all temperatures of a weather station.
      for (const key of Object.keys(record).filter(
        (name) => /(Pec|Unit)$/.test(name) && name !== 'temperatureUnit',
      )) {
        expect([id, key, typeof record[key.replace(/(Pec|Unit)$/, '')]]).toEqual([
          id,
          key,
          'number',
        ]);
      }
    }
  });
});

const unknownInverter = {
  id: '5',
  sn: 'A',
  plant: examples.examplePlantSummary,
  facts: {},
  createdAt: 1,
  state: 'offline',
  values: {},
  energies: {},
  lastReportAt: null,
  income: undefined,
};

const unknownPlant = {
  id: '6',
  ownerId: '7',
  name: 'Bare',
  type: 0,
  capacityKwp: 5,
  currency: 'EUR',
  zone: examples.examplePlant.zone,
  facts: {},
  createdAt: 1,
  updatedAt: 1,
  state: 'offline',
  values: {},
  energies: {},
};

describe('with nothing known', () => {
  test('an inverter that never reported has the keys that clients index, and nothing made up', () => {
    const record = recordsOf(projected('inverterDetail', unknownInverter))[0]!;
    expect(record).toMatchObject({
      id: '5',
      sn: 'A',
      stationName: 'Meadow Lane 4',
      state: 2,
      ...neutral.inverter,
    });
    const expected = new Set(Object.keys(neutral.inverter));
    const numbers = Object.entries(record).filter(
      ([key, value]) => typeof value === 'number' && !expected.has(key),
    );
    expect(numbers.map(([key]) => key).toSorted()).toEqual([
      'daylight',
      'daylightSwitch',
      'state',
      'stationType',
      'stationTypeNew',
      'timeZone',
    ]);
  });

  test.each<[string, object, string[]]>([
    ['a battery that was entered', { facts: { storage: true } }, ['batteryHealthSoh']],
    ['a battery of a known kind', { facts: { batteryType: '2' } }, ['batteryCapacitySoc']],
    ['a battery that is charged', { values: { batterySocPercent: 50 } }, ['batteryHealthSoh']],
    [
      'a battery that has been charged',
      { energies: { batteryCharge: { totalKwh: 5 } } },
      ['batteryPower'],
    ],
    [
      'a grid meter',
      { energies: { gridImport: { totalKwh: 5 } } },
      ['psum', 'gridPurchasedTodayEnergy', 'gridSellTodayEnergy', 'gridSellTotalEnergy'],
    ],
    ['a load that was measured', { energies: { load: { totalKwh: 5 } } }, ['familyLoadPower']],
    [
      'strings that have been reported',
      { facts: { dcInputs: 2 }, lastReportAt: 1 },
      ['uPv1', 'uPv2'],
    ],
    [
      'phases that have been reported',
      { facts: { phases: 3 }, lastReportAt: 1 },
      ['uAc1', 'uAc2', 'uAc3'],
    ],
  ])('of %s, nothing is made up', (_, change, absent) => {
    const record = recordsOf(projected('inverterDetail', { ...unknownInverter, ...change }))[0]!;
    for (const key of absent) expect(record).not.toHaveProperty(key);
    // What does not exist keeps its constant.
    const things = new Set(absent.map((key) => exceptions.inverter[key as 'uPv1'].thing));
    for (const [key, { thing }] of Object.entries(exceptions.inverter)) {
      if (things.has(thing)) continue;
      expect(record).toHaveProperty(key, neutral.inverter[key as 'uPv1']);
    }
  });

  test('the four energies of the grid are in the list and in the detail, 0 without a meter there', () => {
    const four = {
      gridPurchasedTodayEnergy: 0,
      gridPurchasedTotalEnergy: 0,
      gridSellTodayEnergy: 0,
      gridSellTotalEnergy: 0,
    };
    const both = (record: never): readonly object[] => [
      recordsOf(projected('inverterDetail', record))[0]!,
      recordsOf(projected('inverterList', examples.exampleListing(record)))[0]!,
    ];
    for (const record of both(unknownInverter as never)) expect(record).toMatchObject(four);
    const bought = { todayKwh: 2, totalKwh: 30 };
    for (const record of both({ ...unknownInverter, energies: { gridImport: bought } } as never)) {
      expect(record).toMatchObject({ gridPurchasedTodayEnergy: 2, gridPurchasedTotalEnergy: 30 });
      expect(record).not.toHaveProperty('gridSellTotalEnergy');
    }
  });

  test('every constant stands for something that may not exist, or is named here', () => {
    expect(
      Object.keys(neutral.inverter)
        .filter((key) => !(key in exceptions.inverter))
        .toSorted(),
    ).toEqual(
      // Without a collector, a report or a display of its own; what nobody has reported; what every device has.
      [
        'batteryType',
        'collectorId',
        'currentState',
        'dataTimestamp',
        'hmiVersionAll',
        'model',
        'productModel',
      ],
    );
  });

  test('the siblings of a neutral constant are there too', () => {
    expect(projected('inverterDetail', unknownInverter)).toMatchObject({
      storageBatteryCurrentStr: 'A',
      batteryPowerStr: 'kW',
      batteryPowerPec: '1',
      psumStr: 'kW',
      familyLoadPower: 0,
      familyLoadPowerStr: 'kW',
      uPv1Str: 'V',
    });
  });

  test('a plant without readings has the keys that clients index', () => {
    const [record] = recordsOf(projected('userStationList', examples.exampleListing(unknownPlant)));
    expect(record).toMatchObject({ capacity: 5, ...neutral.plantListed });
    expect(record).not.toHaveProperty('dayEnergy');
    expect(record).not.toHaveProperty('dataTimestamp');
  });

  test('nulls, infinities and NaN are left out', () => {
    const broken = {
      ...unknownInverter,
      values: { temperatureC: Number.NaN, gridFrequencyHz: Infinity, acPowerW: undefined },
      energies: { production: null },
    };
    const record = projected('inverterDetail', broken) as Record<string, unknown>;
    expect(
      Object.values(record).filter(
        (value) => value === null || value === undefined || Number.isNaN(value),
      ),
    ).toEqual([]);
    expect(record).not.toHaveProperty('inverterTemperature');
    expect(record).not.toHaveProperty('fac');
    expect(record).not.toHaveProperty('pac');
    expect(record).not.toHaveProperty('pacStr');
  });

  test('an inverter without a rated power has no full-load hours and no percentage', () => {
    const record = projected('inverterDetail', {
      ...unknownInverter,
      ratedPowerW: 0,
      values: { acPowerW: 5 },
      energies: { production: { todayKwh: 1 } },
    });
    expect(record).not.toHaveProperty('fullHour');
    expect(record).not.toHaveProperty('fullHourStr');
    expect(record).not.toHaveProperty('porwerPercent');
  });
});

describe('containers', () => {
  test('lists have counters, a page and the switch that clients read', () => {
    const data = projected('inverterList', {
      page: { records: [], total: 41, pageNo: 3, pageSize: 20 },
      counts: { all: 41, online: 30, offline: 9, alarm: 2 },
    });
    expect(data).toEqual({
      inverterStatusVo: { all: 41, normal: 30, fault: 2, offline: 9, mppt: 0 },
      page: {
        records: [],
        total: 41,
        size: 20,
        current: 3,
        orders: [],
        optimizeCountSql: true,
        searchCount: true,
        pages: 3,
      },
      mpptSwitch: 0,
    });
  });

  test.each([
    ['userStationList', 'stationStatusVo', ['building', 'mppt']],
    ['inverterList', 'inverterStatusVo', ['mppt']],
    ['collectorList', 'collectionStatusVo', []],
    ['epmList', 'epmStatusVo', []],
  ])('%s counts in %s', (id, key, more) => {
    const data = projected(id, fullOutputs[id]) as Record<string, object>;
    expect(Object.keys(data)).toEqual([key, 'page', 'mpptSwitch']);
    expect(Object.keys(data[key]!)).toEqual(['all', 'normal', 'fault', 'offline', ...more]);
  });

  test('epm/day holds parallel arrays, with null where a reading lacks the value', () => {
    const row = { at: 1_793_963_100_000, offsetMinutes: 60, daylightMinutes: 0 };
    const rows = [
      { ...row, values: { acVoltage1V: 231.25 } },
      { ...row, at: row.at + 300_000, values: {} },
    ];
    expect(
      projected('epm/day', { names: ['u_ac1', 'p_limit'], rows, facts: { exportLimitW: 6000 } }),
    ).toEqual({
      u_ac1: [231.25, null],
      p_limit: [6000, 6000],
      data_timestamp: ['1793963100000', '1793963400000'],
      timeStr: ['12:05:00', '12:10:00'],
      daylightList: [0, 0],
      daylightSwitch: 0,
    });
  });

  test('new plants are answered as an object or as text, other changes as null', () => {
    expect(projected('addStation', { plantId: '12' })).toEqual({ id: '12' });
    expect(projected('addStationBindCollector', { plantId: '12' })).toBe('12');
    for (const id of [
      'stationUpdate',
      'addDevice',
      'delCollector',
      'unbindDevice',
      'archiveStation',
    ])
      expect(projected(id, undefined)).toBeNull();
  });
});
