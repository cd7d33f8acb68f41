import { describe, expect, test } from 'vitest';
import { removeTariff, setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import {
  checkTariff,
  tariffsOf,
  type TariffUse,
  type Tariffs,
} from '../../packages/server/src/fleet/plants/tariffs/tariffs.ts';
import { updatePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { calendarOf } from '../../packages/server/src/platform/calendar/plant-calendar.ts';
import { plantPrices } from '../../packages/server/src/measurements/energy/plant-prices.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock } from '../support/world.ts';

const night = { start: '22:00', end: '06:00', pricePerKwh: 0.1 };

describe('a tariff', () => {
  test('is taken as it was written', () => {
    const given = {
      pricePerKwh: 0.3,
      windows: [
        { days: ['mon', 'fri'], months: [1, 12], start: '00:00', end: '24:00', pricePerKwh: 0 },
        night,
      ],
    };
    expect(checkTariff(given)).toEqual(given);
    expect(checkTariff({ pricePerKwh: 0.3, windows: [] })).toEqual({ pricePerKwh: 0.3 });
    expect(
      checkTariff({ pricePerKwh: 1, windows: [{ ...night, days: ['sun', 'mon'] }] }).windows![0]!
        .days,
    ).toEqual(['mon', 'sun']);
  });

  test.each([
    [null, 'tariff'],
    [[], 'tariff'],
    ['0.3', 'tariff'],
    [{}, 'pricePerKwh'],
    [{ pricePerKwh: '0.3' }, 'pricePerKwh'],
    [{ pricePerKwh: -0.01 }, 'pricePerKwh'],
    [{ pricePerKwh: Number.NaN }, 'pricePerKwh'],
    [{ pricePerKwh: 1e7 }, 'pricePerKwh'],
    [{ pricePerKwh: 1, window: [] }, 'tariff'],
    [{ pricePerKwh: 1, windows: {} }, 'windows'],
    [{ pricePerKwh: 1, windows: Array.from({ length: 101 }, () => night) }, 'windows'],
    [{ pricePerKwh: 1, windows: [night, { ...night, price: 3 }] }, 'windows[1]'],
    [{ pricePerKwh: 1, windows: [{ ...night, start: '6:00' }] }, 'windows[0].start'],
    [{ pricePerKwh: 1, windows: [{ ...night, start: '24:00' }] }, 'windows[0].start'],
    [{ pricePerKwh: 1, windows: [{ ...night, end: '24:01' }] }, 'windows[0].end'],
    [{ pricePerKwh: 1, windows: [{ ...night, end: '22:60' }] }, 'windows[0].end'],
    [{ pricePerKwh: 1, windows: [{ ...night, end: '22:00' }] }, 'windows[0].end'],
    [{ pricePerKwh: 1, windows: [{ ...night, days: [] }] }, 'windows[0].days'],
    [{ pricePerKwh: 1, windows: [{ ...night, days: ['Mon'] }] }, 'windows[0].days'],
    [{ pricePerKwh: 1, windows: [{ ...night, days: ['mon', 'mon'] }] }, 'windows[0].days'],
    [{ pricePerKwh: 1, windows: [{ ...night, days: 'mon' }] }, 'windows[0].days'],
    [{ pricePerKwh: 1, windows: [{ ...night, months: [0] }] }, 'windows[0].months'],
    [{ pricePerKwh: 1, windows: [{ ...night, months: ['1'] }] }, 'windows[0].months'],
  ])('%j is refused, naming %s', (given, field) => {
    expect(() => checkTariff(given)).toThrow(
      expect.objectContaining({ code: 'invalidValue', data: expect.objectContaining({ field }) }),
    );
  });
});

describe('the price at an instant', () => {
  const at = (
    tariffs: Tariffs,
    time: string,
    timeZone = 'UTC',
    use: TariffUse = 'import',
  ): number | undefined =>
    plantPrices(
      { tariffs: JSON.stringify(tariffs), pricePerKwh: null },
      calendarOf([{ fromAt: 0, timeZone }]),
    ).at(use, Date.parse(time));
  const since = (time: string): number => Date.parse(time);

  test('is that of the version in force; before the earliest there is none', () => {
    const tariffs = {
      import: [3, 5].map((month) => ({
        fromAt: since(`2026-0${month}-01T00:00:00Z`),
        pricePerKwh: month,
      })),
    };
    expect(
      ['2020-01-01', '2026-02-28', '2026-03-01', '2026-04-30', '2026-05-01', '2030-01-01'].map(
        (day) => at(tariffs, `${day}T00:00:00Z`),
      ),
    ).toEqual([undefined, undefined, 3, 3, 5, 5]);
    expect(at(tariffs, '2026-04-01T00:00:00Z', 'UTC', 'export')).toBeUndefined();
  });

  test('of windows that overlap the first holds', () => {
    const tariffs = {
      import: [
        {
          fromAt: 0,
          pricePerKwh: 1,
          windows: [
            { start: '10:00', end: '12:00', pricePerKwh: 2 },
            { start: '11:00', end: '13:00', pricePerKwh: 3 },
          ],
        },
      ],
    };
    expect(
      ['09:59', '10:00', '11:59', '12:00', '12:59', '13:00'].map((clock) =>
        at(tariffs, `2026-06-01T${clock}:00Z`),
      ),
    ).toEqual([1, 2, 2, 3, 3, 1]);
  });

  test('days and months of a window across midnight are those on which it begins', () => {
    const tariffs = {
      import: [
        { fromAt: 0, pricePerKwh: 1, windows: [{ ...night, days: ['fri' as const], months: [7] }] },
      ],
    };
    // 31 July 2026 is a Friday.
    const times = [
      '2026-07-31T05:00:00Z',
      '2026-07-31T22:00:00Z',
      '2026-08-01T05:59:59Z',
      '2026-08-01T06:00:00Z',
      '2026-08-07T23:00:00Z',
    ];
    expect(times.map((time) => at(tariffs, time))).toEqual([1, 0.1, 0.1, 1, 1]);
  });

  test('hours are those of the plant’s wall, in zones of halves and quarters, too', () => {
    const tariffs = { import: [{ fromAt: 0, pricePerKwh: 1, windows: [night] }] };
    expect(
      [
        '2026-06-01T16:14:59Z',
        '2026-06-01T16:15:00Z',
        '2026-06-02T00:14:59Z',
        '2026-06-02T00:15:00Z',
      ].map((time) => at(tariffs, time, 'Asia/Kathmandu')),
    ).toEqual([1, 0.1, 0.1, 1]);
  });
});

describeEngines('prices of a plant', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const world = createWorld(database, clock);
  const row = (id: string) =>
    database()
      .db.selectFrom('plant')
      .select(['tariffs', 'pricePerKwh'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const versions = async (id: string, use: TariffUse = 'production') =>
    tariffsOf(await row(id))[use];
  const set = (id: string, use: TariffUse, fromAt: number, pricePerKwh: number): Promise<void> =>
    world.write((trx) => setTariff(trx, world.act(), id, use, { fromAt, pricePerKwh }));
  const update = (id: string, pricePerKwh: number | null): Promise<void> =>
    world.write((trx) => updatePlant(trx, world.act(), id, { pricePerKwh }));

  test('a new price begins when it is given; its hours of the day stay', async () => {
    const id = await world.plant((await world.person()).id, { pricePerKwh: 0.1 });
    await update(id, 0.2);
    expect(await versions(id)).toEqual([
      { fromAt: 0, pricePerKwh: 0.1 },
      { fromAt: clock.at, pricePerKwh: 0.2 },
    ]);
    await world.write((trx) =>
      setTariff(trx, world.act(), id, 'production', {
        fromAt: clock.at,
        pricePerKwh: 0.3,
        windows: [night],
      }),
    );
    clock.at += 1000;
    await update(id, 0.4);
    expect((await versions(id))!.at(-1)).toEqual({
      fromAt: clock.at,
      pricePerKwh: 0.4,
      windows: [night],
    });
    expect((await row(id)).pricePerKwh).toBe(0.4);
    await update(id, null);
    expect(await row(id)).toEqual({ tariffs: null, pricePerKwh: null });
  });

  test('one that begins later is no price yet, and stays when a present one is given', async () => {
    const id = await world.plant((await world.person()).id, {});
    const later = { fromAt: clock.at + 5000, pricePerKwh: 0.5 };
    await set(id, 'production', later.fromAt, later.pricePerKwh);
    expect((await row(id)).pricePerKwh).toBe(null);
    await update(id, 0.2);
    expect([await versions(id), (await row(id)).pricePerKwh]).toEqual([
      [{ fromAt: clock.at, pricePerKwh: 0.2 }, later],
      0.2,
    ]);
  });

  test('the uses do not touch each other, and one that is set again replaces the one of its begin', async () => {
    const id = await world.plant((await world.person()).id, { pricePerKwh: 0.1 });
    await set(id, 'import', 5000, 1);
    await set(id, 'import', 0, 2);
    await set(id, 'import', 5000, 3);
    await set(id, 'export', 0, 4);
    expect(await versions(id, 'import')).toEqual([
      { fromAt: 0, pricePerKwh: 2 },
      { fromAt: 5000, pricePerKwh: 3 },
    ]);
    expect([await versions(id, 'export'), await versions(id)]).toEqual([
      [{ fromAt: 0, pricePerKwh: 4 }],
      [{ fromAt: 0, pricePerKwh: 0.1 }],
    ]);
    await world.write((trx) => removeTariff(trx, world.act(), id, 'import', 5000));
    await expect(
      world.write((trx) => removeTariff(trx, world.act(), id, 'import', 5000)),
    ).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field: 'from' },
    });
    expect(await versions(id, 'import')).toEqual([{ fromAt: 0, pricePerKwh: 2 }]);
  });

  test('a plant holds no more changes than its devices’ reports can carry', async () => {
    const id = await world.plant((await world.person()).id, { pricePerKwh: 0.1 });
    await expect(
      world.write(async (trx) => {
        for (let i = 1; i < 1000; i++)
          await setTariff(trx, world.act(), id, 'production', { fromAt: i, pricePerKwh: i });
      }),
    ).rejects.toMatchObject({ code: 'invalidValue', data: { field: 'price' } });
    expect(await row(id)).toEqual({ tariffs: null, pricePerKwh: 0.1 });
  });

  test('an archived and an unknown plant are refused alike', async () => {
    await expect(set('1', 'import', 0, 1)).rejects.toMatchObject({ code: 'noPermission' });
  });
});
