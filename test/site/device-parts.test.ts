import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAlarmBook } from '../../packages/collector/src/site/device/alarms.ts';
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
