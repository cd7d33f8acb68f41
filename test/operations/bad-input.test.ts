import { operations, readRequest } from '@helioport/contract';
import { describe, expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from './fleet.ts';
import { createScene, questions, SCENE_NOW, UNKNOWN, type QueryId } from './scene.ts';

const manyIds = Array.from({ length: 1001 }, (_, i) => String(i));
const longName = 'x'.repeat(1000);

/** By a parameter's wire name: values that cannot be. */
const impossible: Readonly<Record<string, readonly unknown[]>> = {
  pageNo: [0, -1, 'abc', 1.5, '1e3', {}, true, 1_000_000_001],
  pageSize: [0, 101, -1, 'abc', '10.5', [], false],
  limit: [0, 201, -1, 'abc', '10.5', [], false],
  minId: ['abc', '12345678901234567890', '-1'],
  id: ['abc', '1'.repeat(20), '0x1', '１２', { id: 1 }],
  stationId: ['abc', '1 2', '\u0000'],
  sn: [longName, 'a\u0000b', 'a\nb', '\ud800'],
  nmiCode: [longName, 'a\tb'],
  alarmDeviceSn: [longName, 'a\u0007b'],
  snList: [manyIds, manyIds.join(','), [{}], { 0: 'a' }],
  idList: [manyIds, manyIds.join(','), [null], 5.5e300 * 1e300],
  money: [longName, 'EUR\u0000'],
  timeZone: [99, -13, 14.5, 'Mars/Olympus', 'UTC+1', 'NaN', Infinity],
  searchinfo: ['u_ac9', 'u_ac1;drop', ['u_ac1', 'nothing']],
  alarmBeginTime: ['2026-13-01', '2026-02-30', 'yesterday'],
  alarmEndTime: ['2025-02-29', '0000-01-01', '9999-01-01'],
  state: [3, -1, 'open', 0.5],
  stationType: [-1, 'guest', 100],
};

/** A parameter of a request. */
interface Asked {
  readonly names: readonly string[];
  readonly required?: true;
}

/** Periods that are none, by how the operation reads them. */
const impossibleDays = [
  '2026-13-01',
  '2026-02-30',
  '2026-00-10',
  '2026-01-00',
  '2026-1-32',
  '0000-01-01',
  '9999-01-01',
  '1999-12-31',
  '20260101',
  '2026-01-01T00:00:00Z',
  '01/02/2026',
  'today',
];
const impossibleMonths = [
  '2026-13',
  '2026-00',
  '9999-01',
  '0000-12',
  '2026',
  '2026-01-01',
  '202601',
  'May',
];
const impossibleYears = ['9999', '0000', '1999', '26', '2026-01', 'this'];

const periods: Partial<Record<QueryId, readonly [wireName: string, values: readonly string[]]>> = {
  stationDay: ['time', impossibleDays],
  stationMonth: ['month', impossibleMonths],
  stationYear: ['year', impossibleYears],
  stationDayEnergyList: ['time', impossibleDays],
  stationMonthEnergyList: ['time', impossibleMonths],
  stationYearEnergyList: ['time', impossibleYears],
  inverterDay: ['time', impossibleDays],
  inverterMonth: ['month', impossibleMonths],
  inverterYear: ['year', impossibleYears],
  'collector/day': ['time', impossibleDays],
  'epm/day': ['time', impossibleDays],
  'epm/month': ['month', impossibleMonths],
  'epm/year': ['year', impossibleYears],
  'performance/day': ['day', impossibleDays],
  'performance/energy': ['year', impossibleYears],
  'performance/losses': ['year', impossibleYears],
};

const reading = (Object.keys(questions) as QueryId[]).map((id) => operations[id]);

describe.each(reading.map((operation) => [operation.id, operation] as const))(
  '%s',
  (id, operation) => {
    const base = questions[id][0]!(UNKNOWN);
    const read = (body: Record<string, unknown>) =>
      readRequest(operation as never, body) as
        | { input: unknown }
        | { fault: { error: string; data: { field: string; expected: string } } };
    const wireNames = Object.values(operation.request).flatMap(
      ({ names }) => names as readonly string[],
    );

    test('names the field of a value that cannot be and says what it takes', () => {
      const period = periods[id];
      const cases = Object.values(operation.request).flatMap(
        ({ names: [name] }): (readonly [string, readonly unknown[]])[] => {
          if (period && name === period[0]) return [period];
          const values =
            id === 'inverter/shelfTime' && name === 'sn' ? impossible['snList'] : impossible[name];
          return values ? [[name, values]] : [];
        },
      );
      expect(cases.length).toBeGreaterThan(0);
      for (const [name, values] of cases) {
        for (const value of values) {
          const given = read({ ...base, [name]: value });
          expect([name, value, given]).toEqual([
            name,
            value,
            {
              fault: {
                error: 'invalidValue',
                data: { field: expect.any(String), expected: expect.stringMatching(/./) },
              },
            },
          ]);
          const { field } = (given as { fault: { data: { field: string } } }).fault.data;
          expect(wireNames).toContain(field);
        }
      }
    });

    test('takes numbers as text and text as numbers, and ignores what it does not know (W14)', () => {
      const noise = {
        'installerEmail ': 5,
        unknown: { deep: [1] },
        userid: '1300386381676644416',
        __proto__: { polluted: true },
        constructor: 1,
      };
      const period = periods[id];
      const same: Record<string, [unknown, unknown]> = {
        pageNo: [2, '2'],
        pageSize: [50, ' 50 '],
        limit: [50, ' 50 '],
        timeZone: [8, '8.00'],
        ...(period?.[0] === 'year' && { year: [2026, '2026'] }),
      };
      for (const [name, [one, other]] of Object.entries(same)) {
        if (wireNames.includes(name))
          expect(read({ ...base, [name]: one })).toEqual(read({ ...base, [name]: other }));
      }
      expect(read({ ...base, ...noise })).toEqual(read(base));
      const blank = Object.fromEntries(
        wireNames
          .filter((name) => !(name in base))
          .map((name, i) => [name, [null, '', '   '][i % 3]]),
      );
      expect(read({ ...base, ...blank })).toEqual(read(base));
    });

    test('asks for what it needs', () => {
      const { needsOneOf = [] } = operation as { needsOneOf?: readonly string[] };
      const parameters = operation.request as Record<string, Asked>;
      const needed =
        Object.keys(parameters).find((name) => parameters[name]!.required) ?? needsOneOf[0];
      if (needed === undefined) expect(read({})).toHaveProperty('input');
      else
        expect(read({})).toMatchObject({
          fault: { error: 'missingParameter', data: { field: parameters[needed]!.names[0] } },
        });
    });
  },
);

test('a day may lack leading zeros, and a month be written with a space (W7)', () => {
  const inputOf = (id: QueryId, body: object) =>
    (readRequest(operations[id] as never, body as never) as { input: Record<string, unknown> })
      .input;
  expect(inputOf('stationDay', { id: '1', time: '2023-5-26' })['day']).toBe(20_230_526);
  expect(inputOf('inverterMonth', { sn: 'a', month: '2023 05' })['month']).toBe(202_305);
  expect(inputOf('inverterMonth', { sn: 'a', month: '2023-5' })['month']).toBe(202_305);
});

describeEngines('odd but possible input', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);

  test('another currency and zone are answered in the plant’s', async () => {
    const scene = await createScene(fleet);
    const caller = userCaller(scene.owner);
    for (const id of Object.keys(periods) as QueryId[]) {
      const body = questions[id].at(-1)!(scene);
      const plain = await fleet.wire(id, caller, body);
      expect(await fleet.wire(id, caller, { ...body, money: 'XXX', timeZone: '-9.5' })).toEqual(
        plain,
      );
    }
    expect(
      (await fleet.wire('stationMonth', caller, { id: scene.plantId, money: 'USD' }))[0],
    ).toMatchObject({ moneyStr: 'EUR' });
  });

  test('serial numbers and meters of any script are looked for as they are', async () => {
    const scene = await createScene(fleet);
    const caller = userCaller(scene.owner);
    for (const sn of [
      '😀',
      'سولار',
      '%',
      "' or 1=1 --",
      '"',
      '\\',
      'ＳＮ',
      scene.devices.inverter.sn.toLowerCase(),
    ]) {
      await expect(fleet.ask('inverterDetail', caller, { sn })).rejects.toMatchObject({
        code: 'noPermission',
      });
      expect((await fleet.ask('inverterDetailList', caller, { snList: [sn] })).records).toEqual([]);
      expect((await fleet.ask('stationDetailList', caller, { nmiCode: sn })).records).toEqual([]);
    }
  });

  test('lists of a thousand, with repetitions and strangers among them, give what is there', async () => {
    const scene = await createScene(fleet);
    const caller = userCaller(scene.owner);
    const strangers = manyIds.slice(0, 999);
    const both = {
      snList: [...strangers, scene.devices.inverter.sn],
      idList: [...strangers, scene.plantId].join(','),
      pageSize: 100,
    };
    for (const id of ['inverterList', 'inverterDetailList', 'inverter/shelfTime'] as const) {
      const data = await fleet.wire(
        id,
        caller,
        id === 'inverter/shelfTime' ? { sn: both.snList.join(',') } : both,
      );
      expect((data.page ?? data).total).toBe(1);
    }
    for (const id of [
      'userStationList',
      'stationDetailList',
      'stationDayEnergyList',
      'stationMonthEnergyList',
      'stationYearEnergyList',
    ] as const) {
      const data = await fleet.wire(id, caller, both);
      expect((data.page ?? data).records.map((record: { id: string }) => record.id)).toEqual([
        scene.plantId,
      ]);
      expect(
        (await fleet.wire(id, caller, { stationIds: `${scene.plantId}, ${scene.plantId} ,` }))
          .total ?? 1,
      ).toBe(1);
    }
  });

  test('pages beyond the end are empty and keep the total', async () => {
    const scene = await createScene(fleet);
    const caller = userCaller(scene.owner);
    for (const { id } of reading.filter(({ request }) => 'pageNo' in request)) {
      const data = await fleet.wire(id, caller, { pageNo: 999_999_999, pageSize: 100 });
      expect([id, (data.page ?? data).records, (data.page ?? data).total]).toEqual([id, [], 1]);
    }
  });

  test('days far in the past and to come are empty', async () => {
    const scene = await createScene(fleet);
    const caller = userCaller(scene.owner);
    const sn = scene.devices.inverter.sn;
    for (const time of ['2000-01-01', '2000-02-29', '2099-12-31']) {
      expect(await fleet.wire('stationDay', caller, { id: scene.plantId, time })).toEqual([]);
      expect(await fleet.wire('inverterDay', caller, { sn, time })).toEqual([]);
      expect(await fleet.wire('inverterMonth', caller, { sn, month: time.slice(0, 7) })).toEqual(
        [],
      );
      expect(
        await fleet.wire('stationYear', caller, { id: scene.plantId, year: time.slice(0, 4) }),
      ).toEqual([]);
      const { records } = await fleet.wire('stationDayEnergyList', caller, { time });
      expect(records).toHaveLength(1);
      expect(records[0]).not.toHaveProperty('energy');
    }
  });
});
