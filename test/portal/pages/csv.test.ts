import { expect, test } from 'vitest';
import { formatsOf } from '../../../packages/portal/src/i18n/formats-of.ts';
import { regionalTag } from '../../../packages/portal/src/i18n/languages.ts';
import { sheetTime } from '../../../packages/portal/src/i18n/plant-time.ts';
import { csvText } from '../../../packages/portal/src/parts/csv/csv-text.ts';
import { csvName } from '../../../packages/portal/src/parts/csv/csv-name.ts';

test.each([
  ['2026-11-06T11:05:30Z', 'Europe/Berlin', '2026-11-06 12:05:30'],
  ['2026-11-06T03:00:00Z', 'America/Denver', '2026-11-05 20:00:00'],
  ['2026-11-06T03:00:00Z', 'America/St_Johns', '2026-11-05 23:30:00'],
  ['2026-11-06T03:00:00Z', 'UTC', '2026-11-06 03:00:00'],
])('%s in %s is %s for a spreadsheet', (instant, zone, written) => {
  expect(sheetTime(Date.parse(instant), zone)).toBe(written);
});

test.each([
  ['en', ['en-GB', 'en-US'], 'en-GB'],
  ['en', ['de-AT', 'de'], 'en'],
  ['de', ['en-GB', 'de-AT'], 'de-AT'],
  ['en', ['en-US@posix'], 'en'],
] as const)('%s in a browser of %j is written as in %s', (language, tags, written) => {
  expect(regionalTag(language, tags)).toBe(written);
  expect(Intl.DateTimeFormat.supportedLocalesOf(written)).toEqual([written]);
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

test.each([
  ['en', '.', '\uFEFFDay,Energy (kWh),Name\r\n2026-11-06,10.25,"a;b, c"\r\n'],
  ['de', ',', '\uFEFFDay;Energy (kWh);Name\r\n2026-11-06;10,25;"a;b, c"\r\n'],
  ['es', ',', '\uFEFFDay;Energy (kWh);Name\r\n2026-11-06;10,25;"a;b, c"\r\n'],
  ['zh', '.', '\uFEFFDay,Energy (kWh),Name\r\n2026-11-06,10.25,"a;b, c"\r\n'],
])('a spreadsheet in %s reads figures with “%s”', (language, decimal, text) => {
  const rows = [
    ['Day', 'Energy (kWh)', 'Name'],
    ['2026-11-06', 10.25, 'a;b, c'],
  ];
  expect(formatsOf(language).decimal).toBe(decimal);
  expect(csvText(rows, formatsOf(language).decimal)).toBe(text);
});
