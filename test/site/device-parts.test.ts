import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAlarmBook } from '../../packages/collector/src/site/device/alarms.ts';
import { createBalance, wrongSign } from '../../packages/collector/src/site/device/balance.ts';
import { clockAlarm } from '../../packages/collector/src/site/device/device-clock.ts';
import { createMinute } from '../../packages/collector/src/site/device/minute.ts';
import { createPace } from '../../packages/collector/src/site/device/pace.ts';
import { createWakeGuard } from '../../packages/collector/src/site/device/wake-guard.ts';
import { openWriteLog } from '../../packages/collector/src/site/device/write-log.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

test('a report has the means of powers, voltages and currents, and the last counters and states', () => {
  const minute = createMinute();
  minute.add(
    { acPowerW: 1000, acVoltage1V: 230, energyTotalKwh: 5, statusCode: 3, batterySocPercent: 50 },
    1,
  );
  minute.add(
    { acPowerW: 2000, acVoltage1V: 231, energyTotalKwh: 6, statusCode: 4, batterySocPercent: 52 },
    2,
  );
  minute.add({ acPowerW: 3001 }, 3);
  expect(minute.take()).toEqual({
    at: 3,
    values: {
      acPowerW: 2000.333,
      acVoltage1V: 230.5,
      energyTotalKwh: 6,
      statusCode: 4,
      batterySocPercent: 52,
    },
  });
  expect(minute.take()).toBeUndefined();
});

describe('the first minute after a wake-up', () => {
  test('has no counter below the last one', () => {
    const guard = createWakeGuard({ energyTotalKwh: 812.5, energyTodayKwh: 20 });
    const morning = 6 * 3_600_000;
    expect(guard.filter({ energyTotalKwh: 3, energyTodayKwh: 0, acPowerW: 1 }, morning)).toEqual({
      values: { acPowerW: 1 },
      dropped: 2,
    });
    expect(
      guard.filter({ energyTotalKwh: 812.5, energyTodayKwh: 0.1 }, morning + 30_000).dropped,
    ).toBe(1);
    // The counter of today has begun anew, which is right.
    expect(guard.filter({ energyTodayKwh: 0.1 }, morning + MINUTE)).toEqual({
      values: { energyTodayKwh: 0.1 },
      dropped: 0,
    });
    // Asleep for five minutes and more.
    expect(guard.filter({ energyTotalKwh: 5 }, morning + 10 * MINUTE).dropped).toBe(1);
  });

  test('a counter that begins anew while the device is awake is passed on as it is', () => {
    const guard = createWakeGuard();
    for (let i = 0; i < 10; i++) guard.filter({ energyTodayKwh: 9 }, i * 30_000);
    expect(guard.filter({ energyTodayKwh: 0 }, 300_000).values).toEqual({ energyTodayKwh: 0 });
  });
});

describe('the pace', () => {
  test('is 10 s at a gateway, 30 s at a stick, and slower while a device is silent', () => {
    expect(createPace('tcp', 0).next(1)).toBe(10_000);
    expect(createPace('v5', 0).next(1)).toBe(30_000);
    const pace = createPace('tcp', 0);
    pace.failed(1);
    expect([pace.state, pace.next(1)]).toEqual(['silent', 5_000]);
    for (let i = 0; i < 20; i++) pace.failed(2);
    expect(pace.next(1)).toBe(300_000);
    pace.answered({ acPowerW: 500 }, 3);
    expect([pace.state, pace.next(1)]).toEqual(['answering', 10_000]);
  });

  test('a device without a battery that has no power sleeps, and its silence then is no fault', () => {
    const pace = createPace('tcp', 0);
    pace.answered({ dcPowerW: 0 }, 0);
    expect(pace.next(1)).toBe(10_000);
    pace.answered({ dcPowerW: 0 }, 30 * MINUTE);
    expect(pace.next(1)).toBe(300_000);
    pace.failed(31 * MINUTE);
    expect(pace.state).toBe('dark');
    const storage = createPace('tcp', 0);
    storage.answered({ dcPowerW: 0, batterySocPercent: 50 }, 0);
    storage.failed(1);
    expect(storage.state).toBe('silent');
  });
});

describe('the fuse', () => {
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'helioport-fuse-'));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return join(made, 'writes.json');
  };

  test('allows a hundred writes of a device within a day, whatever is started anew', () => {
    const file = folder();
    const clock = { at: DAY, now: () => clock.at };
    for (let i = 0; i < 50; i++) openWriteLog(file, clock).count('A', 2);
    expect(() => openWriteLog(file, clock).count('A', 1)).toThrow(
      'has written to A 100 times within a day',
    );
    openWriteLog(file, clock).count('B', 1);
    clock.at += DAY;
    openWriteLog(file, clock).count('A', 1);
  });

  test('is blown where the count cannot be kept', () => {
    const log = openWriteLog(join(folder(), 'no-folder', 'writes.json'), { now: () => 0 });
    expect(() => log.count('A', 1)).toThrow(
      'nothing was written, since the count of writes cannot be kept',
    );
  });

  test('a value is looked at once more, and only the latest of a parameter', () => {
    const file = folder();
    const log = openWriteLog(file, { now: () => 0 });
    const written = { sn: 'A', parameter: '157', value: '20', lookAt: 120_000 };
    log.expect(written);
    log.expect({ ...written, value: '30', lookAt: 130_000 });
    expect(log.due(125_000)).toEqual([]);
    expect(openWriteLog(file, { now: () => 0 }).due(130_000)).toEqual([
      { ...written, value: '30', lookAt: 130_000 },
    ]);
  });

  test('a look is due until it is forgotten, whatever is started anew', () => {
    const file = folder();
    const written = { sn: 'A', parameter: '157', value: '20', lookAt: 120_000 };
    openWriteLog(file, { now: () => 0 }).expect(written);
    expect(openWriteLog(file, { now: () => 0 }).due(120_000)).toEqual([written]);
    const log = openWriteLog(file, { now: () => 0 });
    const [due] = log.due(120_000);
    // What is written while it is looked at is looked at as well.
    log.expect({ ...written, value: '30' });
    log.forget(due!);
    expect(log.due(120_000)).toEqual([{ ...written, value: '30' }]);
    log.forget(log.due(120_000)[0]!);
    expect(openWriteLog(file, { now: () => 0 }).due(120_000)).toEqual([]);
  });
});

test('alarms are reported when they begin and when they end', () => {
  const book = createAlarmBook(['old']);
  const alarm = { code: '1015', level: 2 as const, message: 'no grid' };
  expect(book.update('A', [alarm], 5)).toEqual([
    { sn: 'A', ...alarm, at: 5 },
    { sn: 'A', code: 'old', at: 5, cleared: true },
  ]);
  expect(book.update('A', [alarm], 6)).toEqual([]);
  expect(book.update('A', [], 7)).toEqual([{ sn: 'A', code: '1015', at: 7, cleared: true }]);
});

describe('the balance', () => {
  const fits = { dcPowerW: 4300, gridPowerW: -700, batteryPowerW: 2000, loadPowerW: 2900 };

  test('fits, within what inverters lose', () => {
    expect(wrongSign(fits)).toBeNull();
    expect(wrongSign({ ...fits, loadPowerW: 2600 })).toBeNull();
  });

  test.each([
    ['gridPowerW', { ...fits, gridPowerW: 700 }],
    ['batteryPowerW', { ...fits, batteryPowerW: -2000 }],
  ] as const)('names %s if that would fit the other way round', (name, values) => {
    expect(wrongSign(values)).toBe(name);
  });

  test.each([
    [
      'both signs would do',
      { dcPowerW: 3000, gridPowerW: 1000, batteryPowerW: 1000, loadPowerW: 3000 },
    ],
    ['no sign helps', { ...fits, loadPowerW: 9000 }],
    ['the flow is too small to tell', { dcPowerW: 800, gridPowerW: 300, loadPowerW: 1100 }],
    ['no load is measured', { dcPowerW: 800, gridPowerW: 3000 }],
  ])('says nothing where %s', (_, values) => {
    expect(wrongSign(values)).toBeUndefined();
  });

  test('is judged by the means of ten minutes, and the alarm ends when they fit', () => {
    const balance = createBalance();
    let at = 0;
    const tenMinutes = (gridPowerW: number): string | undefined => {
      for (let i = 0; i <= 60; i++) balance.add({ ...fits, gridPowerW }, (at += 10_000));
      return balance.alarm?.code;
    };
    balance.add({ ...fits, gridPowerW: 700 }, at);
    expect(balance.alarm).toBeUndefined();
    expect(tenMinutes(700)).toBe('sign-gridPowerW');
    tenMinutes(-700);
    expect(tenMinutes(-700)).toBeUndefined();
  });
});

describe('the clock of a device', () => {
  const now = new Date(2026, 10, 28, 12, 0, 0).getTime();
  const identity = { profile: { registers: { clock: '56' } } } as never;
  const look = async (
    shown: string,
    options: { zone?: string; sets?: number; isReadOnly?: boolean } = {},
  ) => {
    const { zone = 'Europe/Berlin', sets = 0, isReadOnly = false } = options;
    const log = openWriteLog(join(mkdtempSync(join(tmpdir(), 'helioport-clock-')), 'w.json'), {
      now: () => now,
    });
    for (let i = 0; i < sets; i++) log.countClock('A');
    const written: unknown[] = [];
    const alarm = await clockAlarm(
      { identity },
      {
        read: async () => ({ value: shown }),
        write: async ({ value }) => void written.push(value),
      },
      { now, zone, ...(!isReadOnly && { beforeSetting: () => log.countClock('A') }) },
    );
    return { written, message: alarm?.message };
  };

  test('is left alone within a minute, and set beyond it, also if it shows no time at all', async () => {
    expect(await look('2026-11-28 12:00:40')).toEqual({ written: [] });
    for (const shown of ['2026-11-28 11:55:00', '2026-11-28 13:00:00', 'unknown: 0 0 0 0 0 0'])
      expect(await look(shown)).toEqual({ written: ['2026-11-28 12:00:00'] });
  });

  test('is an alarm where it may not be set, or has been set four times within a day', async () => {
    expect(await look('2026-11-28 11:55:00', { isReadOnly: true })).toEqual({
      written: [],
      message: "the device's clock is 300 s behind",
    });
    const worn = await look('2026-11-28 11:55:00', { sets: 4 });
    expect(worn.written).toEqual([]);
    expect(worn.message).toContain('has been set 4 times within a day');
  });

  test('is not set to UTC by a machine without a zone of its own', async () => {
    const zones = await look('2026-11-28 14:00:00', { zone: 'UTC' });
    expect(zones.written).toEqual([]);
    expect(zones.message).toContain('set its time zone');
    expect((await look('2026-11-28 12:05:00', { zone: 'UTC' })).written).toHaveLength(1);
  });
});
