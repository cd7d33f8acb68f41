import { expect, test } from 'vitest';
import { isoTime } from '../../../packages/portal/src/i18n/plant-time.ts';
import { csvName } from '../../../packages/portal/src/parts/charts/csv-name.ts';

test.each([
  ['2026-11-06T11:05:30Z', 'Europe/Berlin', '2026-11-06T12:05:30+01:00'],
  ['2026-11-06T03:00:00Z', 'America/Denver', '2026-11-05T20:00:00-07:00'],
  ['2026-11-06T03:00:00Z', 'America/St_Johns', '2026-11-05T23:30:00-03:30'],
  ['2026-11-06T03:00:00Z', 'UTC', '2026-11-06T03:00:00+00:00'],
  // The hour that comes twice is told apart.
  ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00+01:00'],
])('%s in %s is %s', (instant, zone, written) => {
  expect(isoTime(Date.parse(instant), zone)).toBe(written);
  expect(Date.parse(written)).toBe(Date.parse(instant));
});

test.each([
  [['Meadow Lane 4', 'Energy', '2026-11'], 'Meadow-Lane-4_Energy_2026-11.csv'],
  [['../../etc/passwd', 'a:b*?"<>|', '2026-11-06'], 'etc-passwd_a-b_2026-11-06.csv'],
  [['محطة', '电站', 'Ünï'], 'محطة_电站_Ünï.csv'],
  [['???', 'Energy'], 'Energy.csv'],
  [['a'.repeat(100), 'b'], `${'a'.repeat(60)}_b.csv`],
])('the file of %j is %s', (parts, name) => {
  expect(csvName(...parts)).toBe(name);
});
