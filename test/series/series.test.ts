import { expect, test } from 'vitest';
import { quantities, type QuantityName } from '../../packages/contract/src/index.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import {
  openDay,
  type DaySample,
} from '../../packages/server/src/measurements/energy/day-state.ts';
import type { DayRules } from '../../packages/server/src/measurements/energy/day-rules.ts';
import { stepDay } from '../../packages/server/src/measurements/energy/energy-day.ts';
import { inStoredOrder } from '../../packages/server/src/measurements/energy/field-list.ts';
import {
  addDay,
  type MonthState,
} from '../../packages/server/src/measurements/energy/month-state.ts';
import type { DayPrices } from '../../packages/server/src/measurements/energy/plant-prices.ts';
import { dayRules } from '../../packages/server/src/measurements/bindings/bound-device.ts';
import { describeSeriesEngines } from '../support/engines.ts';
import { foldedDevice } from '../telemetry/folding.ts';
import type { DayRow, Series } from '../../packages/server/src/measurements/series/port.ts';

describeSeriesEngines('series', (database, seriesOf) => {
  const parts = () => {
    const { db } = database();
    return {
      series: seriesOf(db),
      db,
      write: <T>(work: (db: Db) => Promise<T>) => db.transaction().execute(work),
    };
  };
  const at = Date.parse('2026-06-15T00:00:00Z');

  const sample = async (time: number, values: Record<string, number>): Promise<DaySample> => {
    const names = inStoredOrder(Object.keys(values) as QuantityName[]);
    const [fields] = await parts().series.fieldLists.ensure([names]);
    return { at: time, fields: fields!, values: Float64Array.from(names, (name) => values[name]!) };
  };

  const dayRow = async (binding: number, day: number, value: number): Promise<DayRow> => {
    const first = await sample(at + day * 1000, {
      acPowerW: value,
      gridPowerW: -value,
      energyTotalKwh: value,
      temperatureC: 1.5,
    });
    // Production at one price, import at two, nothing known of export.
    const steps = [undefined, { fromAts: [0, first.at + 30_000], prices: [0.3, 0.1] }];
    const prices: DayPrices = {
      steps,
      prices: [
        { price: 0.1, varies: false },
        { price: 0.2, varies: true },
      ],
    };
    const rules: DayRules = { ...dayRules(foldedDevice(), 20260615), prices };
    const state = openDay(undefined, first, {
      prices: prices.prices,
      atMost: [value],
      plantAtMost: 2 * value,
    });
    stepDay(state, first, rules, undefined);
    const second = await sample(first.at + 60_000, {
      acPowerW: value + 1,
      gridPowerW: -value,
      batterySocPercent: 55,
    });
    stepDay(state, second, rules, undefined);
    return { binding, day, state };
  };

  const put = (rows: Parameters<Series['put']>[1]): Promise<void> =>
    parts().write((db) => parts().series.put(db, rows));

  test('samples that lack most values of their list come back among others, however they are asked for', async () => {
    const { series, db } = parts();
    const names = [...quantities.keys()] as QuantityName[];
    const [fields] = await series.fieldLists.ensure([names]);
    const lacking = (time: number, values: Partial<Record<QuantityName, number>>): DaySample => ({
      at: time,
      fields: fields!,
      values: Float64Array.from(names, (name) => values[name] ?? Number.NaN),
    });
    const samples = [
      lacking(at, { [names[0]!]: 1.5, [names.at(-1)!]: -2 }),
      await sample(at + 1, { acPowerW: 7 }),
      lacking(at + 2, {}),
      lacking(at + 3, Object.fromEntries(names.map((name, i) => [name, i]))),
      lacking(at + 4, Object.fromEntries(names.slice(0, 9).map((name, i) => [name, i]))),
    ];
    await put({ samples: samples.map((one) => ({ seriesId: 4_401, sample: one })) });
    await put({ samples: [{ seriesId: 4_402, sample: samples[0]! }] });
    const plain = (found: readonly DaySample[] | undefined) =>
      found?.map((one) => [one.at, one.fields.id, [...one.values]]);
    expect(plain(await series.range(db, 4_401, at, at + 10))).toEqual(plain(samples));
    const ranges = await series.ranges(db, [4_401, 4_402], at, at + 10);
    expect(plain(ranges.get(4_401))).toEqual(plain(samples));
    expect(plain(ranges.get(4_402))).toEqual(plain(samples.slice(0, 1)));
  });

  test('a range of samples comes back as it was put, in the order of time, without its end', async () => {
    const { series, db } = parts();
    const samples = await Promise.all(
      [5, 1, 3, 2, 4].map((n) => sample(at + n, { acPowerW: n, temperatureC: -n / 3 })),
    );
    await put({
      samples: [
        ...samples.map((each) => ({ seriesId: 1, sample: each })),
        { seriesId: 2, sample: await sample(at + 3, { dcPowerW: 9 }) },
      ],
    });
    const found = await series.range(db, 1, at + 2, at + 5);
    expect(found.map((each) => [each.at - at, [...each.values], each.fields.names])).toEqual(
      [2, 3, 4].map((n) => [n, [n, -n / 3], ['acPowerW', 'temperatureC']]),
    );
    expect((await series.range(db, 1, at, at + 10, 2)).map((each) => each.at - at)).toEqual([1, 2]);
    expect(await series.range(db, 3, 0, at * 2)).toEqual([]);
  });

  test('ranges of many devices come back by device, each in the order of time; a device without any is left out', async () => {
    const { series, db } = parts();
    const one = await sample(at, { acPowerW: 1 });
    const rows = [
      [71, 3],
      [72, 2],
      [71, 1],
      [72, 9],
      [73, 2],
      [74, 9],
    ] as const;
    await put({
      samples: rows.map(([number, n]) => ({ seriesId: number, sample: { ...one, at: at + n } })),
    });
    const found = await series.ranges(db, [72, 71, 74, 75], at + 1, at + 9);
    expect(
      new Map([...found].map(([number, samples]) => [number, samples.map((each) => each.at - at)])),
    ).toEqual(
      new Map([
        [71, [1, 3]],
        [72, [2]],
      ]),
    );
    expect(await series.ranges(db, [], 0, at * 2)).toEqual(new Map());
  });

  test('a sample that is put again replaces the one of its instant', async () => {
    const { series, db } = parts();
    await put({ samples: [{ seriesId: 4, sample: await sample(at, { acPowerW: 1 }) }] });
    await put({
      samples: [{ seriesId: 4, sample: await sample(at, { acPowerW: 2, dcPowerW: 3 }) }],
    });
    const found = await series.range(db, 4, at, at + 1);
    expect(found.map((each) => [...each.values])).toEqual([[2, 3]]);
  });

  test('values keep every bit', async () => {
    const { series, db } = parts();
    const values = {
      acPowerW: 0.1 + 0.2,
      dcPowerW: -0,
      gridPowerW: 5e-324,
      loadPowerW: Number.MAX_VALUE,
    };
    await put({ samples: [{ seriesId: 5, sample: await sample(at, values) }] });
    const [found] = await series.range(db, 5, at, at + 1);
    expect(
      Object.fromEntries(found!.fields.names.map((name, i) => [name, found!.values[i]])),
    ).toEqual(values);
  });

  test('thousands of rows are put at once', async () => {
    const { series, db } = parts();
    const one = await sample(at, { acPowerW: 1 });
    await put({
      samples: Array.from({ length: 3_001 }, (_, i) => ({
        seriesId: 6,
        sample: { ...one, at: at + i },
      })),
    });
    expect((await series.range(db, 6, 0, at * 2)).length).toBe(3_001);
  });

  test('the newest day of many bindings is found, each as it was put', async () => {
    const { series, db } = parts();
    const rows = await Promise.all([
      dayRow(1, 20260614, 5),
      dayRow(1, 20260615, 6),
      dayRow(2, 20260101, 7),
    ]);
    rows[1].state.carry = {
      day: 20260614,
      sums: [
        // Beyond 2^53 sums of money are no longer exact, but they are kept as they are.
        {
          day: 1,
          estimated: true,
          month: 1,
          year: 2,
          total: 2 ** 52,
          before: 7,
          days: 300,
          highestShare: 1001,
          money: { day: 3, month: 2 ** 53, year: 2 ** 60, total: 3 ** 50, before: 2 },
        },
        undefined,
        {
          day: 0,
          estimated: false,
          month: 0,
          year: 0,
          total: 3,
          before: 0,
          days: 0,
          highestShare: 0,
          money: undefined,
        },
      ],
    };
    await put({ days: rows });
    const newest = await series.newestDays(db, [2, 1, 99]);
    expect(newest.get(1)).toEqual(rows[1]);
    expect(newest.get(2)).toEqual(rows[2]);
    expect(newest.size).toBe(2);
    expect(await series.newestDays(db, [])).toEqual(new Map());
    expect(await series.newestDays(db, [1, 2], 20260615)).toEqual(
      new Map([
        [1, rows[0]],
        [2, rows[2]],
      ]),
    );
    expect((await series.newestDays(db, [1, 2], 20260614)).has(1)).toBe(false);
  });

  test('the newest and the first days of bindings are found together, as many as wanted', async () => {
    const { series, db } = parts();
    const rows = await Promise.all(
      [20260601, 20260602, 20260604, 20260607].map((day) => dayRow(14, day, day % 100)),
    );
    await put({ days: [...rows, await dayRow(15, 20260603, 3), await dayRow(16, 20260603, 3)] });
    const daysOf = (found: readonly DayRow[]): number[][] =>
      found.map(({ binding, day }) => [binding, day]);
    const { newest, first } = await series.endDays(
      db,
      { bindings: [15, 14, 99], count: 2 },
      { bindings: [16, 14, 99], count: 3 },
    );
    expect(daysOf(newest)).toEqual([
      [14, 20260604],
      [14, 20260607],
      [15, 20260603],
    ]);
    expect(daysOf(first)).toEqual([
      [14, 20260601],
      [14, 20260602],
      [14, 20260604],
      [16, 20260603],
    ]);
    expect(newest.slice(0, 2)).toEqual(rows.slice(2));
    const none = await series.endDays(db, { bindings: [14], count: 9 }, { bindings: [], count: 1 });
    expect([none.newest.length, none.first]).toEqual([4, []]);
  });

  test('days are found by range and by neighbourhood', async () => {
    const { series, db } = parts();
    const rows = await Promise.all([20260601, 20260603, 20260605].map((day) => dayRow(10, day, 1)));
    await put({ days: [...rows, await dayRow(11, 20260603, 1)] });
    const range = await series.days(db, [11, 10], 20260602, 20260605);
    expect(range.map(({ binding, day }) => [binding, day])).toEqual([
      [10, 20260603],
      [10, 20260605],
      [11, 20260603],
    ]);
    expect((await series.neighbourDay(db, 10, 20260603, 'before'))?.day).toBe(20260601);
    expect((await series.neighbourDay(db, 10, 20260603, 'after'))?.day).toBe(20260605);
    expect(await series.neighbourDay(db, 10, 20260601, 'before')).toBeUndefined();
    expect(await series.neighbourDay(db, 11, 20260603, 'after')).toBeUndefined();
  });

  test('a day that is put again replaces the former', async () => {
    const { series, db } = parts();
    await put({ days: [await dayRow(20, 20260601, 1)] });
    const later = await dayRow(20, 20260601, 2);
    await put({ days: [later] });
    expect(await series.days(db, [20], 0, 99_999_999)).toEqual([later]);
  });

  test('months are found by range, each as it was put', async () => {
    const { series, db } = parts();
    const state: MonthState = [];
    addDay(state, (await dayRow(1, 20260601, 5)).state);
    await put({
      months: [
        { binding: 30, month: 202606, state },
        { binding: 30, month: 202607, state: [] },
        { binding: 31, month: 202606, state: [] },
      ],
    });
    const found = await series.months(db, [30], 202601, 202606);
    expect(found).toEqual([{ binding: 30, month: 202606, state }]);
  });

  test('days and months of a binding are removed without touching others', async () => {
    const { series, db } = parts();
    const months = [40, 41].flatMap((binding) =>
      [202605, 202606].map((month) => ({ binding, month, state: [] })),
    );
    await put({
      days: await Promise.all([
        dayRow(40, 20260601, 1),
        dayRow(40, 20260602, 1),
        dayRow(40, 20260603, 1),
        dayRow(41, 20260601, 1),
      ]),
      months,
    });
    await parts().write((trx) => series.remove(trx, 40, { days: [20260601, 20260603, 20260604] }));
    expect((await series.days(db, [40], 0, 99_999_999)).map(({ day }) => day)).toEqual([20260602]);
    await parts().write((trx) => series.remove(trx, 40, { months: [202605, 202607] }));
    expect((await series.months(db, [40], 0, 999_999)).map(({ month }) => month)).toEqual([202606]);
    expect((await series.days(db, [40, 41], 0, 99_999_999)).length).toBe(2);
    expect((await series.months(db, [41], 0, 999_999)).length).toBe(2);
  });

  test('the first sample of a stretch is found, a stretch without an end included', async () => {
    const { series, db } = parts();
    const one = await sample(at, { acPowerW: 1 });
    await put({
      samples: [3, 1, 400 * 86_400_000].map((n) => ({
        seriesId: 50,
        sample: { ...one, at: at + n },
      })),
    });
    const firstFrom = async (from: number, to: number) =>
      (await series.firstSampleAt(db, 50, at + from, at + to))! - at;
    expect(await firstFrom(0, 10)).toBe(1);
    expect(await firstFrom(1, 10)).toBe(1);
    expect(await firstFrom(2, 4)).toBe(3);
    expect(await firstFrom(4, Infinity)).toBe(400 * 86_400_000);
    expect(await series.firstSampleAt(db, 50, at + 2, at + 3)).toBeUndefined();
    expect((await series.range(db, 50, at + 2, Infinity)).map((each) => each.at - at)).toEqual([
      3,
      400 * 86_400_000,
    ]);
  });

  test('marks are kept apart by who made them, and rows say that there is one; where transactions are shared there are none', async () => {
    const { series, db } = parts();
    await put({
      days: [await dayRow(60, 20260601, 1), await dayRow(61, 20260601, 1)],
      months: [{ binding: 60, month: 202606, state: [] }],
    });
    const [one, other] = [
      { binding: 60, day: 20260601, attempt: 'a' },
      { binding: 60, day: 20260528, attempt: 'b' },
    ];
    await series.mark([one, other, { ...other, binding: 62 }]);
    await series.mark([one]);
    const isMarked = async () => {
      const rows = [
        ...(await series.newestDays(db, [60, 61])).values(),
        ...(await series.days(db, [60], 0, 99_999_999)),
        ...(await series.months(db, [60], 0, 999_999)),
      ];
      return rows.map((row) => row.isMarked ?? false);
    };
    const marksOf = async (...asked: Parameters<Series['marks']>) =>
      (await series.marks(...asked))
        .map(({ binding, attempt }) => `${binding} ${attempt}`)
        .toSorted();
    if (series.sharesTransaction) {
      expect([await marksOf(), await isMarked()]).toEqual([[], [false, false, false, false]]);
      return;
    }
    expect(await marksOf([60, 61])).toEqual(['60 a', '60 b']);
    expect(await marksOf()).toEqual(['60 a', '60 b', '62 b']);
    expect(await isMarked()).toEqual([true, false, true, true]);
    await series.unmark([one]);
    expect([await marksOf([60]), await isMarked()]).toEqual([['60 b'], [true, false, true, true]]);
    await series.unmark([other, { ...other, binding: 62 }, one]);
    expect([await marksOf(), await isMarked()]).toEqual([[], [false, false, false, false]]);
  });

  test('it answers', async () => {
    expect(await parts().series.isReady()).toBe(true);
  });

  test('a set of quantities has one list, no matter who asked first', async () => {
    const { series } = parts();
    const names: QuantityName[] = ['acPowerW', 'statusCode'];
    const [[one], [other]] = await Promise.all([
      series.fieldLists.ensure([names]),
      series.fieldLists.ensure([names]),
    ]);
    expect(one!.id).toBe(other!.id);
    expect(series.fieldLists.find(names)).toBe(one);
  });
});
