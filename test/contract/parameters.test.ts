import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRequest, type Operation } from '../../packages/contract/src/index.ts';
import { readParameters, required } from '../../packages/contract/src/parameters.ts';
import { listInput } from '../../packages/contract/src/scalars.ts';
import { everyOperation, operationOf } from './every-operation.ts';

type Body = Record<string, unknown>;

const read = (id: string, body: Body) => readRequest(operationOf(id), body);
const input = (id: string, body: Body): Record<string, unknown> =>
  (read(id, body) as { input: Record<string, unknown> }).input;
const fault = (id: string, body: Body) => (read(id, body) as { fault?: unknown }).fault;

const invalid = (field: string) => ({
  error: 'invalidValue',
  data: { field, expected: expect.any(String) as string },
});
const missing = (field: string) => ({
  error: 'missingParameter',
  data: expect.objectContaining({ field }) as unknown,
});

describe('what existing clients send', () => {
  test('an empty body asks for the first page of twenty', () => {
    expect(input('inverterList', {})).toMatchObject({
      pageNo: 1,
      pageSize: 20,
      plantId: undefined,
    });
  });

  test.each([
    [
      { pageNo: '2', pageSize: '100' },
      { pageNo: 2, pageSize: 100 },
    ],
    [
      { pageNo: 2, pageSize: 100 },
      { pageNo: 2, pageSize: 100 },
    ],
    [
      { pageNo: ' 2 ', pageSize: '' },
      { pageNo: 2, pageSize: 20 },
    ],
    [
      { pageNo: null, userid: '1' },
      { pageNo: 1, pageSize: 20 },
    ],
    [{ stationId: '1300386381676644416' }, { plantId: '1300386381676644416' }],
    [
      { pageSize: '100', minId: '42' },
      { pageSize: 100, fromId: '42' },
    ],
    [{ snList: 'A,B, A' }, { serialNumbers: ['A', 'B'] }],
    [{ snList: ['A', 'B'] }, { serialNumbers: ['A', 'B'] }],
  ])('inverterList %j', (body, expected) => {
    expect(input('inverterList', body)).toMatchObject(expected);
  });

  test.each([
    ['inverterDay', { sn: 'A', time: '2023-5-26' }, { day: 20_230_526 }],
    ['inverterDay', { sn: 'A', time: '2024-02-29' }, { day: 20_240_229 }],
    ['inverterDay', { sn: 'A', timezone: '8' }, { timeZoneHours: 8 }],
    [
      'inverterDay',
      { sn: 'A', timeZone: 5.75, money: 'AUD' },
      { timeZoneHours: 5.75, currency: 'AUD' },
    ],
    ['inverterDay', { id: 12, sn: 'A' }, { id: '12', sn: 'A' }],
    ['inverterMonth', { sn: 'A', month: '2023 06' }, { month: 202_306 }],
    ['inverterYear', { sn: 'A', year: 2023 }, { year: 2023 }],
    ['stationMonthEnergyList', { time: '2023-6' }, { month: 202_306 }],
    ['stationYearEnergyList', { time: '2023' }, { year: 2023 }],
    [
      'stationDayEnergyList',
      { stationIds: '1,2', time: '2023-06-28' },
      { plantIds: ['1', '2'], day: 20_230_628 },
    ],
    ['stationDetail', { nmiCode: '4103' }, { nmiCode: '4103' }],
    [
      'alarmList',
      { alarmBegIntegerime: '2026-11-01', state: '0' },
      { fromDay: 20_261_101, stateCode: 0 },
    ],
    ['epm/day', { sn: 'A', searchinfo: 'u_ac1,e_total_buy' }, { names: ['u_ac1', 'e_total_buy'] }],
    ['inverter/shelfTime', { sn: 'A,B' }, { serialNumbers: ['A', 'B'] }],
    ['delCollector', { sn: 'A', deleteInvert: '1' }, { withInverters: true }],
    ['delCollector', { sn: 'A', deleteInvert: 0 }, { withInverters: false }],
  ])('%s %j', (id, body, expected) => {
    expect(input(id, body)).toMatchObject(expected);
  });

  test('a new plant takes the key with a space at its end, numbers as text, and any script in its name', () => {
    const body = {
      stationName: 'שמש ☀️',
      capacity: '9.84',
      money: 'eur',
      addr: 'x',
      price: '0.08',
      'installerEmail ': 'a@b.example',
      timeZoneId: 'Asia/Jerusalem',
    };
    expect(input('addStation', body)).toMatchObject({
      name: 'שמש ☀️',
      capacityKwp: 9.84,
      currency: 'EUR',
      installerEmail: 'a@b.example',
      timeZone: 'Asia/Jerusalem',
    });
  });
});

test('a number means the same as text, with blanks around it too', () => {
  const forms = (value: number): unknown[] => [value, String(value), ` ${value} `];
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.double({ min: 0, max: 1e7, noNaN: true }),
      (size, no, capacity) => {
        for (const form of forms(size))
          expect(input('userStationList', { pageSize: form })).toMatchObject({ pageSize: size });
        for (const form of forms(no))
          expect(input('userStationList', { pageNo: form })).toMatchObject({ pageNo: no });
        const plant = { id: '1', stationName: 'a', price: 0, addr: 'x' };
        for (const form of forms(capacity))
          expect(input('stationUpdate', { ...plant, capacity: form })).toMatchObject({
            capacityKwp: capacity,
          });
      },
    ),
  );
});

test('exactly the days of the calendar from 2000 to 2099 are days', () => {
  const two = (n: number): string => String(n).padStart(2, '0');
  fc.assert(
    fc.property(
      fc.integer({ min: 1990, max: 2110 }),
      fc.integer({ min: 0, max: 14 }),
      fc.integer({ min: 0, max: 33 }),
      (y, m, d) => {
        const date = new Date(Date.UTC(y, m - 1, d));
        const exists =
          date.getUTCMonth() === m - 1 && date.getUTCDate() === d && y >= 2000 && y <= 2099;
        for (const time of [`${y}-${m}-${d}`, `${y}-${two(m)}-${two(d)}`]) {
          const reading = read('inverterDay', { sn: 'A', time });
          expect('input' in reading ? reading.input['day'] : undefined).toBe(
            exists ? y * 10_000 + m * 100 + d : undefined,
          );
        }
      },
    ),
  );
});

describe('what cannot be is refused with the name of its field', () => {
  const long = Array.from({ length: 1001 }, (_, i) => `SN${i}`);
  test.each<[string, Body, string]>([
    ['userStationList', { pageSize: 0 }, 'pageSize'],
    ['userStationList', { pageSize: 101 }, 'pageSize'],
    ['userStationList', { pageSize: -1 }, 'pageSize'],
    ['userStationList', { pageSize: 'abc' }, 'pageSize'],
    ['userStationList', { pageSize: 1.5 }, 'pageSize'],
    ['userStationList', { pageSize: [20] }, 'pageSize'],
    ['userStationList', { pageSize: true }, 'pageSize'],
    ['userStationList', { pageNo: 0 }, 'pageNo'],
    ['userStationList', { pageNo: '9999999999999999999' }, 'pageNo'],
    ['userStationList', { idList: long }, 'idList'],
    ['userStationList', { idList: [{}] }, 'idList'],
    ['inverterDetail', { id: 'abc' }, 'id'],
    ['inverterDetail', { id: '12345678901234567890' }, 'id'],
    ['inverterDetail', { id: -1 }, 'id'],
    ['inverterDetail', { sn: 'a\u0000b' }, 'sn'],
    ['inverterDetail', { sn: '\ud800' }, 'sn'],
    ['inverterDetail', { sn: { $ne: '' } }, 'sn'],
    ['inverterDetail', { sn: 'x'.repeat(65) }, 'sn'],
    ['inverterDetailList', { snList: long.join(',') }, 'snList'],
    ['inverter/shelfTime', { sn: long.join(',') }, 'sn'],
    ['inverterDay', { sn: 'A', time: '2023-13-01' }, 'time'],
    ['inverterDay', { sn: 'A', time: '2023-02-30' }, 'time'],
    ['inverterDay', { sn: 'A', time: '2023-02-29' }, 'time'],
    ['inverterDay', { sn: 'A', time: '0000-01-01' }, 'time'],
    ['inverterDay', { sn: 'A', time: '9999-01-01' }, 'time'],
    ['inverterDay', { sn: 'A', time: '2023/05/26' }, 'time'],
    ['inverterDay', { sn: 'A', time: 20_230_526 }, 'time'],
    ['inverterDay', { sn: 'A', timeZone: 15 }, 'timeZone'],
    ['inverterDay', { sn: 'A', timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['inverterDay', { sn: 'A', timeZone: 'NaN' }, 'timeZone'],
    ['inverterMonth', { sn: 'A', month: '2023-13' }, 'month'],
    ['inverterMonth', { sn: 'A', month: '2023-00' }, 'month'],
    ['inverterMonth', { sn: 'A', month: '2023-06-01' }, 'month'],
    ['stationYear', { id: '1', year: 0 }, 'year'],
    ['stationYear', { id: '1', year: '9999' }, 'year'],
    ['stationYear', { id: '1', year: '23' }, 'year'],
    ['alarmList', { state: 3 }, 'state'],
    ['epm/day', { sn: 'A', searchinfo: 'u_ac1,u_ac9' }, 'searchinfo'],
    ['stationUpdate', { id: '1', stationName: 'a', capacity: -1, price: 0, addr: 'x' }, 'capacity'],
    [
      'stationUpdate',
      { id: '1', stationName: 'x'.repeat(1000), capacity: 1, price: 0, addr: 'x' },
      'stationName',
    ],
    [
      'stationUpdate',
      { id: '1', stationName: 'a\u0007', capacity: 1, price: 0, addr: 'x' },
      'stationName',
    ],
    [
      'stationUpdate',
      { id: '1', stationName: 'a', capacity: 1, price: 0, addr: 'x', latitude: 91 },
      'latitude',
    ],
    [
      'stationUpdate',
      { id: '1', stationName: 'a', capacity: 1, price: 0, addr: 'x', money: 'EURO' },
      'money',
    ],
    ['delCollector', { sn: 'A', deleteInvert: 2 }, 'deleteInvert'],
  ])('%s %j', (id, body, field) => {
    expect(fault(id, body)).toEqual(invalid(field));
  });

  test.each<[string, Body, string]>([
    ['inverterDetail', {}, 'id'],
    ['inverterDetail', { id: '', sn: ' ' }, 'id'],
    ['stationDetail', { id: null }, 'id'],
    ['inverterDay', { time: '2023-05-26' }, 'id'],
    ['collector/day', {}, 'sn'],
    ['addDevice', { id: '1' }, 'sn'],
    ['addDevice', { sn: 'A' }, 'id'],
    ['addStation', { capacity: 1, money: 'EUR', addr: 'x', price: 1 }, 'stationName'],
    ['stationUpdate', { id: '1', stationName: 'a', price: 1, addr: 'x' }, 'capacity'],
    ['delCollector', {}, 'sn'],
  ])('%s %j lacks a parameter', (id, body, field) => {
    expect(fault(id, body)).toEqual(missing(field));
  });

  test('keys of the object prototype are not parameters', () => {
    expect(
      fault('inverterDetail', JSON.parse('{"__proto__":{"sn":"A"},"constructor":1}') as Body),
    ).toEqual(missing('id'));
  });
});

const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  'abc',
  '\u0000',
  '\ud800',
  [],
  [[]],
  [null],
  {},
  { a: 1 },
  'x'.repeat(100_000),
];

test.each(everyOperation.map((operation) => [operation.id, operation] as const))(
  '%s reads anything without throwing',
  (_, operation: Operation) => {
    const names = Object.values(operation.request).flatMap((parameter) => parameter.names);
    for (const name of names) {
      for (const value of hostile) {
        const reading = readRequest(operation, { ...operation.example.request, [name]: value });
        expect(
          'input' in reading || ['invalidValue', 'missingParameter'].includes(reading.fault.error),
        ).toBe(true);
      }
    }
  },
);

test.each([[[]], [['']], [[' ', '']], [','], [' , '], [''], [null]])(
  'a list of nothing (%j) counts as not sent, and leaves the other name its word',
  (nothing) => {
    const table = { ids: listInput(3, 'idList', 'stationIds') };
    expect(readParameters(table, { idList: nothing })).toEqual({ input: { ids: undefined } });
    expect(readParameters({ ids: required(table.ids) }, { idList: nothing })).toEqual({
      fault: { error: 'missingParameter', data: { field: 'idList' } },
    });
    if (nothing !== ',' && nothing !== ' , ')
      expect(readParameters(table, { idList: nothing, stationIds: '5' })).toEqual({
        input: { ids: ['5'] },
      });
  },
);

const LENGTH = 100_000;
/** Of what patterns repeat: one that tries every way to divide them would take half a minute, and hours for a body of 1 MiB. */
const endless = [
  '1',
  'a',
  ' ',
  '.',
  '-',
  '1-',
  '1.',
  'a/',
  'a@',
  ',',
  '1,',
  ' ,',
  'é',
  '１',
].flatMap((part) => [part.repeat(LENGTH / part.length), `${part.repeat(LENGTH / part.length)}!`]);

test('a value of any length is read in no time', () => {
  const seen = new Set<unknown>();
  for (const { request } of everyOperation) {
    for (const [name, parameter] of Object.entries(request)) {
      if (seen.has(parameter)) continue;
      seen.add(parameter);
      for (const value of endless) {
        const began = performance.now();
        readParameters({ [name]: parameter }, { [parameter.names[0]]: value });
        expect(
          performance.now() - began,
          `${name}: ${value.slice(0, 4)}...${value.at(-1)}`,
        ).toBeLessThan(2000);
      }
    }
  }
});
