import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Installation, Outcome } from '../support/command.ts';
import { createImportInstallation } from './import-installation.ts';

let installation: Installation;
const SN = 'A';

beforeAll(async () => {
  installation = await createImportInstallation({
    now: '2026-11-20T00:00:00Z',
    timeZone: 'Europe/Berlin',
    sns: [SN],
  });
});
afterAll(() => installation.remove());

const BERLIN = ['--zone', 'Europe/Berlin'];
let files = 0;

/** Shows how a file is read, and stores nothing. */
const load = (content: string | Buffer, ...options: string[]): Promise<Outcome> => {
  const name = `file-${files++}.csv`;
  writeFileSync(join(installation.folder, name), content);
  return installation.helioport(
    'import',
    name,
    '--device',
    SN,
    ...(options.includes('--zone') || options.includes('--days') ? [] : BERLIN),
    ...options,
    '--dry-run',
    '--json',
  );
};

interface Shown {
  readonly rows: number;
  readonly refused: { readonly line: number; readonly reason: string }[];
  readonly first: { readonly line: number; readonly at: number; readonly values: object }[];
}

/** The rows as they were read: UTC time and values. */
const read = async (content: string | Buffer, ...options: string[]): Promise<unknown[]> => {
  const outcome = await load(content, ...options);
  expect(outcome.stdout, outcome.stderr).not.toBe('');
  const { first, refused } = outcome.json() as Shown;
  return [
    ...first.map(({ at, values }) => [
      new Date(at).toISOString().slice(0, 16),
      ...Object.values(values),
    ]),
    ...refused.map(({ line, reason }) => `${line}: ${reason}`),
  ];
};

const refusal = async (content: string | Buffer, ...options: string[]): Promise<string> => {
  const outcome = await load(content, ...options);
  expect([outcome.exitCode, outcome.stdout]).toEqual([2, '']);
  const { error } = JSON.parse(outcome.stderr.split('\n').at(-1)!) as {
    error: { message: string };
  };
  return error.message;
};

const TIME_AND_POWER = ['--time', 'time', '--map', 'acPowerW=power'];
const at = (hour: number): string => `2026-06-01 ${String(hour).padStart(2, '0')}:00:00`;

describe('separators in numbers', () => {
  const column = (cells: readonly string[], delimiter = ','): string =>
    ['time', 'power'].join(delimiter) +
    cells.map((cell, i) => `\n${at(10 + i)}${delimiter}${cell}`).join('');
  const numbers = async (content: string, ...options: string[]): Promise<unknown[]> =>
    (await read(content, ...TIME_AND_POWER, ...options)).map((row) =>
      Array.isArray(row) ? row[1] : row,
    );

  test.each<[string, string[], string, number[]]>([
    ['points beside', ['"1,009"', '950.5'], ',', [1009, 950.5]],
    ['points within', ['"1,009"', '"2,009.5"'], ',', [1009, 2009.5]],
    ['groups of the other', ['"1,009"', '"1,234,567"'], ',', [1009, 1_234_567]],
    ['a comma with one digit', ['"1,009"', '"0,5"'], ',', [1.009, 0.5]],
    ['a comma with four digits', ['1,009', '3,2415'], ';', [1.009, 3.2415]],
    ['zero before it', ['1.009', '0.125'], ';', [1.009, 0.125]],
    ['ungrouped thousands', ['1,009', '2000'], ';', [1.009, 2000]],
    ['German thousands', ['1.009', '2.009,5'], ';', [1009, 2009.5]],
    ['Indian groups', ['"1,009"', '"1,23,456.5"'], ',', [1009, 123_456.5]],
    ['a file with commas between columns', ['1.009', '2.250'], ',', [1.009, 2.25]],
    ['spaces', ['1 009', '12 345,5'], ';', [1009, 12_345.5]],
    ['no-break spaces', ['1\u00a0009', '12\u202f345,5'], ';', [1009, 12_345.5]],
    ['apostrophes', ["1'009", '12’345.5'], ';', [1009, 12_345.5]],
    ['signs and exponents', ['-1,5', '\u22122,5', '+3,5', '1,5E+03'], ';', [-1.5, -2.5, 3.5, 1500]],
    ['formulas that keep texts', ['="12"', '="1.5"'], ';', [12, 1.5]],
  ])('are decided by %s', async (_, cells, delimiter, expected) => {
    expect(await numbers(column(cells, delimiter))).toEqual(expected);
  });

  test('are decided by another column where the own one leaves them open', async () => {
    const file = `time;power;volts\n${at(10)};1.009;230,1\n${at(11)};850;230,2\n`;
    expect(await numbers(file)).toEqual([1009, 850]);
    const mapped = ['--map', 'acVoltage1V=volts'];
    expect(await read(file, ...TIME_AND_POWER, ...mapped)).toEqual([
      ['2026-06-01T08:00', 1009, 230.1],
      ['2026-06-01T09:00', 850, 230.2],
    ]);
  });

  test.each([
    ['1,009', ','],
    ['1,009', ';'],
    ['1.009', ';'],
    ['1.009', '\t'],
  ])('that stay open, %s behind %j, are refused with the option', async (cell, delimiter) => {
    const quoted = cell.includes(delimiter) ? `"${cell}"` : cell;
    const file = column(['850', quoted, '990'], delimiter);
    expect(await refusal(file, ...TIME_AND_POWER)).toBe(
      `line 3: "${cell}" in the column "power" may be 1009 or 1.009: say --decimal point or --decimal comma`,
    );
    const asPoint = cell === '1,009' ? 1009 : 1.009;
    expect(await numbers(file, '--decimal', 'point')).toEqual([850, asPoint, 990]);
    expect(await numbers(file, '--decimal', 'comma')).toEqual([
      850,
      asPoint === 1009 ? 1.009 : 1009,
      990,
    ]);
  });

  test('that contradict one another leave nothing to decide by', async () => {
    expect(await refusal(column(['1,5', '2.5', '1,009'], ';'), ...TIME_AND_POWER)).toContain(
      'line 4: "1,009" in the column "power" may be',
    );
  });

  test('are strict once they are decided', async () => {
    const cells = ['1,5', '2,250', '1.2,5', '12,34,5', '1.000.00'];
    expect(await numbers(column(cells, ';'))).toEqual([
      1.5,
      2.25,
      ...['4: acPowerW: "1.2,5"', '5: acPowerW: "12,34,5"', '6: acPowerW: "1.000.00"'].map(
        (cell) => `${cell} is not a number`,
      ),
    ]);
  });

  test('and an unknown sign is refused', async () => {
    expect(await refusal(column(['1']), ...TIME_AND_POWER, '--decimal', 'dot')).toContain(
      '--decimal dot: expected point or comma',
    );
  });
});

describe('rows', () => {
  const heading = 'time,power,energy';
  const options = ['--time', 'time', '--map', 'acPowerW=power', '--map', 'energyTotalKwh=energy'];

  test('with more cells than columns are refused with their line', async () => {
    const file = `${heading}\n2026-06-02 06:00,0,5,1006,25\n2026-06-02 06:05,1,1006.5,,\n2026-06-02 06:10,2\n`;
    expect(await read(file, ...options)).toEqual([
      ['2026-06-02T04:05', 1, 1006.5],
      '2: the row has 5 cells, but there are 3 columns: a comma in a number has to be in quotes',
      '4: the row has 2 columns; column 3 is mapped',
    ]);
  });

  test('without a heading are as wide as the first', async () => {
    const file = '2026-06-02 06:00,0\n2026-06-02 06:05,0,5\n2026-06-02 06:10,3,\n';
    expect(await read(file, '--time', '#1', '--map', 'acPowerW=#2')).toEqual([
      ['2026-06-02T04:00', 0],
      ['2026-06-02T04:10', 3],
      expect.stringMatching(/^2: the row has 3 cells, but there are 2 columns/),
    ]);
  });

  test.each([
    '',
    '-',
    '--',
    '–',
    'NaN',
    'n/a',
    'N/A',
    '#N/A',
    '#NV',
    'null',
    'None',
    'unavailable',
    'unknown',
    'Unavailable',
    'k.A.',
    '?',
  ])('with %j where nothing was measured are empty there', async (cell) => {
    expect(await read(`${heading}\n${at(10)},${cell},5\n`, ...options)).toEqual([
      ['2026-06-01T08:00', 5],
    ]);
  });

  test('of a footer are refused and said to sum up others', async () => {
    const file = `${heading}\n${at(10)},1,5\nTotal,1,5\n,,5\n`;
    expect(await read(file, ...options)).toEqual([
      ['2026-06-01T08:00', 1, 5],
      '3: "Total" is not a time: the row seems to sum up others',
      '4: the time is empty',
    ]);
  });

  test('of one time in one file become one reading, and it is said if values are replaced', async () => {
    const rows = Array.from({ length: 14 }, (_, i) => `2026-06-01,${i}:00,${i}`);
    const file = `Date,Time,Power\n${rows.join('\n')}\n`;
    const only = await load(file, '--time', 'Date', '--map', 'acPowerW=Power');
    expect(only.json()).toMatchObject({ rows: 14, replaced: 13 });
    expect(only.stderr).toContain(
      '13 rows replaced values of an earlier row of the same time, the first of them in line 3: the times are dates alone; --time Date+Time adds a column of times',
    );
    const both = await load(file, '--time', 'Date+Time', '--map', 'acPowerW=Power');
    expect([both.json().rows, both.json().replaced, both.stderr]).toEqual([14, undefined, '']);
    expect((both.json() as Shown).first.slice(0, 2).map((row) => row.at)).toEqual([
      Date.parse('2026-05-31T22:00Z'),
      Date.parse('2026-05-31T23:00Z'),
    ]);
  });

  test('of one time that add values, or repeat them, replace nothing', async () => {
    const file = `${heading}\n${at(10)},1,\n${at(10)},,5\n${at(10)},1,5\n`;
    expect((await load(file, ...options)).json()).not.toHaveProperty('replaced');
  });

  test('of other devices in one file are left out with --where', async () => {
    const file = [
      'entity_id,state,last_changed',
      'sensor.pv,100,2026-06-01T08:00:00.000Z',
      'sensor.house,300,2026-06-01T08:00:00.000Z',
      'sensor.pv,unavailable,2026-06-01T08:01:00.000Z',
      'sensor.pv,200,2026-06-01T08:02:00.000Z',
    ].join('\n');
    expect(
      await read(
        file,
        '--time',
        'last_changed',
        '--map',
        'acPowerW=state',
        '--zone',
        'as-stamped',
        '--where',
        'entity_id=sensor.pv',
      ),
    ).toEqual([
      ['2026-06-01T08:00', 100],
      ['2026-06-01T08:02', 200],
    ]);
  });
});

describe('times', () => {
  const powers = (times: readonly string[]): string =>
    `time,power\n${times.map((time, i) => `${time},${i}`).join('\n')}\n`;
  const timesOf = async (times: readonly string[], ...options: string[]): Promise<unknown[]> =>
    (await read(powers(times), ...TIME_AND_POWER, ...options)).map((row) =>
      Array.isArray(row) ? row[0] : row,
    );
  const october = (...hours: string[]): string[] => hours.map((hour) => `2026-10-25 ${hour}`);

  test('that occur twice are read in the order of the file, whichever it is', async () => {
    const rising = october('01:30', '02:00', '02:30', '02:00', '02:30', '03:00');
    const instants = ['23:30', '00:00', '00:30', '01:00', '01:30', '02:00'];
    const shown = instants.map((time, i) => `2026-10-2${i === 0 ? 4 : 5}T${time}`);
    expect(await timesOf(rising)).toEqual(shown);
    expect(await timesOf(rising.toReversed())).toEqual(shown.toReversed());
    const hourly = october('03:00', '02:00', '02:00', '01:00', '00:00');
    expect(await timesOf(hourly)).toEqual([
      '2026-10-25T02:00',
      '2026-10-25T01:00',
      '2026-10-25T00:00',
      '2026-10-24T23:00',
      '2026-10-24T22:00',
    ]);
  });

  test('that occur twice are refused where the rows are in no order', async () => {
    const mixed = october('05:00', '02:00', '06:00', '01:00', '07:00', '00:30');
    expect((await timesOf(mixed)).at(-1)).toBe(
      '3: 2026-10-25 02:00 occurs twice in Europe/Berlin, and the rows are in no order that shows which is meant: sort them by time',
    );
  });

  test.each<[string, string[], string[]]>([
    ['a day above twelve', ['1/6/2026 10:00', '13/6/2026 10:00'], ['2026-06-01', '2026-06-13']],
    [
      'one day after the other',
      ['1/6/2026', '2/6/2026', '3/6/2026'],
      ['2026-05-31', '2026-06-01', '2026-06-02'],
    ],
    ['the newest first', ['3/6/2026', '2/6/2026'], ['2026-06-02', '2026-06-01']],
    ['months in order', ['6/1/2026 10:00', '6/2/2026 10:00'], ['2026-06-01', '2026-06-02']],
    [
      'a day above twelve in second place',
      ['6/1/2026 10:00', '6/13/2026 10:00'],
      ['2026-06-01', '2026-06-13'],
    ],
    ['years of two digits', ['01/06/26 10:00', '13/06/26 10:00'], ['2026-06-01', '2026-06-13']],
  ])('with slashes show by %s what comes first', async (_, times, days) => {
    expect((await timesOf(times)).map((time) => String(time).slice(0, 10))).toEqual(days);
  });

  test('with slashes that show nothing have the month first, and that is said', async () => {
    const outcome = await load(powers(['1/6/2026 10:00', '1/6/2026 11:00']), ...TIME_AND_POWER);
    expect(new Date(outcome.json().first[0].at).toISOString()).toBe('2026-01-06T09:00:00.000Z');
    expect(outcome.stderr).toContain(
      '1/6/2026 10:00 was read as 2026-01-06, with the month first; --day-first turns that round',
    );
    expect(await timesOf(['1/6/26 10:00'])).toEqual([
      '2: "1/6/26 10:00" is not a time: its year has two digits; --day-first says that the day comes first',
    ]);
  });

  test.each([
    ['01-06-2026 10:00', '2026-06-01T08:00'],
    ['01.06.26 10:00', '2026-06-01T08:00'],
    ['1.6.2026 10.00', '2026-06-01T08:00'],
    ['1 Jun 2026 10:00', '2026-06-01T08:00'],
    ['01-Jun-2026 10:00', '2026-06-01T08:00'],
    ['"Jun 1, 2026 10:00 AM"', '2026-06-01T08:00'],
    ['"6/13/2026, 10:00 PM"', '2026-06-13T20:00'],
    ['20260601 1000', '2026-06-01T08:00'],
    ['20260601100000', '2026-06-01T08:00'],
    ['46174.4166666667', '2026-06-01T08:00'],
    ['="2026-06-01 10:00"', '2026-06-01T08:00'],
    ['2026-06-01T10:00:00.000+0200', '2026-06-01T08:00'],
    ['1780300800', '2026-06-01T08:00'],
    ['1780300800000', '2026-06-01T08:00'],
  ])('may be written %s', async (time, expected) => {
    expect(await timesOf([time])).toEqual([expected]);
  });

  test('without a date are refused with the way to add one', async () => {
    expect(await timesOf(['10:00'])).toEqual([
      '2: "10:00" is not a time: it has no date; a column of dates is added as in --time Date+Time',
    ]);
  });
});

describe('the heading', () => {
  const data = `${at(10)};1,5;100`;
  const value = ['2026-06-01T08:00', 1.5];

  test.each([
    ['a line of the separator', `sep=;\nTime;Power;Total\n${data}\n`],
    [
      'remarks',
      `Export of my plant\nMade, with love, on 2026-06-01\n\nTime;Power;Total\n${data}\n`,
    ],
    [
      'a separator, remarks and serial numbers',
      `sep=;\nVersion 3\n;2130001;2130001\nTime;Power;Total\n${data}\n`,
    ],
    ['a byte order mark', `\ufeffTime;Power;Total\n${data}\n`],
    ['quotes', `"Time";"Power";"Total"\n${data}\n`],
    ['spaces', ` Time ; Power\u00a0; Total\n${data}\n`],
    ['a separator at its end', `Time;Power;Total;\n${data};\n`],
    ['units below it', `Time;Power;Total\n;W;kWh\n${data}\n`],
    ['an empty line below it', `Time;Power;Total\n\n${data}\n`],
  ])('is found with %s', async (_, file) => {
    expect(await read(file, '--time', 'Time', '--map', 'acPowerW=Power')).toEqual([value]);
  });

  test('with commas in it does not outvote the semicolon', async () => {
    for (const heading of [
      'Time;"Power, AC, mean";Total, all, years',
      'Time;Power, AC, mean;Total, all, years',
    ])
      expect(
        await read(`${heading}\n${data}\n`, '--time', 'Time', '--map', 'acPowerW=Power, AC, mean'),
      ).toEqual([value]);
  });

  test.each(['\t', ';', '|', ','])('may be separated by %j, as the data are', async (sign) => {
    const file = `Time;Power;Total\n${at(10)};1.5;100\n`.replaceAll(';', sign);
    expect(await read(file, '--time', 'Time', '--map', 'acPowerW=Power')).toEqual([value]);
    expect(await read(file, '--time', '#1', '--map', 'acPowerW=#2')).toEqual([value]);
  });

  test('is below the lines that --skip leaves out', async () => {
    const file = `Time;Power\nold;names\nTime;x;Power\n${at(10)};1;1,5\n`;
    const options = ['--time', 'Time', '--map', 'acPowerW=Power'];
    expect(await read(file, ...options, '--skip', '2')).toEqual([value]);
    expect(await refusal(file, ...options, '--skip', 'two')).toBe(
      '--skip two: expected a number of lines',
    );
  });

  test('is not needed below remarks, if columns are counted', async () => {
    const file = `sep=;\nVersion 3\n;2130001;2130001\nDD.MM.YYYY;W;kWh\n01.06.2026 10:00;1,5;100\n`;
    expect(await read(file, '--time', '#1', '--map', 'acPowerW=#2')).toEqual([value]);
  });

  test('that has a name twice is refused, with the numbers of the columns', async () => {
    const file = `Time;Power;Power\n${at(10)};1,5;2,5\n`;
    expect(await refusal(file, '--time', 'Time', '--map', 'acPowerW=Power')).toBe(
      'the file has 2 columns "Power": say which by its number, #2 or #3',
    );
    expect(await read(file, '--time', 'Time', '--map', 'acPowerW=#3')).toEqual([
      ['2026-06-01T08:00', 2.5],
    ]);
  });

  test('without a name is refused with the names that there are', async () => {
    const file = `Report\nTime;Power;Total\n${data}\n${data}\n`;
    expect(await refusal(file, '--time', 'Time', '--map', 'acPowerW=Leistung')).toBe(
      'the file has no column "Leistung"; it has Time, Power, Total',
    );
    expect(await refusal(file, '--time', 'Date+Hour', '--map', 'acPowerW=Power')).toBe(
      'the file has no column "Date"; it has Time, Power, Total',
    );
  });
});

describe('units', () => {
  const valueOf = async (
    heading: string,
    map: string,
    cell = '1.5',
    under = '',
  ): Promise<unknown> => {
    const file = `time,${heading}\n${under}${at(10)},${cell}\n`;
    return ((await read(file, '--time', 'time', '--map', map))[0] as unknown[])[1];
  };

  test.each([
    ['Power [kW]', 'acPowerW=Power [kW]', 1500],
    ['Power [kW]', 'acPowerW=#2', 1500],
    ['Power [kW]', 'acPowerW=Power', 1500],
    ['Power (kW)', 'acPowerW=Power (kW)', 1500],
    ['Leistung in kW', 'acPowerW=Leistung in kW', 1500],
    ['"Power, kW"', 'acPowerW=Power, kW', 1500],
    ['Power / kW', 'acPowerW=Power / kW', 1500],
    ['power_kw', 'acPowerW=power_kw', 1500],
    ['kW', 'acPowerW=kW', 1500],
    ['Energy (Wh)', 'energyTotalKwh=Energy (Wh)', 0.0015],
    ['Energy (MWh)', 'energyTotalKwh=#2', 1500],
    ['Power [kW]', 'acPowerW=Power [kW]:kW', 1500],
    ['Power [W]', 'acPowerW=Power [W]', 1.5],
    ['Temp [°F]', 'temperatureC=Temp [°F]', -16.9444444444],
    ['Voltage phase A', 'acVoltage1V=Voltage phase A', 1.5],
    ['Voltage (A)', 'acVoltage1V=Voltage (A):V', 1.5],
    ['SoC 1', 'batterySocPercent=SoC 1', 1.5],
    ['Energy per quarter (Wh)', 'acPowerW=#2:Wh/15min', 6],
    ['Energy (kWh)', 'acPowerW=#2:kWh/h', 1500],
  ])('that the heading %j states are used by --map %s', async (heading, map, expected) => {
    expect(await valueOf(heading, map)).toBe(expected);
  });

  test('may be in a row below the heading, or in the cells', async () => {
    expect(await valueOf('Power', 'acPowerW=Power', '1.5', ',kW\n')).toBe(1500);
    expect(await valueOf('Power', 'acPowerW=Power', '1.5 kW')).toBe(1500);
    expect(await valueOf('Charge', 'batterySocPercent=Charge', '85 %')).toBe(85);
    const file = `time,Power [W]\n${at(10)},1.5 kW\n`;
    expect(await read(file, '--time', 'time', '--map', 'acPowerW=#2')).toEqual([
      '2: acPowerW: "1.5 kW" is not a number',
    ]);
  });

  test.each([
    ['Power [kW]', 'acPowerW=#2:W', 'but --map says W: leave the unit out of --map'],
    ['Power (W)', 'acPowerW=#2:kW', 'but --map says kW'],
    ['Energy (kWh)', 'energyTotalKwh=#2:Wh', 'but --map says Wh'],
    [
      'Energy (Wh)',
      'acPowerW=#2',
      'acPowerW cannot be read in Wh; if that is the energy of each interval, say how long they are, as in :Wh/15min',
    ],
    ['Power [kW]', 'energyTotalKwh=#2', 'energyTotalKwh cannot be read in kW'],
  ])('that contradict the heading %j, as --map %s, are refused', async (heading, map, said) => {
    const file = `time,${heading}\n${at(10)},34\n`;
    const refused = await refusal(file, '--time', 'time', '--map', map);
    expect(refused).toContain(`the file says "${heading}" of column #2`);
    expect(refused).toContain(said);
  });
});

describe('text', () => {
  const text =
    'Zeit;Leistung Süd (kW)\n01.06.2026 10:00;1,5\n01.06.2026 10:05;–\n01.06.2026 10:10;2\u00a0500,5\n';
  const expected = [
    ['2026-06-01T08:00', 1500],
    ['2026-06-01T08:10', 2_500_500],
  ];
  const windows1252 = (content: string): Buffer =>
    Buffer.from(content.replaceAll('–', '\u0096'), 'latin1');
  const utf16be = (content: string): Buffer => Buffer.from(content, 'utf16le').swap16();

  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE with a mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE with a mark', utf16be(`\ufeff${text}`)],
    ['UTF-16 LE', Buffer.from(text, 'utf16le')],
    ['UTF-16 BE', utf16be(text)],
    ['Windows-1252', windows1252(text)],
    ['CRLF', Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['CR', Buffer.from(text.replaceAll('\n', '\r'))],
    ['CRLF in UTF-16', Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le')],
    ['no break at its end', Buffer.from(text.trimEnd())],
  ])('is read in %s', async (_, content) => {
    expect(await read(content, '--time', 'Zeit', '--map', 'acPowerW=Leistung Süd (kW)')).toEqual(
      expected,
    );
  });

  test.each<[string, Buffer, RegExp]>([
    [
      'a workbook',
      Buffer.from('504b0304140006000800', 'hex'),
      /is a workbook .* save the sheet as CSV/,
    ],
    [
      'an old workbook',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      /is a workbook .* save the sheet as CSV/,
    ],
    ['a compressed file', Buffer.from('1f8b0800', 'hex'), /is compressed: extract it/],
  ])('is not %s, and that is said', async (_, content, sentence) => {
    const outcome = await load(content, '--time', '#1', '--map', 'acPowerW=#2');
    expect([outcome.exitCode, outcome.stdout]).toEqual([1, '']);
    expect(outcome.stderr).toMatch(sentence);
  });

  test('that is cut anywhere into what is read at once is the same', async () => {
    const rows = Array.from({ length: 9_000 }, (_, i) => `${1_780_300_800 + i * 60};"${i},5"\r`);
    const outcome = await load(`t;p\r\n${rows.join('\n')}\n`, '--time', 't', '--map', 'acPowerW=p');
    expect(outcome.json()).toMatchObject({ rows: 9_000, refused: [] });
  });
});

describe('a value that cannot be', () => {
  test('is dropped alone, with its line, before and while it is stored', async () => {
    const file = `time,power,soc\n${at(10)},1,6553.5\n${at(11)},2,50\n${at(12)},,-1\n`;
    const options = [...TIME_AND_POWER, '--map', 'batterySocPercent=soc'];
    const dry = (await load(file, ...options)).json();
    const { stdout } = await installation.helioport(
      'import',
      `file-${files - 1}.csv`,
      '--device',
      SN,
      ...BERLIN,
      ...options,
      '--json',
    );
    const expected = {
      refused: [{ line: 4, reason: 'batterySocPercent is not within 0 to 100 %' }],
      dropped: [{ line: 2, quantity: 'batterySocPercent', reason: 'not within 0 to 100 %' }],
    };
    expect(dry).toMatchObject({ rows: 3, ...expected });
    expect(JSON.parse(stdout)).toEqual({ rows: 3, accepted: 2, duplicate: 0, ...expected });
  });
});
