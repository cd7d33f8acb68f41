import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { mendAll } from '../../packages/server/src/measurements/ingest/mend.ts';
import { recalculateWaiting } from '../../packages/server/src/measurements/ingest/recalculation/recalculate.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { requestRecalculation } from '../../packages/server/src/fleet/plants/tariffs/recalculation.ts';
import { proving } from '../support/effort.ts';
import { describeSeriesEngines } from '../support/engines.ts';
import {
  Failed,
  failingAt,
  failingBefore,
  stepwiseCommits,
  stepwiseSeries,
  type Step,
} from '../support/step-by-step.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import {
  createStories,
  HOUR,
  MINUTE,
  NOW,
  type Hands,
  type Reading,
  type Chapter,
} from './stories.ts';

/** The stories of a brief run on the slowest engine. */
const BRIEF = new Set(['midnight, at the end of a month', 'late readings', 'a corrected value']);

describeSeriesEngines('what fails in the middle', (database, seriesOf, engine) => {
  const clock = settableClock(NOW);
  const world = createReportingWorld(database, clock, seriesOf);
  const { stories, tell, start, hourly, expectConsistent, expectRight } = createStories(
    world,
    database,
  );

  /** Each step fails in turn; of slower engines not every one in a brief run. */
  const isBrief = engine.startsWith('Cassandra') && !proving;
  const stride = isBrief ? 4 : engine.endsWith('PostgreSQL') && !proving ? 2 : 1;
  const tried = Object.entries(stories).filter(([name]) => !isBrief || BRIEF.has(name));

  /** Everything that goes in, over an engine and a database that take their steps one by one. */
  function handsWith(step: Step): Hands {
    const db = stepwiseCommits(database().db, step);
    const series = stepwiseSeries(seriesOf(database().db), step, engine.endsWith('PostgreSQL'));
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

  test.each(tried)(
    '%s: whatever step failed, the same once more leaves everything right',
    { timeout: 240_000 },
    async (_, story) => {
      const failed = new Set<string>();
      for (let n = 0; ; n += stride) {
        const chapter = await tell(story);
        const whole = handsWith(() => {});
        await story.begin(chapter, whole);
        const failing = failingAt(n);
        const outcome = await story
          .act(chapter, handsWith(failing.step))
          .catch((error: unknown) => error);
        if (failing.failed === undefined) {
          expect(outcome).toBeUndefined();
          break;
        }
        expect(outcome).toBeInstanceOf(Failed);
        failed.add(failing.failed);
        // Some are looked at before they are repeated, some meet a start: nothing half-written may be shown meanwhile.
        if (n % 3 === 1) await expectConsistent(chapter);
        if (n % 3 === 2) await expectMended(chapter);
        await story.act(chapter, whole);
        await expectRight(chapter);
      }
      // A step failed before anything was written, one between, and one when all was.
      expect(failed.size).toBeGreaterThanOrEqual(2);
    },
  );

  /** A start makes anew what is marked, even if nobody ever repeats it. */
  async function expectMended(chapter: Chapter): Promise<void> {
    const { binding } = chapter.device;
    const { db } = database();
    const { series } = world.parts();
    await mendAll(db, series);
    expect(await series.marks()).toEqual([]);
    await expectConsistent(chapter);
    // What was asked for is not done yet, so that another calculation would differ.
    const asked = await db
      .selectFrom('recalculation')
      .select('binding')
      .where('binding', '=', binding)
      .execute();
    if (asked.length === 0)
      expect(await world.rollups(binding)).toEqual(await world.recalculated(binding));
  }

  // A kilowatt from hour to hour; the month is June, of which the first day is in the story.
  const hours = (...each: number[]): Reading[] =>
    each.map((hour) => ({
      at: Date.parse('2026-06-01T00:00:00Z') + hour * HOUR,
      values: { acPowerW: 1000 },
    }));
  const from = (first: number, last: number): number[] =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i);
  test.each([
    ['after the samples of an append', from(0, 10), from(11, 21), 'day', 21],
    ['after the closed day, across midnight', from(0, 20), from(21, 30), 'day 20260602', 30],
    ['after the days, before their month', from(0, 20), from(21, 30), 'month', 30],
    ['after a late sample', [...from(0, 10), ...from(13, 20)], [11, 12], 'day', 20],
  ])(
    'a put that failed %s: once more, and the month is right',
    async (_, before, after, failedStep, rightKwh) => {
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
      expect(latest.energiesToDate(latest.day).production).toMatchObject({
        monthKwh: month!.energies.production!.energyKwh,
      });
      expect(latest.energiesToDate(latest.day).production!.totalKwh).toBeCloseTo(rightKwh, 9);
    },
  );

  if (isBrief) return;

  /** A device that went from one plant to another of the same owner, with readings in both; `later` is its binding to the second. */
  async function movedDevice(): Promise<{ device: Installation; later: number }> {
    clock.at = NOW;
    const device = await world.install();
    const { db } = database();
    const { ownerId } = await db
      .selectFrom('plant')
      .select('ownerId')
      .where('id', '=', device.plantId)
      .executeTakeFirstOrThrow();
    const nextPlantId = await world.plant(ownerId);
    await world.report(device, hourly(start, start + 23 * HOUR));
    clock.at = start + 23 * HOUR;
    await world.write(async (trx) => {
      await endBinding(trx, world.act(), device.deviceId, device.plantId);
      await bindDevice(trx, world.act(), device.deviceId, nextPlantId);
    });
    clock.at = start + 30 * HOUR;
    expect(
      (await world.report(device, hourly(start + 23 * HOUR, start + 25 * HOUR))).accepted,
    ).toBe(2);
    const bindings = await db
      .selectFrom('binding')
      .select('no')
      .where('deviceId', '=', device.deviceId)
      .orderBy('fromAt')
      .execute();
    return { device, later: bindings[1]!.no };
  }

  // Late ones of the time in the first plant, which move what the second goes on from.
  const late: Reading[] = [
    { at: start + 22 * HOUR + 45 * MINUTE, values: { loadTotalKwh: 527.4 } },
    { at: start + 3 * HOUR + 15 * MINUTE, values: { acPowerW: 3000 } },
  ];
  const fresh = hourly(start + 25 * HOUR, start + 27 * HOUR);

  test.each([
    ['of both plants', [...late, ...fresh]],
    ['of the first plant', late],
  ])(
    'a device that moved, readings %s: whatever step failed, both plants have theirs',
    { timeout: 240_000 },
    async (_, batch) => {
      for (let n = 0; ; n += stride) {
        const { device, later } = await movedDevice();
        /** Both before either is made anew, which also makes anew what follows from it. */
        const expectBothRight = async (): Promise<void> => {
          const rollups = [await world.rollups(device.binding), await world.rollups(later)];
          expect([n, rollups]).toEqual([
            n,
            [await world.recalculated(device.binding), await world.recalculated(later)],
          ]);
        };
        const failing = failingAt(n);
        const outcome = await handsWith(failing.step)
          .report(device, batch)
          .catch((error: unknown) => error);
        if (failing.failed !== undefined) {
          expect(outcome).toBeInstanceOf(Failed);
          if (n % 3 === 1) await world.parts().telemetry.latestOf(database().db, [later]);
          if (n % 3 === 2) {
            // What is new in the second plant goes on from what was left of the first one.
            await world.report(device, hourly(start + 28 * HOUR, start + 29 * HOUR));
            await expectBothRight();
          }
          await world.report(device, batch);
        }
        await world.report(device, fresh);
        await expectBothRight();
        const days = await world
          .parts()
          .telemetry.daysOf(database().db, [device.binding, later], 0, 99_999_999);
        const grown = days.reduce((sum, { energies }) => sum + (energies.load?.energyKwh ?? 0), 0);
        expect(grown).toBeCloseTo((failing.failed !== undefined && n % 3 === 2 ? 28 : 26) * 1.2, 5);
        expect(await world.parts().series.marks([device.binding, later])).toEqual([]);
        if (failing.failed === undefined) break;
      }
    },
  );

  test('a report that is stored beside one that fails is answered as if it were alone', async () => {
    const [one, other] = [await world.install(), await world.install()];
    const hands = handsWith((name) => {
      if (name === `sample ${start + HOUR}`) throw new Failed(name);
    });
    const [answer, failed] = await Promise.allSettled([
      hands.report(one, hourly(start, start + HOUR)),
      hands.report(other, hourly(start + HOUR, start + 2 * HOUR)),
    ]);
    expect([answer, failed.status]).toEqual([
      { status: 'fulfilled', value: { accepted: 1, duplicate: 0, refused: [] } },
      'rejected',
    ]);
  });

  test('a recalculation makes anew first what was left half-written, whatever it was asked for', async () => {
    const chapter = await tell(stories['late readings']!);
    const { act, begin } = stories['late readings']!;
    await begin(
      chapter,
      handsWith(() => {}),
    );
    await expect(act(chapter, handsWith(failingBefore('month').step))).rejects.toThrow(Failed);
    await world.write((trx) => requestRecalculation(trx, chapter.device.plantId, NOW, clock.at));
    await world.runWork();
    expect(await world.parts().series.marks([chapter.device.binding])).toEqual([]);
    if (!world.parts().series.sharesTransaction) await expectRight(chapter);
  });
});
