import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Installation, Outcome } from '../support/command.ts';
import { createImportInstallation } from './import-installation.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await createImportInstallation({
    now: '2026-11-20T00:00:00Z',
    timeZone: 'Europe/Berlin',
    sns: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'],
  });
});
afterAll(() => installation.remove());

const write = (name: string, text: string): string => {
  writeFileSync(join(installation.folder, name), text);
  return name;
};
const load = (file: string, sn: string, ...more: string[]): Promise<Outcome> =>
  installation.helioport('import', file, '--device', sn, '--zone', 'Europe/Berlin', ...more);

test('a file comes in once, however often it is imported', async () => {
  const file = write(
    'plain.csv',
    'time,power,"energy, total"\n2026-06-01 10:00,1.5,100\n2026-06-01 10:05,1.6,100.125\n',
  );
  const args = [
    '--time',
    'time',
    '--map',
    'acPowerW=power:kW',
    '--map',
    'energyTotalKwh=energy, total',
    '--json',
  ];
  expect((await load(file, 'A', ...args)).json()).toEqual({
    rows: 2,
    accepted: 2,
    duplicate: 0,
    refused: [],
  });
  const again = await load(file, 'A', ...args);
  expect([again.exitCode, again.json()]).toEqual([
    0,
    { rows: 2, accepted: 0, duplicate: 2, refused: [] },
  ]);
});

test('a half imported file goes on where it ended', async () => {
  const rows = Array.from({ length: 12_000 }, (_, i) => `${1_780_000_000 + i * 60},${i}`);
  const half = write('half.csv', `t,p\n${rows.slice(0, 7_000).join('\n')}\n`);
  const whole = write('whole.csv', `t,p\n${rows.join('\n')}\n`);
  expect(
    (await load(half, 'B', '--time', 't', '--map', 'acPowerW=p', '--json')).json(),
  ).toMatchObject({ rows: 7_000, accepted: 7_000 });
  expect((await load(whole, 'B', '--time', 't', '--map', 'acPowerW=p', '--json')).json()).toEqual({
    rows: 12_000,
    accepted: 5_000,
    duplicate: 7_000,
    refused: [],
  });
});

test('bad rows are refused by line, and the good ones come in', async () => {
  const text = [
    '\ufefftime;power;note',
    '2026-06-01 10:00;1,5;"a',
    'note on two lines"',
    'not a time;1;',
    '',
    '2026-06-01 10:05;abc;',
    '2026-06-01 10:10;;',
    '2026-06-01 10:15;nan;',
    '2026-06-01 10:20',
    '1999-12-31 10:20;1;',
    '2027-06-01 10:20;1;',
    '2026-03-29 02:30;1;',
    '2026-06-01 10:25;-3.5;',
    '2026-06-01 10:30;1e999;',
  ].join('\r\n');
  const outcome = await load(
    write('bad.csv', text),
    'C',
    '--time',
    'time',
    '--map',
    'acPowerW=power',
    '--json',
  );
  const { refused, ...counts } = outcome.json() as { refused: { line: number; reason: string }[] };
  expect(counts).toEqual({ rows: 11, accepted: 2, duplicate: 0 });
  expect(refused).toEqual([
    { line: 4, reason: '"not a time" is not a time' },
    { line: 6, reason: 'acPowerW: "abc" is not a number' },
    { line: 9, reason: 'the row has 1 columns; column 2 is mapped' },
    { line: 10, reason: 'at is before 2000-01-01; it is in epoch milliseconds' },
    { line: 11, reason: 'at is more than a day in the future' },
    {
      line: 12,
      reason: '2026-03-29 02:30 does not exist in Europe/Berlin: the clocks were put forward',
    },
    { line: 14, reason: 'acPowerW: "1e999" is not a number' },
  ]);
  const text2 = (await load('bad.csv', 'C', '--time', 'time', '--map', 'acPowerW=power')).stdout;
  expect(text2).toContain('11 rows: 0 accepted, 2 already known, 7 refused');
  expect(text2).toContain('line 6: acPowerW: "abc" is not a number');
});

test('a stray quote takes no other row along', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `2026-06-01 11:${String(i).padStart(2, '0')},${i}`,
  );
  rows[10] = '2026-06-01 11:10,"10"x';
  rows[20] = '2026-06-01 11:20,"20';
  rows[58] = '2026-06-01 11:58,"58';
  const outcome = await load(
    write('quote.csv', `t,p\n${rows.join('\n')}\n`),
    'D',
    '--time',
    't',
    '--map',
    'acPowerW=p',
    '--json',
  );
  expect(outcome.stderr).toBe('');
  expect(outcome.json()).toEqual({
    rows: 60,
    accepted: 57,
    duplicate: 0,
    refused: [
      { line: 12, reason: 'acPowerW: "10x" is not a number' },
      { line: 22, reason: 'a quote is not closed' },
      { line: 60, reason: 'a quote is not closed' },
    ],
  });
});

test('a file without a header has its columns counted', async () => {
  const file = write('bare.csv', '2026-06-01 10:00\t5\t230.1\n2026-06-01 10:05\t6\t230.2\n');
  const outcome = await load(
    file,
    'E',
    '--time',
    '#1',
    '--map',
    'acPowerW=#2',
    '--map',
    'acVoltage1V=#3:V',
    '--json',
  );
  expect(outcome.json()).toEqual({ rows: 2, accepted: 2, duplicate: 0, refused: [] });
});

test('a dry run shows the first rows and stores nothing', async () => {
  const file = write(
    'dry.csv',
    't,temp: roof,p\n10/25/2026 2:00,68,5\n10/25/2026 2:00,69,6\nbad,1,1\n',
  );
  const args = [
    '--time',
    't',
    '--map',
    'moduleTemperatureC=temp: roof:°F',
    '--map',
    'acPowerW=p:kW',
  ];
  const shown = await load(file, 'F', ...args, '--dry-run');
  expect(shown.stdout).toContain('2026-10-25T00:00:00.000Z');
  expect(shown.stdout).toContain('line 4: "bad" is not a time');
  expect(shown.stderr).toContain('2 local times occurred twice');
  expect((await load(file, 'F', ...args, '--dry-run', '--json')).json()).toEqual({
    rows: 3,
    accepted: 0,
    duplicate: 0,
    refused: [{ line: 4, reason: '"bad" is not a time' }],
    first: [
      {
        line: 2,
        at: Date.parse('2026-10-25T00:00:00Z'),
        values: { moduleTemperatureC: 20, acPowerW: 5000 },
      },
      {
        line: 3,
        at: Date.parse('2026-10-25T01:00:00Z'),
        values: { moduleTemperatureC: 20.5555555556, acPowerW: 6000 },
      },
    ],
  });
  expect((await load(file, 'F', ...args, '--json')).json()).toMatchObject({
    accepted: 2,
    duplicate: 0,
  });
});

test('day and month change places with --day-first', async () => {
  const file = write('days.csv', 't,p\n1/6/2026 10:00,5\n');
  const { json } = await load(
    file,
    'G',
    '--time',
    't',
    '--map',
    'acPowerW=p',
    '--day-first',
    '--dry-run',
    '--json',
  );
  expect(json().first[0].at).toBe(Date.parse('2026-06-01T08:00:00Z'));
});

test.each<[string, number, string[], RegExp]>([
  [
    'an unknown quantity',
    2,
    ['--map', 'acPower=p'],
    /unknown quantity acPower; known are acPowerW/,
  ],
  [
    'a unit of another kind',
    2,
    ['--map', 'acPowerW=p:kWh'],
    /acPowerW cannot be read in "kWh"; its units are W, kW, MW, mW/,
  ],
  [
    'a column that is not there',
    2,
    ['--map', 'acPowerW=q'],
    /the file has no column "q"; it has t, p/,
  ],
  [
    'a column beyond the last',
    2,
    ['--map', 'acPowerW=#3'],
    /the file has 2 columns, so there is no #3/,
  ],
  ['a mapping without a column', 2, ['--map', 'acPowerW'], /expected QUANTITY=COLUMN/],
  [
    'a quantity that is mapped twice',
    2,
    ['--map', 'acPowerW=p', '--map', 'acPowerW=t'],
    /mapped twice/,
  ],
  ['an unknown zone', 2, ['--map', 'acPowerW=p', '--zone', 'Mars/Base'], /IANA/],
  [
    'an unknown device',
    1,
    ['--map', 'acPowerW=p', '--device', 'NOBODYS'],
    /no device with the serial number NOBODYS/,
  ],
])('%s ends with one sentence and nothing stored', async (_, exitCode, args, sentence) => {
  const outcome = await load(
    write('small.csv', 't,p\n2026-06-01 10:00,1\n'),
    'H',
    '--time',
    't',
    ...args,
    '--json',
  );
  expect([outcome.exitCode, outcome.stdout]).toEqual([exitCode, '']);
  const { error } = JSON.parse(outcome.stderr) as { error: { message: string } };
  expect(error.message).toMatch(sentence);
});

test('a dry run refuses what the import will refuse', async () => {
  const file = write(
    'times.csv',
    't,p\n1999-01-01 00:00,1\n2099-01-01 00:00,1\n2026-01-01 00:00,1\n',
  );
  const [dry, real] = [
    await load(file, 'H', '--time', 't', '--map', 'acPowerW=p', '--dry-run', '--json'),
    await load(file, 'H', '--time', 't', '--map', 'acPowerW=p', '--json'),
  ];
  expect(dry.json().refused).toEqual(real.json().refused);
  expect(dry.json().refused.map(({ line }: { line: number }) => line)).toEqual([2, 3]);
});

test('times at a fixed offset are read by it', async () => {
  const file = write('offset.csv', 't,p\n2026-07-01 12:00,1\n');
  const outcome = await load(
    file,
    'G',
    '--time',
    't',
    '--map',
    'acPowerW=p',
    '--zone',
    '+05:45',
    '--dry-run',
    '--json',
  );
  expect(outcome.json().first[0].at).toBe(Date.parse('2026-07-01T06:15:00Z'));
});

test('a file of which no row came in ends with exit code 1', async () => {
  const outcome = await load(
    write('stamps.csv', 't,p\n2026-07-01 12:00,1\n'),
    'H',
    '--time',
    't',
    '--map',
    'acPowerW=p',
    '--zone',
    'as-stamped',
    '--json',
  );
  expect([outcome.exitCode, outcome.json()]).toMatchObject([
    1,
    { rows: 1, accepted: 0, refused: [{ line: 2 }] },
  ]);
});

test('a file that is not there, or is a folder, ends with one sentence', async () => {
  for (const file of ['nowhere.csv', '.']) {
    const outcome = await load(file, 'H', '--time', 't', '--map', 'acPowerW=p');
    expect([outcome.exitCode, outcome.stderr.split('\n').length]).toEqual([1, 1]);
    expect(outcome.stderr).toContain(`${file} cannot be read`);
  }
});

test('an empty file says that it is empty', async () => {
  const outcome = await load(
    write('empty.csv', ''),
    'H',
    '--time',
    't',
    '--map',
    'acPowerW=p',
    '--json',
  );
  expect([outcome.exitCode, outcome.json()]).toEqual([
    0,
    { rows: 0, accepted: 0, duplicate: 0, refused: [] },
  ]);
  expect(outcome.stderr).toContain('no data rows');
});

test('irradiance that was recorded elsewhere is imported for a plant, as a station that says so', async () => {
  const { helioport } = installation;
  const [plant] = (await helioport('plant', 'list', '--json')).json() as { id: string }[];
  const file = write('light.csv', 't,g\n2026-06-01 10:00,500\n2026-06-01 10:15,510\n');
  const args = ['--zone', 'UTC', '--time', 't', '--map', 'globalIrradianceWm2=g', '--json'];
  const into = (...more: string[]) => helioport('import', file, ...more, ...args);
  expect((await into('--plant', plant!.id, '--dry-run')).exitCode).toBe(1);
  for (const accepted of [2, 0])
    expect((await into('--plant', plant!.id)).json()).toMatchObject({ rows: 2, accepted });
  const stations = (await helioport('device', 'list', '--plant', plant!.id, '--json')).json();
  expect(stations).toContainEqual(
    expect.objectContaining({
      sn: `IMPORTED-${plant!.id}`,
      kind: 'weather',
      model: 'Recorded elsewhere',
    }),
  );
  expect((await into('--plant', '1')).exitCode).toBe(1);
  expect((await into()).exitCode).toBe(2);
  expect((await into('--plant', plant!.id, '--device', 'A')).exitCode).toBe(2);
});
