import { expect, test } from 'vitest';
import { createIngest, type IngestAnswer } from '../../packages/server/src/ingest/ingest.ts';
import { recalculateWaiting } from '../../packages/server/src/ingest/recalculate.ts';
import { bindDevice, unbindDevice } from '../../packages/server/src/plants/bindings.ts';
import { setTariff } from '../../packages/server/src/plants/tariffs/prices.ts';
import { requestRecalculation } from '../../packages/server/src/plants/tariffs/recalculation.ts';
import { describeSeriesEngines } from '../support/engines.ts';
import { Failed, failingAt, failingBefore, stepwiseCommits, stepwiseSeries, type Step } from '../support/step-by-step.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { energyFromCounter, energyFromPower, localDate } from '../telemetry/naive-model.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Reading = { readonly at: number; readonly values: Record<string, number> };

/** A device with readings, as a story leaves it. */
interface Told {
  readonly device: Installation;
  readonly timeZone: string;
  /** What was reported and must be stored, by instant. */
  readonly known: Map<number, Record<string, number>>;
}

/** Sends readings until they are accepted, or asks for work until it is done: whoever does it, over what may fail. */
interface Hands {
  report(to: Installation, readings: readonly Reading[]): Promise<IngestAnswer>;
  recalculate(): Promise<unknown>;
}

/** What happens to a device; `begin` is not made to fail, `act` is and is then repeated, as a collector or a worker repeats it. */
interface Story {
  readonly timeZone?: string;
  readonly corrected?: string;
  begin(told: Told, hands: Hands): Promise<void>;
  act(told: Told, hands: Hands): Promise<void>;
}

describeSeriesEngines('what fails in the middle', (database, seriesOf) => {
  const clock = settableClock('2026-08-01T00:00:00Z');
  const world = createReportingWorld(database, clock, seriesOf);
  const start = Date.parse('2026-05-30T00:00:00Z');

  /** A kilowatt by the power, 1.2 kW by a counter that the sun does not govern; every 30 minutes. */
  const reading = (at: number): Reading => ({ at, values: { acPowerW: 1000, loadTotalKwh: 500 + Math.round(((at - start) / HOUR) * 12) / 10 } });
  const every30 = (fromAt: number, toAt: number): Reading[] =>
    Array.from({ length: Math.round((toAt - fromAt) / (30 * MINUTE)) }, (_, i) => reading(fromAt + i * 30 * MINUTE));

  const learn = ({ known }: Told, readings: readonly Reading[]): void => {
    for (const { at, values } of readings) known.set(at, { ...known.get(at), ...values });
  };
  const send = async (told: Told, hands: Hands, readings: readonly Reading[]): Promise<void> => {
    learn(told, readings);
    const answer = await hands.report(told.device, readings);
    expect(answer.refused).toEqual([]);
    expect(answer.accepted + answer.duplicate).toBe(readings.length);
  };

  const stories: Record<string, Story> = {
    append: {
      begin: (told, hands) => send(told, hands, every30(start, start + 3 * HOUR)),
      act: (told, hands) => send(told, hands, every30(start + 3 * HOUR, start + 5 * HOUR)),
    },
    'the very first report': {
      begin: async () => {},
      act: (told, hands) => send(told, hands, every30(start + 22 * HOUR, start + 26 * HOUR)),
    },
    'midnight, at the end of a month': {
      begin: (told, hands) => send(told, hands, every30(start, start + DAY + 22 * HOUR)),
      act: (told, hands) => send(told, hands, every30(start + DAY + 23 * HOUR, start + 2 * DAY + HOUR)),
    },
    'days without readings': {
      begin: (told, hands) => send(told, hands, every30(start, start + 12 * HOUR)),
      act: (told, hands) => send(told, hands, every30(start + 4 * DAY, start + 4 * DAY + HOUR)),
    },
    'late readings': {
      begin: (told, hands) => send(told, hands, [...every30(start, start + 10 * HOUR), ...every30(start + 3 * DAY, start + 3 * DAY + 2 * HOUR)]),
      act: (told, hands) => send(told, hands, every30(start + DAY + 10 * HOUR, start + DAY + 12 * HOUR)),
    },
    'readings of before everything': {
      timeZone: 'Asia/Kathmandu',
      begin: (told, hands) => send(told, hands, every30(start + 2 * DAY, start + 3 * DAY + HOUR)),
      act: (told, hands) => send(told, hands, every30(start + 22 * HOUR, start + 25 * HOUR)),
    },
    'a corrected value': {
      begin: (told, hands) => send(told, hands, every30(start, start + 2 * DAY)),
      act: (told, hands) =>
        send(told, hands, [
          { at: start + 12 * HOUR, values: { acPowerW: 4000 } },
          { at: start + 23 * HOUR + 30 * MINUTE, values: { acPowerW: 3000, temperatureC: 20 } },
        ]),
    },
    'late readings of several days at once': {
      begin: (told, hands) => send(told, hands, [...every30(start, start + 2 * HOUR), ...every30(start + 34 * DAY, start + 34 * DAY + HOUR)]),
      act: (told, hands) => send(told, hands, [...every30(start + DAY, start + DAY + HOUR), ...every30(start + 33 * DAY, start + 33 * DAY + HOUR)]),
    },
    'a device that was taken away': {
      async begin(told, hands) {
        await send(told, hands, every30(start, start + 30 * HOUR));
        clock.at = start + 31 * HOUR;
        await world.write((trx) => unbindDevice(trx, world.act(), told.device.deviceId, told.device.plantId));
      },
      act: (told, hands) => send(told, hands, every30(start + 28 * HOUR, start + 31 * HOUR)),
    },
    'a price that changed': {
      async begin(told, hands) {
        await send(told, hands, every30(start, start + 3 * DAY));
        await world.write((trx) => setTariff(trx, world.act(), told.device.plantId, 'production', { fromAt: start + DAY, pricePerKwh: 0.25 }));
      },
      act: async (_, hands) => void (await hands.recalculate()),
    },
    'a zone put right for the past': {
      timeZone: 'Pacific/Kiritimati',
      corrected: 'Pacific/Honolulu',
      async begin(told, hands) {
        await send(told, hands, [...every30(start + 8 * HOUR, start + 12 * HOUR), ...every30(start + DAY + 9 * HOUR, start + DAY + 11 * HOUR)]);
        const { plantId } = told.device;
        const { db } = database();
        for (const table of ['plantZone', 'plant'] as const)
          await db
            .updateTable(table)
            .set({ timeZone: 'Pacific/Honolulu' })
            .where(table === 'plant' ? 'id' : 'plantId', '=', plantId)
            .execute();
        await world.write((trx) => requestRecalculation(trx, plantId, 0, clock.at));
      },
      act: async (_, hands) => void (await hands.recalculate()),
    },
  };

  /** Everything that goes in, over an engine and a database that take their steps one by one. */
  function handsWith(step: Step): Hands {
    const db = stepwiseCommits(database().db, step);
    const series = stepwiseSeries(seriesOf(database().db), step);
    const ingest = createIngest({ db, clock, series });
    return {
      report: ({ collectorId, sn }, readings) =>
        ingest(
          { collectorId },
          readings.map((each) => ({ sn, ...each })),
        ),
      recalculate: () => recalculateWaiting(db, series, () => {}),
    };
  }

  test.each(Object.entries(stories))('%s: whatever step failed, the same once more leaves everything right', { timeout: 240_000 }, async (_, story) => {
    const failed = new Set<string>();
    for (let n = 0; ; n++) {
      clock.at = Date.parse('2026-08-01T00:00:00Z');
      const told: Told = {
        device: await world.install({ timeZone: story.timeZone ?? 'UTC' }),
        timeZone: story.corrected ?? story.timeZone ?? 'UTC',
        known: new Map(),
      };
      const whole = handsWith(() => {});
      await story.begin(told, whole);
      const failing = failingAt(n);
      const outcome = await story.act(told, handsWith(failing.step)).catch((error: unknown) => error);
      if (failing.failed === undefined) {
        expect(outcome).toBeUndefined();
        break;
      }
      expect(outcome).toBeInstanceOf(Failed);
      failed.add(failing.failed);
      // Every other one is looked at before it is repeated: what was acknowledged earlier must not be told wrong meanwhile.
      if (n % 2 === 1) await expectConsistent(told);
      await story.act(told, whole);
      await expectRight(told);
    }
    // A step failed before anything was written, one between, and one when all was.
    expect(failed.size).toBeGreaterThanOrEqual(2);
  });

  /** Whoever reads meanwhile sees months and totals that are the sums of their days. */
  async function expectConsistent({ device: { binding } }: Told): Promise<void> {
    const { telemetry } = world.parts();
    const { db } = database();
    const latest = (await telemetry.latestOf(db, [binding])).get(binding);
    const days = await telemetry.daysOf(db, [binding], 0, 99_999_999);
    const months = await telemetry.monthsOf(db, [binding], 0, 999_999);
    const kwh = (rows: readonly { energies: { readonly [channel: string]: { energyKwh: number } | undefined } }[], channel: string): number =>
      rows.reduce((sum, { energies }) => sum + (energies[channel]?.energyKwh ?? 0), 0);
    expect(kwh(months, 'production')).toBeCloseTo(kwh(days, 'production'), 5);
    expect(kwh(months, 'load')).toBeCloseTo(kwh(days, 'load'), 5);
    expect(latest?.energiesToDate(latest.day).production?.totalKwh ?? 0).toBeCloseTo(kwh(days, 'production'), 5);
  }

  async function expectRight(told: Told): Promise<void> {
    const { device, known, timeZone } = told;
    const { telemetry, series } = world.parts();
    const { db } = database();
    const stored = await telemetry.readingsBetween(db, device.series, 0, Infinity);
    expect(stored).toEqual([...known].toSorted(([a], [b]) => a - b).map(([at, values]) => ({ at, values })));
    const days = await telemetry.daysOf(db, [device.binding], 0, 99_999_999);
    const read = days.filter(({ samples }) => samples > 0);
    const counts = new Map<number, number>();
    for (const { at } of stored) counts.set(localDate(timeZone, at), (counts.get(localDate(timeZone, at)) ?? 0) + 1);
    expect(read.map(({ day, samples }) => [day, samples])).toEqual([...counts]);
    const produced = energyFromPower(known, 'acPowerW', 1, timeZone);
    const consumed = energyFromCounter(known, 'loadTotalKwh', timeZone);
    for (const { day, energies } of days) {
      expect(energies.production?.energyKwh ?? 0).toBeCloseTo(produced.get(day) ?? 0, 5);
      expect(energies.load?.energyKwh ?? 0).toBeCloseTo(consumed.get(day)?.kwh ?? 0, 5);
    }
    await expectConsistent(told);
    expect(await series.marks([device.binding])).toEqual([]);
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  }

  // A kilowatt from hour to hour; the month is June, of which the first day is in the story.
  const hours = (...each: number[]): Reading[] => each.map((hour) => ({ at: Date.parse('2026-06-01T00:00:00Z') + hour * HOUR, values: { acPowerW: 1000 } }));
  const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);
  test.each([
    ['after the samples of an append', from(0, 10), from(11, 21), 'day', 21],
    ['after the closed day, across midnight', from(0, 20), from(21, 30), 'day 20260602', 30],
    ['after the days, before their month', from(0, 20), from(21, 30), 'month', 30],
    ['after a late sample', [...from(0, 10), ...from(13, 20)], [11, 12], 'day', 20],
  ])('a put that failed %s: once more, and the month is right', async (_, before, after, failedStep, rightKwh) => {
    const device = await world.install();
    await world.report(device, hours(...before));
    const failing = failingBefore(failedStep);
    await expect(handsWith(failing.step).report(device, hours(...after))).rejects.toThrow(Failed);
    const answer = await world.report(device, hours(...after));
    expect(answer.accepted + answer.duplicate).toBe(after.length);
    const { telemetry } = world.parts();
    const { db } = database();
    const [month] = await telemetry.monthsOf(db, [device.binding], 202606, 202606);
    const latest = (await telemetry.latestOf(db, [device.binding])).get(device.binding)!;
    expect(month!.energies.production!.energyKwh).toBeCloseTo(rightKwh, 9);
    expect(latest.energiesToDate(latest.day).production).toMatchObject({ monthKwh: month!.energies.production!.energyKwh });
    expect(latest.energiesToDate(latest.day).production!.totalKwh).toBeCloseTo(rightKwh, 9);
  });

  test('a device that moved: whatever step failed, both plants have theirs', { timeout: 240_000 }, async () => {
    for (let n = 0; ; n++) {
      clock.at = Date.parse('2026-08-01T00:00:00Z');
      const device = await world.install();
      const { ownerId } = await database().db.selectFrom('plant').select('ownerId').where('id', '=', device.plantId).executeTakeFirstOrThrow();
      const nextPlantId = await world.plant(ownerId);
      const whole = handsWith(() => {});
      await whole.report(device, every30(start, start + 23 * HOUR));
      clock.at = start + 23 * HOUR;
      await world.write(async (trx) => {
        await unbindDevice(trx, world.act(), device.deviceId, device.plantId);
        await bindDevice(trx, world.act(), device.deviceId, nextPlantId);
      });
      clock.at = start + 30 * HOUR;
      expect((await whole.report(device, every30(start + 23 * HOUR, start + 25 * HOUR))).accepted).toBe(4);
      const { no: later } = await database()
        .db.selectFrom('binding')
        .select('no')
        .where('deviceId', '=', device.deviceId)
        .where('plantId', '=', nextPlantId)
        .executeTakeFirstOrThrow();
      // Late ones of the time in the first plant, which move what the second goes on from, and new ones.
      const batch = [
        { at: start + 22 * HOUR + 45 * MINUTE, values: { loadTotalKwh: 527.4 } },
        { at: start + 3 * HOUR + 15 * MINUTE, values: { acPowerW: 3000 } },
        ...every30(start + 25 * HOUR, start + 27 * HOUR),
      ];
      const failing = failingAt(n);
      const outcome = await handsWith(failing.step)
        .report(device, batch)
        .catch((error: unknown) => error);
      if (failing.failed !== undefined) {
        expect(outcome).toBeInstanceOf(Failed);
        if (n % 2 === 1) await world.parts().telemetry.latestOf(database().db, [later]);
        await whole.report(device, batch);
      }
      // Both before either is made anew, which also makes anew what follows from it.
      const rollups = [await world.rollups(device.binding), await world.rollups(later)];
      expect([n, rollups]).toEqual([n, [await world.recalculated(device.binding), await world.recalculated(later)]]);
      const days = await world.parts().telemetry.daysOf(database().db, [device.binding, later], 0, 99_999_999);
      const grown = days.reduce((sum, { energies }) => sum + (energies.load?.energyKwh ?? 0), 0);
      expect(grown).toBeCloseTo(26.5 * 1.2, 5);
      expect(await world.parts().series.marks([device.binding, later])).toEqual([]);
      if (failing.failed === undefined) break;
    }
  });
});
