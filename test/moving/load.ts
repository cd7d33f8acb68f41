import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import {
  createFollowingSeries,
  type FollowingSeries,
} from '../../packages/server/src/measurements/series/following.ts';
import { SeriesElsewhere, SeriesShut } from '../../packages/server/src/measurements/series/gate.ts';
import { MAIN_DATABASE } from '../../packages/server/src/measurements/series/home.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import type { Installation } from '../telemetry/installation.ts';
import { Failed, failingAt, stepwiseCommits, stepwiseSeries } from '../support/step-by-step.ts';
import { settableClock } from '../support/world.ts';

const MINUTE = 60_000;
const silent = { info: (): void => {}, error: (): void => {} };

/** A server of an installation whose series are in its main database, and whose settings name another engine too. */
export function followingOf(db: Db, other: Series): FollowingSeries {
  return createFollowingSeries({
    db,
    engines: [other, createSqlSeries(db, other.fieldLists)],
    where: MAIN_DATABASE,
    logger: silent,
  });
}

/** The same numbers for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Reported {
  readonly at: number;
  readonly values: Record<string, number>;
}

const named = ({ sn }: Installation, readings: readonly Reported[]) =>
  readings.map((reading) => ({ sn, ...reading }));

const isMoving = (error: unknown): boolean =>
  error instanceof SeriesShut || error instanceof SeriesElsewhere;

/** Devices that report through several servers: new readings, late ones and corrected ones, from a day to the next. */
export function createLoad(
  db: Db,
  servers: readonly FollowingSeries[],
  devices: readonly Installation[],
  seed: number,
) {
  const random = randomFrom(seed);
  const start = Date.parse('2026-06-29T08:00:00Z');
  const known = new Map(
    devices.map((device) => [device, new Map<number, Record<string, number>>()]),
  );
  const nextAt = new Map(devices.map((device) => [device, start]));
  const clock = settableClock('2028-01-01T12:00:00Z');
  const ingests = servers.map((series) => createIngest({ db, clock, series }));
  let [refused, counter] = [0, 0];

  /** When the next reading of a device was measured: mostly later than all, sometimes before, sometimes the same instant once more. */
  function instant(device: Installation): number {
    const stored = [...known.get(device)!.keys()];
    const choice = stored.length < 3 ? 0 : random(10);
    if (choice < 7) {
      // Some hours at a time, so that days and a month end.
      const at = nextAt.get(device)! + (1 + random(120)) * MINUTE;
      nextAt.set(device, at);
      return at;
    }
    return choice < 9
      ? stored[random(stored.length)]! - MINUTE / 2
      : stored[random(stored.length)]!;
  }

  /** Reports to a server that fails at one of its steps: some is written then, or even all. */
  async function failing(
    device: Installation,
    readings: readonly Reported[],
    engine: Series,
  ): Promise<void> {
    const { step } = failingAt(random(12));
    const ingest = createIngest({
      db: stepwiseCommits(db, step),
      clock,
      series: stepwiseSeries(engine, step),
    });
    await ingest({ collectorId: device.collectorId }, named(device, readings)).catch(
      (error: unknown) => {
        if (!(error instanceof Failed) && !isMoving(error)) throw error;
      },
    );
  }

  return {
    known,
    /** How often a server has refused a report for a moment. */
    refused: () => refused,
    /** Reports once, as a collector does: again and again until it is acknowledged. */
    async report(): Promise<void> {
      const device = devices[random(devices.length)]!;
      const readings: Reported[] = Array.from({ length: 1 + random(3) }, () => ({
        at: instant(device),
        values: { acPowerW: 500 + random(4000), energyTotalKwh: 1000 + (counter += 1) / 100 },
      }));
      const server = random(servers.length);
      if (random(4) === 0) await failing(device, readings, servers[server]!.inForce());
      for (;;) {
        try {
          const answer = await ingests[server]!(
            { collectorId: device.collectorId },
            named(device, readings),
          );
          expect([answer.refused, answer.accepted + answer.duplicate]).toEqual([
            [],
            readings.length,
          ]);
          break;
        } catch (error) {
          if (!isMoving(error)) throw error;
          refused += 1;
          await servers[server]!.look();
          await setImmediate();
        }
      }
      for (const { at, values } of readings) known.get(device)!.set(at, values);
    },
  };
}
