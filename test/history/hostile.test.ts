import { DAY_MS } from '@helioport/contract/durations';
import { expect, onTestFinished, test } from 'vitest';
import {
  HistoryDoubts,
  type HistoryAccount,
  type AskedOperation,
} from '../../packages/server/src/measurements/ingest/history/account.ts';
import {
  importHistory,
  type HistoryResult,
} from '../../packages/server/src/measurements/ingest/history/import-history.ts';
import {
  planHistory,
  type HistoryPlan,
} from '../../packages/server/src/measurements/ingest/history/plan.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createSqliteDatabase } from '../support/engines.ts';
import { ingestOn, startHouse, type House } from './account-there.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const SN = 'INV-STRING';

type Answers = { readonly [Operation in AskedOperation]?: (request: any) => unknown };

const device = { sn: SN, stationName: 'Old house', timeZone: 1 };
const page = (...records: unknown[]): unknown => ({ page: { records, pages: 1 } });
/** An account that knows one inverter, and of it a month with these days. */
const accountWith = (days: unknown, more: Answers = {}): Answers => ({
  inverterList: () => page(device),
  inverterAll: () => [{ year: 2026, energy: 600 }],
  inverterYear: () => [{ dateStr: '2026-05', energy: 600 }],
  inverterMonth: () => days,
  ...more,
});

interface Imported {
  readonly plan: HistoryPlan;
  readonly result: HistoryResult;
  readonly doubts: readonly string[];
  readonly here: House;
  /** The energies of the month, kWh, by day. */
  readonly days: Readonly<Record<string, number | undefined>>;
}

async function load(answers: Answers): Promise<Imported> {
  const database = await createSqliteDatabase();
  const here = await startHouse(database, [SN]);
  onTestFinished(async () => {
    await here.stop();
    await database.drop();
  });
  const account: HistoryAccount = {
    ask: async (operation, request) => answers[operation]?.(request) ?? null,
  };
  const [doubts, clock, { db }] = [new HistoryDoubts(), { now: () => NOW }, database];
  const series = createSqlSeries(db);
  const plan = await planHistory({ account, db, series, now: NOW, doubts });
  const result = await importHistory(
    { account, db, series, ingest: ingestOn(database), clock, doubts },
    plan.devices.flatMap((one) => one.device ?? []),
    { onProgress: () => {} },
  );
  const rows = await here.client.call('inverterMonth', { sn: SN, month: '2026-05' });
  const days = Object.fromEntries(rows.map((row) => [row.dateStr!.slice(-2), row.energy]));
  return { plan, result, doubts: doubts.list().map(({ text }) => text), here, days };
}

const on = (day: number, energy: unknown, more: object = {}): object => ({
  dateStr: `2026-05-${String(day).padStart(2, '0')}`,
  energy,
  ...more,
});

test('energies come in whatever unit they have', async () => {
  const { days, doubts } = await load(
    accountWith([
      on(1, 20.5),
      on(2, 21.5, { energyStr: 'kWh', energyPec: '1' }),
      on(3, 22.5, { energyStr: 'MWh', energyPec: '0.001' }),
      on(4, 0.0235, { energyStr: 'MWh' }),
      on(5, '24.5', { energyStr: 'kWh', energyPec: 1 }),
      on(6, 25_500, { energyStr: 'Wh' }),
      { date: Date.parse('2026-05-07T04:00:00Z'), energy: 26.5 },
      { dateStr: '2026-5-8', produceEnergy: 27.5 },
    ]),
  );
  expect(days).toEqual({
    '01': 20.5,
    '02': 21.5,
    '03': 22.5,
    '04': 23.5,
    '05': 24.5,
    '06': 25.5,
    '07': 26.5,
    '08': 27.5,
  });
  expect(doubts).toEqual([
    expect.stringMatching(/^in 202605, days of production add up to 192.0 kWh/),
  ]);
});

test('what cannot be believed is left out and named; everything beside it comes in', async () => {
  const { days, doubts } = await load(
    accountWith([
      on(1, 20),
      on(2, null),
      on(3, 'n/a'),
      on(4, -3),
      on(5, 20, { energyStr: 'MJ' }),
      on(6, 20, { energyStr: 'kWh', energyPec: '0' }),
      on(7, 9_999),
      on(8, 28),
      on(8, 29),
      on(9, Infinity),
      on(32, 5),
      { dateStr: '2026-04-30', energy: 8 },
      { energy: 8 },
      { dateStr: 'yesterday', energy: 8 },
      null,
      'a text',
      on(10, 30),
    ]),
  );
  expect(days).toEqual({ '01': 20, '08': 28, '10': 30 });
  expect(doubts).toEqual(
    expect.arrayContaining([
      'energy is no number',
      'energy is negative',
      'energy is in the unknown unit "MJ"',
      'energy has an impossible multiplier',
      'on 20260507, production of 9999 kWh is impossible: left out',
      'two rows of energy of the same period contradict each other',
      'a row of energy is of another time than asked for',
      'a row of energy has no date',
    ]),
  );
});

test('days in another unit than their month are left out', async () => {
  const { days, doubts } = await load(accountWith([on(1, 0.02), on(2, 0.58)]));
  expect(days).toEqual({});
  expect(doubts).toEqual([
    'in 202605, days of production add up to 0.6 kWh, but the month is 600.0 kWh: left out',
  ]);
});

test('today and what is to come are not imported', async () => {
  const { here } = await load(
    accountWith(null, {
      inverterYear: () => [{ dateStr: '2026-06', energy: 60 }],
      inverterMonth: () =>
        [13, 14, 15, 16, 30].map((day) => ({ dateStr: `2026-06-${day}`, energy: day })),
    }),
  );
  const rows = await here.client.call('inverterMonth', { sn: SN, month: '2026-06' });
  expect(rows.map(({ dateStr, energy }) => [dateStr, energy])).toEqual([
    ['2026-06-13', 13],
    ['2026-06-14', 14],
  ]);
});

test('what no device has is answered as 0 there, and is not taken for measured', async () => {
  const zeros = { gridPurchasedEnergy: 0, batteryChargeEnergy: 0, homeLoadEnergy: 0 };
  const { here } = await load(
    accountWith([on(1, 20, zeros), on(2, 0, zeros)], {
      inverterYear: () => [{ dateStr: '2026-05', energy: 20, ...zeros }],
    }),
  );
  const rows = await here.client.call('inverterMonth', { sn: SN, month: '2026-05' });
  expect(rows.map(({ energy, gridPurchasedEnergy }) => [energy, gridPurchasedEnergy])).toEqual([
    [20, undefined],
    [0, undefined],
  ]);
});

test.each<[string, unknown]>([
  ['nothing', null],
  ['a text', 'moved'],
  ['a list of lists', [[[]]]],
  ['numbers', [1, 2]],
  ['an object', { records: [] }],
])('answers that are %s import nothing, and break nothing', async (_, answer) => {
  const all = () => answer;
  const { result } = await load({
    inverterList: () => page(device),
    inverterAll: all,
    inverterYear: all,
    inverterMonth: all,
    inverterDay: all,
    inverterDetail: all,
  });
  expect(result).toMatchObject({ days: 0, curves: 0, refused: [] });
  const { plan } = await load({ inverterList: all, epmList: all });
  expect(plan.devices).toEqual([]);
});

test('pages that repeat end the list', async () => {
  let asked = 0;
  const { plan } = await load({
    ...accountWith([on(1, 20)]),
    inverterList: () => {
      asked += 1;
      return { page: { records: [device, { sn: { $ne: 1 } }, { sn: '' }], pages: 99_999 } };
    },
  });
  expect([asked, plan.devices.length]).toEqual([2, 1]);
});

test('devices are matched by serial number; those on one side alone are named', async () => {
  const { plan } = await load({
    ...accountWith([on(1, 20)]),
    inverterList: () => page({ ...device, sn: 'OTHER', stationName: 'Barn' }),
    epmList: () => page({ sn: SN, stationName: 'Old house' }),
  });
  expect(plan.devices).toMatchObject([
    { device: undefined, reason: 'it is of the kind epm there, but inverter here' },
  ]);
  expect(plan.onlyThere).toMatchObject([{ sn: 'OTHER', plant: 'Barn' }]);
  expect(plan.onlyHere).toEqual([]);
});

test('a plant whose days are others there is left out with the way out', async () => {
  const { plan, result } = await load({
    ...accountWith([on(1, 20)]),
    inverterList: () => page({ ...device, timeZone: 8 }),
  });
  expect(plan.devices[0]!.reason).toBe(
    'its plant is +8 h from UTC there, but +1 h here (Europe/Berlin): correct the time zone, or say --any-zone',
  );
  expect(result.days).toBe(0);
});

test('curves take readings by their instant, in the units named, and leave out what is of another day', async () => {
  const start = Date.parse('2026-05-01T00:00:00+02:00');
  const at = (hour: number): string => String(start + hour * 3_600_000);
  const { here, doubts } = await load(
    accountWith([on(1, 20)], {
      inverterYear: () => [{ dateStr: '2026-05', energy: 20 }],
      inverterDay: () => [
        {
          dataTimestamp: at(8),
          timeStr: '2026-05-01 14:00:00',
          pac: 1_500,
          pacStr: 'kW',
          pacPec: '0.001',
          fac: 50,
          uPv3: 0,
        },
        {
          dataTimestamp: at(9),
          pac: 1.6,
          pacStr: 'kW',
          fac: 500,
          uPv1: 'x',
          batteryPower: 300,
          bstteryCurrent: -6,
        },
        {
          dataTimestamp: at(10),
          pac: 1_700,
          fac: 49.9,
          familyLoadPower: 400,
          bypassLoadPower: 100,
        },
        { dataTimestamp: at(11), pac: 9e9 },
        { dataTimestamp: at(-1), pac: 5 },
        { dataTimestamp: String(start + DAY_MS), pac: 5 },
        { dataTimestamp: 'noon', pac: 5 },
        { pac: 5 },
      ],
    }),
  );
  const rows = await here.client.call('inverterDay', { sn: SN, time: '2026-05-01' });
  const shown = rows.flatMap(({ dataTimestamp, pac, fac, batteryPower, familyLoadPower, uPv3 }) =>
    pac === undefined ? [] : [[dataTimestamp, pac, fac, batteryPower, familyLoadPower, uPv3]],
  );
  expect(shown).toEqual([
    [at(8), 1_500, 50, undefined, undefined, undefined],
    [at(9), 1_600, undefined, -300, undefined, undefined],
    [at(10), 1_700, 49.9, undefined, 500, undefined],
  ]);
  expect(doubts).toEqual(
    expect.arrayContaining([
      'a reading is of another day than asked for',
      'a reading has no time',
      expect.stringContaining('gridFrequencyHz'),
    ]),
  );
  const month = await here.client.call('inverterMonth', { sn: SN, month: '2026-05' });
  expect(month[0]).toMatchObject({ energy: 20 });
});
