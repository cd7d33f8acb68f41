import { describe, expect, test } from 'vitest';
import { createTimeReader } from '../../packages/server/src/measurements/ingest/csv/import-times.ts';

const read = (text: string, zone: string | null = null, dayFirst = false): string => {
  const time = createTimeReader({ zone, dayFirst })(text);
  return 'fault' in time ? time.fault : new Date(time.at).toISOString();
};

describe('times in a file', () => {
  test.each([
    ['2022-01-02T10:00:00Z', '2022-01-02T10:00:00.000Z'],
    ['2022-01-02 10:00:00+00:00', '2022-01-02T10:00:00.000Z'],
    ['2022-03-18 04:33:00-07:00', '2022-03-18T11:33:00.000Z'],
    ['2022-01-02T10:00+0545', '2022-01-02T04:15:00.000Z'],
    ['2022-01-02 10:00:00.250 -09:30', '2022-01-02T19:30:00.250Z'],
    ['1641117600', '2022-01-02T10:00:00.000Z'],
    ['1641117600.5', '2022-01-02T10:00:00.500Z'],
    ['1641117600123', '2022-01-02T10:00:00.123Z'],
  ])('%s stands for itself', (text, expected) => {
    expect(read(text)).toBe(expected);
    expect(read(text, 'Asia/Tokyo')).toBe(expected);
  });

  test.each([
    ['2022-01-02 00:01:00', '2022-01-02T07:01:00.000Z'],
    ['1/2/2022 0:15', '2022-01-02T07:15:00.000Z'],
    ['1/2/2022 1:15 PM', '2022-01-02T20:15:00.000Z'],
    ['1/2/2022 12:05:30 am', '2022-01-02T07:05:30.000Z'],
    ['2022/01/02 00:15', '2022-01-02T07:15:00.000Z'],
    ['2.1.2022 00:15', '2022-02-01T07:15:00.000Z'.replace('02-01', '01-02')],
    ['2022-01-02', '2022-01-02T07:00:00.000Z'],
    ['2022-07-02 00:00', '2022-07-02T06:00:00.000Z'],
    ['2022-01-01T24:00', '2022-01-02T07:00:00.000Z'],
  ])('%s is on the wall in Denver', (text, expected) =>
    expect(read(text, 'America/Denver')).toBe(expected),
  );

  test('with slashes the month comes first, unless it is said otherwise', () => {
    expect(read('3/4/2022 00:00', 'UTC')).toBe('2022-03-04T00:00:00.000Z');
    expect(read('3/4/2022 00:00', 'UTC', true)).toBe('2022-04-03T00:00:00.000Z');
    expect(read('13/4/2022 00:00', 'UTC')).toContain('is not a time');
  });

  test.each([
    '',
    'yesterday',
    '2022-02-30 00:00',
    '2022-01-02 25:00',
    '2022-01-02 10:61',
    '12',
    '2022-13-01',
    '1/2/22 3:04',
    '10:00',
  ])('%j is not a time', (text) => {
    expect(read(text, 'UTC')).toMatch(/is not a time|time is empty/);
  });

  test('as stamped, a time without an offset says so', () =>
    expect(read('2022-01-02 10:00')).toContain('no offset'));

  test('a local time that the clocks skipped is none', () => {
    expect(read('2026-03-29 02:30', 'Europe/Berlin')).toBe(
      '2026-03-29 02:30 does not exist in Europe/Berlin: the clocks were put forward',
    );
    expect(read('2026-03-29 01:59:59', 'Europe/Berlin')).toBe('2026-03-29T00:59:59.000Z');
    expect(read('2026-03-29 03:00', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z');
  });

  test('local times that come twice are taken in the order of the file', () => {
    const reader = createTimeReader({ zone: 'Europe/Berlin', dayFirst: false });
    const rows = ['01:30', '02:00', '02:30', '02:00', '02:30', '03:00'].map((time) =>
      reader(`2026-10-25 ${time}`),
    );
    expect(
      rows.map((time) =>
        'at' in time ? new Date(time.at).toISOString().slice(11, 16) : time.fault,
      ),
    ).toEqual(['23:30', '00:00', '00:30', '01:00', '01:30', '02:00']);
    expect(rows.map((time) => 'at' in time && time.ambiguous)).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
  });
});
