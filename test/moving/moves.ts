import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  copySeries,
  type Copied,
  type CopyDeps,
} from '../../packages/server/src/measurements/moving/copy.ts';
import { findHome } from '../../packages/server/src/measurements/series/home.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { StorageAway } from '../../packages/server/src/platform/storage/away.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import type { TestDatabase } from '../support/engines.ts';
import {
  Failed,
  failingAt,
  stepwiseCommits,
  stepwiseSeries,
  type Step,
} from '../support/step-by-step.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { randomFrom, type createLoad } from './load.ts';

export const HOUR = 3_600_000;

/** What tests of moving series stand on: an installation whose series are in its main database, and which could have them in another engine. */
export function createMoves(database: () => TestDatabase) {
  let inForce: Series | undefined;
  const main = (): Series => createSqlSeries(database().db);
  const current = new Proxy({} as Series, {
    get: (_, name: keyof Series) => (inForce ??= main())[name],
  });
  const world = createReportingWorld(database, undefined, () => current);

  /** A process that copies, and whose database and target take their steps one by one. */
  const depsWith = (source: Series, target: Series, step: Step = () => {}): CopyDeps => ({
    db: stepwiseCommits(database().db, step),
    source,
    target: stepwiseSeries(target, step),
    pause: () => setTimeout(10),
    onProgress: () => {},
    onAway(error) {
      // Attempts that failed may hold their claims for a while.
      if (!(error instanceof StorageAway)) throw error;
    },
  });

  const copy = (source: Series, target: Series): Promise<Copied> =>
    copySeries(depsWith(source, target));

  async function expectRight(load: ReturnType<typeof createLoad>, engine: Series): Promise<void> {
    const { db } = database();
    for (const [device, known] of load.known) {
      const stored = await createTelemetry(settledReads(db, engine)).readingsBetween(
        db,
        device.series,
        0,
        Infinity,
      );
      expect(stored).toEqual(
        [...known].toSorted(([a], [b]) => a - b).map(([at, values]) => ({ at, values })),
      );
      expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
    }
  }

  return {
    world,
    depsWith,
    main,
    copy,
    /** Which engine the series are in, for `world`. */
    use: (engine: Series) => void (inForce = engine),
    /** Devices whose series are in the main database. */
    async begin(devices: number): Promise<Installation[]> {
      const { db } = database();
      for (const table of ['seriesHome', 'seriesComparison'] as const)
        await db.deleteFrom(table).execute();
      inForce = main();
      world.clock.at = Date.parse('2026-06-15T12:00:00Z');
      const installed = await Promise.all(
        Array.from({ length: devices }, () => world.install({ timeZone: 'Europe/Berlin' })),
      );
      world.clock.at = Date.parse('2026-08-01T12:00:00Z');
      return installed;
    },
    /** Moves the series by copiers that are killed, until one has done it; reports are refused meanwhile, and taken afterwards. */
    async moveByKilledCopiers(
      load: ReturnType<typeof createLoad>,
      source: Series,
      target: Series,
      kills: number,
    ): Promise<void> {
      const { db } = database();
      const random = randomFrom(7);
      let refused = 0;
      for (let left = kills, isMoved = false; !isMoved; left--) {
        const failing = left > 0 ? failingAt(random(120)) : { step: () => {}, failed: undefined };
        const result = await copySeries(depsWith(source, target, failing.step)).catch(
          (error: unknown) => error,
        );
        if (failing.failed === undefined)
          expect(result).toMatchObject({ moved: true, differences: [] });
        else expect(result).toBeInstanceOf(Failed);
        const home = await findHome(db);
        // One whose last commit was not answered has moved them all the same.
        isMoved = home?.engine === target.name;
        if (isMoved || home?.copyingTo === target.name) {
          await load.refusedReports(source, 12);
          refused += 1;
        }
        if (!isMoved && home?.copyingTo === target.name) await load.refusedReports(target, 12);
      }
      expect(refused).toBeGreaterThan(0);
      expect(await findHome(db)).toEqual({ engine: target.name, copyingTo: null });
      inForce = target;
      await expectRight(load, target);
      for (let i = 0; i < 5; i++) await load.report(target);
      await expectRight(load, target);
    },
  };
}
