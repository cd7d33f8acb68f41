import { createCollector, openLink } from '@helioport/collector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import {
  createSqliteDatabase,
  describeSeriesEngines,
  type TestDatabase,
} from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { createWorld, settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';

const DAY = Date.parse('2026-06-10T00:00:00Z');
const MINUTE = 60_000;
const REASON = 'the device already has 20 readings on that day, which are the most that are stored';

describeSeriesEngines('a day of a device that is full', (database, seriesOf) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock, seriesOf);
  const ingestOf = () =>
    createIngest({ db: database().db, clock, series: seriesOf(database().db), dayReadings: 20 });
  const readings = (sn: string, minutes: readonly number[], powerW = 100) =>
    minutes.map((minute) => ({ sn, at: DAY + minute * MINUTE, values: { acPowerW: powerW } }));
  const minutesFrom = (from: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => from + i);
  const send = (to: Installation, minutes: readonly number[], powerW?: number) =>
    ingestOf()({ collectorId: to.collectorId }, readings(to.sn, minutes, powerW));
  const stored = async (to: Installation): Promise<number> =>
    (await seriesOf(database().db).range(database().db, to.series, 0, 2 * DAY)).length;

  test('takes no more readings, each of which is refused, and the next day does', async () => {
    const device = await world.install();
    const answer = await send(device, [...minutesFrom(0, 25), 1440, 1441]);
    expect(answer).toEqual({
      accepted: 22,
      duplicate: 0,
      refused: minutesFrom(20, 5).map((index) => ({ index, reason: REASON })),
    });
    // The day that was appended to, in a report of its own.
    expect(await send(device, minutesFrom(1442, 19))).toMatchObject({
      accepted: 18,
      refused: [{ index: 18, reason: REASON }],
    });
    expect(await send(device, [1500])).toEqual({
      accepted: 0,
      duplicate: 0,
      refused: [{ index: 0, reason: REASON }],
    });
    expect(await stored(device)).toBe(40);
  });

  test('still takes what was sent before, and other values at the same times', async () => {
    const device = await world.install();
    await send(device, minutesFrom(0, 20));
    await send(device, [1440]);
    expect(await send(device, minutesFrom(15, 10))).toEqual({
      accepted: 0,
      duplicate: 5,
      refused: minutesFrom(5, 5).map((index) => ({ index, reason: REASON })),
    });
    expect(await send(device, minutesFrom(0, 20), 200)).toMatchObject({
      accepted: 20,
      refused: [],
    });
    expect(await stored(device)).toBe(21);
  });

  test('takes no late ones: between others, before them, of several days, in any order', async () => {
    const device = await world.install();
    await send(
      device,
      minutesFrom(0, 18).map((one) => 10 * one),
    );
    await send(device, [4 * 1440]);
    expect(await send(device, [35, 45, 55])).toMatchObject({
      accepted: 2,
      refused: [{ index: 2, reason: REASON }],
    });
    // Late days that are far apart are read in another way.
    expect(await send(device, [1440 + 5, 65, 3 * 1440, 1440 + 5])).toMatchObject({
      accepted: 2,
      duplicate: 1,
      refused: [{ index: 1, reason: REASON }],
    });
    expect(await send(device, minutesFrom(3 * 1440, 30).toReversed())).toMatchObject({
      accepted: 19,
      duplicate: 1,
    });
    expect(await stored(device)).toBe(42);
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  test('is not overrun by reports at once', async () => {
    const device = await world.install();
    const ingests = [ingestOf(), ingestOf()];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        ingests[i % 2]!(
          { collectorId: device.collectorId },
          readings(device.sn, minutesFrom(i * 7, 4)),
        ),
      ),
    );
    const sum = (of: (one: (typeof answers)[number]) => number): number =>
      answers.reduce((all, one) => all + of(one), 0);
    expect([sum((one) => one.accepted), sum((one) => one.refused.length)]).toEqual([20, 44]);
    expect(await stored(device)).toBe(20);
  });
});

describe('a server', () => {
  let database: TestDatabase;
  let app: RunningApp;
  const world = createWorld(() => database, {
    at: systemClock.now(),
    now: () => systemClock.now(),
  });
  beforeAll(async () => {
    database = await createSqliteDatabase();
    app = await startApp(database, { HELIOPORT_DEVICE_DAY_READINGS: '2880' });
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  /** A device whose day has room for 5 readings more, its collector, and the times from its first free one on. */
  async function almostFull() {
    const { id: ownerId } = await world.person();
    const plantId = await world.plant(ownerId);
    const { id, sn } = await world.device(plantId);
    const collector = await world.write((trx) =>
      addCollector(trx, world.act(), { sn: world.uniqueSn('COL'), plantId }),
    );
    await world.write((trx) => assignCollector(trx, id, collector.id));
    const dayAt = Date.parse('2026-06-10T00:00:00Z');
    const readings = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({
        sn,
        at: dayAt + (from + i) * 1_000,
        values: { acPowerW: 5 },
      }));
    const post = async (body: string, type = 'application/json') =>
      (
        await fetch(`${app.addresses.gateway}/v1/readings`, {
          method: 'POST',
          headers: { 'content-type': type, authorization: `Bearer ${collector.token}` },
          body,
        })
      ).json() as Promise<{ accepted: number; refused: { index: number }[] }>;
    await post(JSON.stringify({ readings: readings(0, 2875) }));
    return { readings, post, collector };
  }
  const refusedFrom5 = {
    accepted: 5,
    refused: [5, 6].map((index) => ({ index, reason: expect.stringContaining('2880 readings') })),
  };

  test.each(['JSON', 'NDJSON'])('bounds what a day of a device takes as %s', async (format) => {
    const { readings, post } = await almostFull();
    const more = readings(5_000, 7);
    expect(
      format === 'JSON'
        ? await post(JSON.stringify({ readings: more }))
        : await post(more.map((one) => JSON.stringify(one)).join('\n'), 'application/x-ndjson'),
    ).toMatchObject(refusedFrom5);
  });

  test.each(['gateway', 'mqtt'] as const)(
    'bounds it at the %s, and collectors go on with what follows',
    async (part) => {
      const { readings, collector } = await almostFull();
      const heard: { accepted: number; refused: readonly unknown[] }[] = [];
      const one = createCollector({
        link: openLink({
          url: app.addresses[part]!,
          collectorId: collector.id,
          tokenId: collector.tokenId,
          token: collector.token,
        }),
        onDelivered: (outcome) => void heard.push(outcome),
      });
      one.report({ readings: readings(5_000, 7) });
      one.report({ readings: readings(86_400, 1) });
      await one.whenDelivered();
      await one.close();
      expect(heard.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(6);
      expect(heard.reduce((sum, { refused }) => sum + refused.length, 0)).toBe(2);
    },
  );
});
