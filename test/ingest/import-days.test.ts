import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import type { Installation, Outcome } from '../support/command.ts';
import { createImportInstallation } from './import-installation.ts';

let installation: Installation;
const SN = 'A';

beforeEach(async () => {
  installation = await createImportInstallation({
    now: '2026-11-20T12:00:00Z',
    timeZone: 'Europe/Berlin',
    sns: [SN],
  });
});
afterEach(() => installation.remove());

const load = (text: string, ...options: string[]): Promise<Outcome> => {
  writeFileSync(join(installation.folder, 'days.csv'), text);
  return installation.helioport('import', 'days.csv', '--device', SN, ...options);
};
const ENERGY = ['--time', 'Date', '--map', 'energyTodayKwh=Energy'];

/** The energies that were produced on each day. */
async function energies(): Promise<Record<number, number | undefined>> {
  const storage = openStorage(join(installation.folder, 'data', 'helioport.db'));
  try {
    const { no } = await storage.db
      .selectFrom('binding')
      .innerJoin('device', 'device.id', 'binding.deviceId')
      .select('no')
      .where('sn', '=', SN)
      .executeTakeFirstOrThrow();
    const days = await createTelemetry(
      settledReads(storage.db, createSqlSeries(storage.db)),
    ).daysOf(storage.db, [no], 0, 99_999_999);
    return Object.fromEntries(
      days.map(({ day, energies: { production } }) => [day, production?.energyKwh]),
    );
  } finally {
    await storage.close();
  }
}

const OF_A_WEEK = [20.5, 31.2, 8.4, 25, 25, 0, 30.1, 12.2];
const rows = (date: (day: number) => string): string[] =>
  OF_A_WEEK.map((energy, i) => `${date(i + 1)},${energy}`);
const expected = Object.fromEntries(OF_A_WEEK.map((energy, i) => [20_260_601 + i, energy]));

test.each<[string, string]>([
  ['ISO dates', rows((day) => `2026-06-0${day}`).join('\n')],
  [
    'the newest first',
    rows((day) => `2026-06-0${day}`)
      .toReversed()
      .join('\n'),
  ],
  [
    'in no order',
    [3, 0, 7, 1, 6, 2, 5, 4].map((i) => rows((day) => `2026-06-0${day}`)[i]).join('\n'),
  ],
  ['midnights', rows((day) => `06/0${day}/2026 00:00:00`).join('\n')],
  ['days first, two digits', rows((day) => `0${day}/06/26`).join('\n')],
  ['digits alone', rows((day) => `2026060${day}`).join('\n')],
  ['instants', rows((day) => `2026-06-0${day}T00:00:00+02:00`).join('\n')],
  [
    'instants in UTC',
    rows((day) => new Date(Date.UTC(2026, 5, day - 1, 22)).toISOString()).join('\n'),
  ],
  ['with a footer', `${rows((day) => `2026-06-0${day}`).join('\n')}\nTotal,152.4`],
])('a date and the energy of that day in each row come in with --days: %s', async (_, text) => {
  const first = await load(`Date,Energy\n${text}\n`, ...ENERGY, '--days', '--json');
  expect(first.json()).toMatchObject({ rows: expect.any(Number), accepted: 8, duplicate: 0 });
  expect(await energies()).toEqual(expected);
  const again = await load(`Date,Energy\n${text}\n`, ...ENERGY, '--days', '--json');
  expect(again.json()).toMatchObject({ accepted: 0, duplicate: 8 });
  expect(await energies()).toEqual(expected);
});

test('days on which the clocks change have their energy too, whatever came between', async () => {
  const text =
    'Date,Energy\n2026-03-28,10\n2026-03-29,11\n2026-03-31,11\n2026-10-24,5\n2026-10-25,6\n2026-10-26,5.5\n';
  await load(text, ...ENERGY, '--days');
  const { 20260330: gap, ...days } = await energies();
  expect(gap).toBeUndefined();
  expect(days).toMatchObject({
    20260328: 10,
    20260329: 11,
    20260331: 11,
    20261024: 5,
    20261025: 6,
    20261026: 5.5,
  });
});

test('a corrected file corrects its day, and other days are added to those before', async () => {
  await load('Date,Energy\n2026-06-01,10\n2026-06-02,12\n', ...ENERGY, '--days');
  const second = await load(
    'Date,Energy\n2026-06-02,11\n2026-06-03,9\n',
    ...ENERGY,
    '--days',
    '--json',
  );
  expect(second.json()).toMatchObject({ accepted: 2, duplicate: 0 });
  expect(await energies()).toEqual({ 20260601: 10, 20260602: 11, 20260603: 9 });
});

test('without --days, dates beside a counter of a day are refused with the way to do it', async () => {
  const outcome = await load('Date,Energy\n2026-06-01,10\n', ...ENERGY, '--zone', 'Europe/Berlin');
  expect([outcome.exitCode, outcome.stdout, outcome.stderr]).toEqual([
    2,
    '',
    'helioport: the column "Date" has dates without a time of day: say --days if energyTodayKwh is the energy of each day, or name the column of the times as well, as in --time Date+Time',
  ]);
});

test('a second row of a day is refused, and what is no energy of a day cannot be mapped', async () => {
  const twice = await load(
    'Date,Energy\n2026-06-01,10\n2026-06-01,12\n',
    ...ENERGY,
    '--days',
    '--json',
  );
  expect(twice.json()).toMatchObject({
    accepted: 1,
    refused: [
      {
        line: 3,
        reason: '2026-06-01 already has its energy in line 2; --days takes one row a day',
      },
    ],
  });
  const power = await load(
    'Date,P\n2026-06-01,10\n',
    '--time',
    'Date',
    '--map',
    'acPowerW=P',
    '--days',
  );
  expect([power.exitCode, power.stderr]).toEqual([
    2,
    expect.stringContaining(
      '--days imports the energy of whole days, so acPowerW cannot be mapped',
    ),
  ]);
});

test('days are those of the plant', async () => {
  const other = await load('Date,Energy\n2026-06-01,10\n', ...ENERGY, '--days', '--zone', 'UTC');
  expect([other.exitCode, other.stderr]).toEqual([
    2,
    'helioport: --days takes the days of the plant, which is in Europe/Berlin: leave --zone out',
  ]);
});

test('midnights without --days are said to belong to the day before', async () => {
  const text = 'Date,Energy\n2026-06-01 00:00,10\n2026-06-02 00:00,12\n';
  const outcome = await load(text, ...ENERGY, '--zone', 'Europe/Berlin');
  expect(outcome.exitCode).toBe(0);
  expect(outcome.stderr).toContain('--days takes each row for the energy of its date');
});
