import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Installation } from '../support/command.ts';
import { createImportInstallation } from './import-installation.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await createImportInstallation({
    now: '2026-11-20T00:00:00Z',
    timeZone: 'Europe/Berlin',
    sns: ['A'],
  });
});
afterAll(() => installation.remove());

interface Export {
  readonly lines: readonly string[];
  readonly encoding?: BufferEncoding;
  readonly ends?: string;
  readonly options: readonly string[];
  /** UTC times and values. */
  readonly expected: readonly (readonly (string | number)[])[];
  /** How the lines begin that are refused. */
  readonly refused?: readonly string[];
}

const BERLIN = ['--zone', 'Europe/Berlin'];
const map = (...mappings: string[]): string[] => mappings.flatMap((one) => ['--map', one]);

// Small files in the style of what portals, loggers and meters write.
const exports: Readonly<Record<string, Export>> = {
  'a logger that names the separator, its version and serial numbers first': {
    lines: [
      'sep=;',
      'Version CSV1|Tool Logger 3.9|Linebreaks LF|Delimiter semicolon|Decimalpoint comma|Precision 3',
      '',
      ';SN 2130001;SN 2130001',
      ';Inverter;Inverter',
      ';2130001;2130001',
      ';Total yield;Power',
      ';Counter;Analog',
      'dd/MM/yyyy HH:mm:ss;kWh;kW',
      '13/06/2026 10:00:00;1234,567;1,009',
      '13/06/2026 10:05:00;1234,651;0,998',
    ],
    options: ['--time', '#1', ...map('energyTotalKwh=#2', 'acPowerW=#3'), ...BERLIN],
    expected: [
      ['2026-06-13T08:00', 1234.567, 1009],
      ['2026-06-13T08:05', 1234.651, 998],
    ],
  },
  'a portal with a heading in UTF-16 and tabs': {
    lines: [
      'Anlage\tHaus Süd',
      '',
      'Zeitpunkt\tLeistung [kW]\tGesamtertrag [kWh]',
      '01.06.2026 10:00\t1,009\t12.345,6',
      '01.06.2026 10:15\t0,85\t12.345,8',
      '01.06.2026 10:30\t\t',
    ],
    encoding: 'utf16le',
    ends: '\r\n',
    options: [
      '--time',
      'Zeitpunkt',
      ...map('acPowerW=Leistung', 'energyTotalKwh=Gesamtertrag [kWh]'),
      ...BERLIN,
    ],
    expected: [
      ['2026-06-01T08:00', 1009, 12_345.6],
      ['2026-06-01T08:15', 850, 12_345.8],
    ],
  },
  'a battery with powers in kW and a comma, in Windows-1252': {
    lines: [
      'Uhrzeit;Netzbezug [kW];Netzeinspeisung [kW];Stromerzeugung [kW];Akku-Füllstand [%]',
      '25.10.2026 02:55:00;0,412;0;0;56',
      '25.10.2026 02:00:00;0,389;0;0;55,5',
      '25.10.2026 02:05:00;0,391;0;1,009;55',
    ],
    encoding: 'latin1',
    options: [
      '--time',
      'Uhrzeit',
      ...map('acPowerW=Stromerzeugung', 'batterySocPercent=Akku-Füllstand [%]'),
      ...BERLIN,
    ],
    expected: [
      ['2026-10-25T00:55', 0, 56],
      ['2026-10-25T01:00', 0, 55.5],
      ['2026-10-25T01:05', 1009, 55],
    ],
  },
  'quarters of an hour with the energy of each': {
    lines: [
      'Date/Time,Energy Produced (Wh)',
      '06/13/2026 10:00,"1,009"',
      '06/13/2026 10:15,250',
      '06/13/2026 10:30,"1,250.5"',
    ],
    options: ['--time', 'Date/Time', ...map('acPowerW=Energy Produced (Wh):Wh/15min'), ...BERLIN],
    expected: [
      ['2026-06-13T08:00', 4036],
      ['2026-06-13T08:15', 1000],
      ['2026-06-13T08:30', 5002],
    ],
  },
  'dates with slashes, and the energy of each day in Wh': {
    lines: ['Time,Energy (Wh)', '06/12/2026,20500', '06/13/2026,31200', 'Total,51700'],
    options: ['--time', 'Time', ...map('energyTodayKwh=Energy (Wh)'), '--days'],
    expected: [
      ['2026-06-12T21:59', 20.5],
      ['2026-06-13T21:59', 31.2],
    ],
    refused: ['line 4: "Total" is not a time: the row seems to sum up others'],
  },
  'a portal with hyphens where nothing was measured': {
    lines: [
      'Plant,Roof',
      'Time,Power(kW),Daily Yield(kWh),Remark',
      '2026-06-13 10:00:00,1.009,3.2,--',
      '2026-06-13 10:05:00,--,--,"no link, retried"',
      '2026-06-13 10:10:00,1.1,3.3,--',
    ],
    options: [
      '--time',
      'Time',
      ...map('acPowerW=Power(kW)', 'energyTodayKwh=Daily Yield(kWh)'),
      ...BERLIN,
    ],
    expected: [
      ['2026-06-13T08:00', 1009, 3.2],
      ['2026-06-13T08:10', 1100, 3.3],
    ],
  },
  'a row of units below the heading, and days first with dots': {
    lines: [
      '"Datum und Uhrzeit","Energie | Wechselrichter 1","Spannung AC L1"',
      '[dd.MM.yyyy HH:mm],[Wh],[V]',
      '13.06.2026 10:00,"84,5",230.1',
      '13.06.2026 10:05,"1.250,75",230.4',
    ],
    options: [
      '--time',
      'Datum und Uhrzeit',
      ...map('acPowerW=Energie | Wechselrichter 1:Wh/5min', 'acVoltage1V=Spannung AC L1'),
      ...BERLIN,
    ],
    expected: [
      ['2026-06-13T08:00', 1014, 230.1],
      ['2026-06-13T08:05', 15_009, 230.4],
    ],
  },
  'a community site with two digits of the year, newest first': {
    lines: ['Date,Generated', '13/06/26,12.345kWh', '12/06/26,8.001kWh', '11/06/26,20.5kWh'],
    options: ['--time', 'Date', ...map('energyTodayKwh=Generated'), '--days'],
    expected: [
      ['2026-06-13T21:59', 12.345],
      ['2026-06-12T21:59', 8.001],
      ['2026-06-11T21:59', 20.5],
    ],
  },
  'a grid operator with date and time apart, registers below each other': {
    lines: [
      '\ufeffVan (datum);Van (tijdstip);Tot (datum);Tot (tijdstip);EAN-code;Register;Volume;Eenheid',
      '13-06-2026;10:00:00;13-06-2026;10:15:00;="541448800000000000";Afname Dag;0,125;kWh',
      '13-06-2026;10:00:00;13-06-2026;10:15:00;="541448800000000000";Injectie Dag;1,009;kWh',
      '13-06-2026;10:15:00;13-06-2026;10:30:00;="541448800000000000";Injectie Dag;0,5;kWh',
      '13-06-2026;10:30:00;13-06-2026;10:45:00;="541448800000000000";Injectie Dag;;kWh',
    ],
    ends: '\r\n',
    options: [
      '--time',
      'Van (datum)+Van (tijdstip)',
      '--where',
      'Register=Injectie Dag',
      ...map('gridPowerW=Volume:kWh/15min'),
      ...BERLIN,
    ],
    expected: [
      ['2026-06-13T08:00', 4036],
      ['2026-06-13T08:15', 2000],
    ],
  },
  'the history of a home automation': {
    lines: [
      'entity_id,state,last_changed',
      'sensor.pv_power,1009.5,2026-06-13T08:00:00.123456Z',
      'sensor.pv_power,unavailable,2026-06-13T08:01:00.000Z',
      'sensor.pv_power,unknown,2026-06-13T08:02:00.000Z',
      'sensor.pv_power,850,2026-06-13T08:03:00.000Z',
    ],
    options: ['--time', 'last_changed', ...map('acPowerW=state'), '--zone', 'as-stamped'],
    expected: [
      ['2026-06-13T08:00', 1009.5],
      ['2026-06-13T08:03', 850],
    ],
  },
  'a meter with epoch seconds': {
    lines: [
      'timestamp,a_total_act_energy,a_avg_voltage',
      '1781337600,12.3456,230.125',
      '1781337660,13.0001,',
    ],
    options: [
      '--time',
      'timestamp',
      ...map('energyTotalKwh=a_total_act_energy:Wh', 'acVoltage1V=a_avg_voltage'),
      ...BERLIN,
    ],
    expected: [
      ['2026-06-13T08:00', 0.0123456, 230.125],
      ['2026-06-13T08:01', 0.0130001],
    ],
  },
  'an office program of a Mac, with Swiss groups and carriage returns': {
    lines: [
      'Zeit;Leistung (W);Zähler (kWh)',
      "46186.4166666667;1'009.5;12'345.25",
      "46186.4201388889;850;12'345.5",
    ],
    ends: '\r',
    options: [
      '--time',
      'Zeit',
      ...map('acPowerW=Leistung (W)', 'energyTotalKwh=Zähler (kWh)'),
      ...BERLIN,
    ],
    expected: [
      ['2026-06-13T08:00', 1009.5, 12_345.25],
      ['2026-06-13T08:05', 850, 12_345.5],
    ],
  },
  'an energy manager in English, with AM and PM': {
    lines: [
      'Time;Power in W',
      '"06/13/2026 11:55:00 AM";"2,250.5"',
      '"06/13/2026 12:00:00 PM";"1,009"',
      '"06/13/2026 1:00:00 PM";990',
    ],
    options: ['--time', 'Time', ...map('acPowerW=Power in W'), ...BERLIN],
    expected: [
      ['2026-06-13T09:55', 2250.5],
      ['2026-06-13T10:00', 1009],
      ['2026-06-13T11:00', 990],
    ],
  },
};

test.each(Object.entries(exports))('%s is imported', async (name, file) => {
  const { lines, encoding = 'utf8', ends = '\n', options, expected, refused = [] } = file;
  const text = `${encoding === 'utf16le' ? '\ufeff' : ''}${lines.join(ends)}${ends}`;
  const path = `${Object.keys(exports).indexOf(name)}.csv`;
  writeFileSync(join(installation.folder, path), Buffer.from(text, encoding));
  const outcome = await installation.helioport(
    'import',
    path,
    '--device',
    'A',
    ...options,
    '--dry-run',
    '--json',
  );
  expect(outcome.stdout, outcome.stderr).not.toBe('');
  const shown = outcome.json();
  expect(
    shown.first.map(({ at, values }: { at: number; values: object }) => [
      new Date(at).toISOString().slice(0, 16),
      ...Object.values(values),
    ]),
  ).toEqual(expected);
  expect(
    shown.refused.map(
      ({ line, reason }: { line: number; reason: string }) => `line ${line}: ${reason}`,
    ),
  ).toEqual(refused);
  expect(shown).not.toHaveProperty('replaced');
});
