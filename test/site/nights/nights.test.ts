import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listenToSticks } from '../../../packages/collector/src/solarman/stick-listener.ts';
import { createV5Parser } from '../../../packages/collector/src/solarman/v5-frame.ts';
import type { Report } from '../../../packages/collector/src/report.ts';
import { high } from '../../devices/registers/image.ts';
import { deviceTypes, makeDevice } from '../../families/devices.ts';
import { createFleet } from '../../operations/fleet.ts';
import { createSqliteDatabase, type TestDatabase } from '../../support/engines.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { stickData } from '../stick-data.ts';
import { collectDays, type WordsAt } from './sim-device.ts';

const ZONE = 'Europe/Berlin';
/** Midnight of a day of June in Berlin. */
const midnight = (day: number): number =>
  Date.parse(`2026-06-${String(day).padStart(2, '0')}T00:00:00+02:00`);
const HOUR = 3_600_000;
const MINUTE = 60_000;
const [SUNRISE, SUNSET] = [5.5 * HOUR, 20.5 * HOUR];
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

const dayOf = (at: number): number => Math.floor((at - midnight(1)) / (24 * HOUR)) + 1;
/** What the sun has yielded on a day so far, kWh; each day another 3 kWh more. */
function yieldOf(day: number, ofDayMs: number): number {
  const share = Math.min(1, Math.max(0, (ofDayMs - SUNRISE) / (SUNSET - SUNRISE)));
  return ((20 + 3 * day) * (1 - Math.cos(Math.PI * share))) / 2;
}
const todayAt = (at: number): number => yieldOf(dayOf(at), at - midnight(dayOf(at)));
const totalAt = (at: number): number => {
  let total = 4321;
  for (let day = 1; day < dayOf(at); day++) total += 20 + 3 * day;
  return total + todayAt(at);
};
const powerAt = (at: number): number => Math.round((todayAt(at + MINUTE) - todayAt(at)) * 60_000);

const put = (
  tables: Record<number, Record<number, number[]>>,
  fn: number,
  at: number,
  words: number[],
): void => {
  for (const [first, run] of Object.entries(tables[fn]!))
    for (const [i, word] of words.entries()) {
      const place = at + i - Number(first);
      if (place >= 0 && place < run.length) run[place] = word;
    }
};

/** Dark at night; zeros and sentinels for a while after it has woken up; keeps yesterday until minutes later. */
function stringInverter(): WordsAt {
  const type = deviceTypes.find(({ family, phases }) => family === 'solis-string' && phases === 1)!;
  const { registers } = makeDevice(type, 1, 1);
  return (at) => {
    const ofDay = at - midnight(dayOf(at));
    if (ofDay < SUNRISE - 10 * MINUTE || ofDay > SUNSET + 5 * MINUTE) return undefined;
    const tables = structuredClone(registers);
    const awake = ofDay - (SUNRISE - 10 * MINUTE);
    const knows = awake > 50_000;
    const before = dayOf(at) === 1 ? 0 : 20 + 3 * (dayOf(at) - 1);
    const today = awake < 7 * MINUTE ? before : todayAt(at);
    put(tables, 4, 3004, high(powerAt(at)));
    put(tables, 4, 3006, high(powerAt(at)));
    put(tables, 4, 3008, high(knows ? Math.floor(totalAt(at)) : 0));
    put(tables, 4, 3014, [knows ? Math.floor(today * 10) : 0xffff]);
    put(tables, 4, 3033, [0, 0, knows ? 2312 : 0xffff]);
    return tables;
  };
}

const IMPORT_W = 300;
/** Readings of one message. */
const BATCH = 40;
/** Never dark: buys all the time, and begins its counters of today anew at 00:07. */
function storageInverter(): WordsAt {
  const type = deviceTypes.find(({ family }) => family === 'solis-storage')!;
  const { registers } = makeDevice(type, 2, 1);
  return (at) => {
    const tables = structuredClone(registers);
    const late = at - 7 * MINUTE;
    put(tables, 4, 33_029, high(Math.floor(totalAt(at))));
    put(tables, 4, 33_035, [Math.floor(todayAt(late) * 10)]);
    put(tables, 4, 33_057, high(powerAt(at)));
    put(tables, 4, 33_079, high(powerAt(at)));
    put(tables, 4, 33_130, high(-IMPORT_W));
    const imported = ((at - midnight(1)) / HOUR) * (IMPORT_W / 1000);
    const importedToday = ((late - midnight(dayOf(late))) / HOUR) * (IMPORT_W / 1000);
    put(tables, 4, 33_169, high(Math.floor(500 + imported)));
    put(tables, 4, 33_171, [Math.floor(importedToday * 10)]);
    put(tables, 4, 33_283, high(Math.floor((500 + imported) * 100)));
    return tables;
  };
}

describe('the kilowatt-hours of each day', () => {
  const clock = settableClock(midnight(1) + 12 * HOUR);
  let database: TestDatabase;
  const fleet = createFleet(() => database, clock);
  beforeAll(async () => {
    database = await createSqliteDatabase();
  });
  afterAll(() => database.drop());

  async function inverter(): Promise<{
    sn: string;
    report(reports: readonly Report[]): Promise<void>;
    days(name: string): Promise<number[]>;
  }> {
    const { id: owner } = await fleet.person();
    const plantId = await fleet.plant(owner, { timeZone: ZONE, capacityKwp: 10 });
    const { sn } = await fleet.device(plantId, { kind: 'inverter' });
    return {
      sn,
      async report(reports) {
        const all = reports.flatMap(({ readings = [] }) => readings);
        for (let from = 0; from < all.length; from += BATCH)
          await fleet.report(
            sn,
            all.slice(from, from + BATCH).map(({ at, values }) => [at, values as never]),
          );
      },
      async days(name) {
        await fleet.runWork();
        const rows = (await fleet.wire('inverterMonth', userCaller(owner), {
          sn,
          month: '2026-06',
          money: 'EUR',
        })) as Record<string, unknown>[];
        return rows.map((row) => Number(row[name]));
      },
    };
  }

  test('of an inverter that is dark at night, and shows zeros, sentinels and yesterday when it wakes', async () => {
    clock.at = midnight(1) + SUNRISE - 30 * MINUTE;
    const one = await inverter();
    const { reports } = await collectDays(clock, midnight(4) + 12 * HOUR, stringInverter(), {
      pollMs: 30_000,
      reportMs: 3 * MINUTE,
    });
    await one.report(reports);
    const found = await one.days('produceEnergy');
    const wanted = [23, 26, 29, todayAt(clock.now())];
    // Its total counts whole kilowatt-hours.
    for (const [i, kwh] of wanted.entries())
      expect(Math.abs(found[i]! - kwh), `day ${i + 1}`).toBeLessThan(1.05);
    expect(found).toHaveLength(4);
  });

  test('of an inverter that begins its counters of today anew at 00:07', async () => {
    clock.at = midnight(1);
    const one = await inverter();
    const { reports } = await collectDays(clock, midnight(4), storageInverter());
    await one.report(reports);
    const bought = await one.days('gridPurchasedEnergy');
    for (const day of [1, 2, 3])
      expect(Math.abs(bought[day - 1]! - 7.2), `day ${day}`).toBeLessThan(0.06);
    const produced = await one.days('produceEnergy');
    for (const day of [1, 2, 3])
      expect(Math.abs(produced[day - 1]! - (20 + 3 * day)), `day ${day}`).toBeLessThan(1.05);
  });

  test('of an inverter whose stick had no server for a day and a half, and delivers newest first', async () => {
    clock.at = midnight(1) + SUNRISE;
    const one = await inverter();
    const frameOf = (at: number, isKept: boolean): Buffer =>
      stickData({
        serial: 2_700_000_001,
        sn: 'PUSHED0001',
        at,
        isKept,
        powerW: powerAt(at),
        todayKwh: todayAt(at),
        totalKwh: totalAt(at),
      });
    const taken: Report[] = [];
    const listener = await listenToSticks({
      host: '127.0.0.1',
      port: 0,
      clock,
      sticks: [],
      onReading: (_, { at, values }) => void taken.push({ readings: [{ sn: one.sn, at, values }] }),
    });
    ended.push(() => listener.close());
    const socket = connect(listener.port, '127.0.0.1');
    await once(socket, 'connect');
    ended.push(() => socket.destroy());
    const parser = createV5Parser();
    let answered = 0;
    socket.on('data', (bytes: Buffer) => (answered += parser.take(bytes).length));
    const push = async (times: readonly number[], isKept: boolean): Promise<void> => {
      const before = answered;
      for (const at of times) socket.write(frameOf(at, isKept));
      await expect.poll(() => answered).toBe(before + times.length);
      await one.report(taken.splice(0));
    };
    const every = (from: number, to: number): number[] =>
      Array.from(
        { length: Math.floor((to - from) / (5 * MINUTE)) },
        (_, i) => from + i * 5 * MINUTE,
      );
    const lit = every(midnight(1) + SUNRISE, midnight(3) + 10 * HOUR).filter((at) => {
      const ofDay = at - midnight(dayOf(at));
      return ofDay >= SUNRISE && ofDay <= SUNSET + 10 * MINUTE;
    });
    const lostAt = midnight(1) + 14 * HOUR;
    const backAt = midnight(3) + 8 * HOUR;
    await push(
      lit.filter((at) => at < lostAt),
      false,
    );
    clock.at = backAt;
    await push(
      lit.filter((at) => at === backAt),
      false,
    );
    await push(lit.filter((at) => at >= lostAt && at < backAt).toReversed(), true);
    clock.at = midnight(3) + 10 * HOUR;
    await push(
      lit.filter((at) => at > backAt),
      false,
    );
    const found = await one.days('produceEnergy');
    const wanted = [23, 26, todayAt(lit.at(-1)!)];
    for (const [i, kwh] of wanted.entries())
      expect(Math.abs(found[i]! - kwh), `day ${i + 1}`).toBeLessThan(0.25);
  });
});
