import { setTimeout } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import {
  copySeries,
  type Copied,
  type CopyDeps,
} from '../../packages/server/src/measurements/moving/copy.ts';
import type { FollowingSeries } from '../../packages/server/src/measurements/series/following.ts';
import { findHome, MAIN_DATABASE } from '../../packages/server/src/measurements/series/home.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import type { TestDatabase } from '../support/engines.ts';
import {
  Failed,
  failingAt,
  stepwiseCommits,
  stepwiseSeries,
  type Step,
} from '../support/step-by-step.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { followingOf, randomFrom, type createLoad } from './load.ts';

export const HOUR = 3_600_000;

/** Between two reports. */
const PAUSE_MS = 5;

/** What tests of moving series stand on: an installation with two servers, which could reach another engine beside the main database. */
export function createMoves(database: () => TestDatabase) {
  let servers: FollowingSeries[] = [];
  // The first server of the current test.
  const current = new Proxy({} as Series, { get: (_, name: keyof Series) => servers[0]![name] });
  const world = createReportingWorld(database, undefined, () => current);
  const opened: FollowingSeries[] = [];
  afterAll(() => Promise.all(opened.map((server) => server.close())));

  /** A process that copies, and whose database and target take their steps one by one. */
  const depsWith = (source: Series, target: Series, step: Step = () => {}): CopyDeps => ({
    db: stepwiseCommits(database().db, step),
    source,
    target: stepwiseSeries(target, step),
    pause: async () => {},
    onProgress: () => {},
    onAway: (error) => {
      throw error;
    },
  });

  async function expectRight(load: ReturnType<typeof createLoad>): Promise<void> {
    const { db } = database();
    for (const server of servers) await server.look();
    for (const [device, known] of load.known) {
      const stored = await createTelemetry({ db, series: servers[1]! }).readingsBetween(
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
    main: (): Series => createSqlSeries(database().db),
    servers: () => servers,
    /** Devices whose series are in the main database. */
    async begin(devices: number, other: Series): Promise<Installation[]> {
      const { db } = database();
      for (const table of ['seriesHome', 'seriesChange', 'seriesComparison'] as const)
        await db.deleteFrom(table).execute();
      await db
        .insertInto('seriesHome')
        .values({ id: 1, engine: MAIN_DATABASE, copyingTo: null, copier: null, shutUntil: null })
        .execute();
      servers = [followingOf(db, other), followingOf(db, other)];
      for (const server of servers) await server.open();
      opened.push(...servers);
      world.clock.at = Date.parse('2026-06-15T12:00:00Z');
      const installed = await Promise.all(
        Array.from({ length: devices }, () => world.install({ timeZone: 'Europe/Berlin' })),
      );
      world.clock.at = Date.parse('2026-08-01T12:00:00Z');
      return installed;
    },
    copy: (source: Series, target: Series, switching = false): Promise<Copied> =>
      copySeries(depsWith(source, target), { switching }),
    expectRight,
    /** Moves the series while devices report, by copiers that are killed, until one has done it. */
    async moveBesideReports(
      load: ReturnType<typeof createLoad>,
      source: Series,
      target: Series,
      kills: number,
    ): Promise<void> {
      const { db } = database();
      const state = { moved: false };
      let reports = 0;
      const reporting = (async () => {
        for (; !state.moved; reports++) {
          await load.report();
          await setTimeout(PAUSE_MS);
        }
      })();
      const random = randomFrom(7);
      for (let left = kills; !state.moved; left--) {
        const failing = left > 0 ? failingAt(random(120)) : { step: () => {}, failed: undefined };
        const result = await copySeries(depsWith(source, target, failing.step), {
          switching: true,
        }).catch((error: unknown) => error);
        if (failing.failed === undefined)
          expect(result).toMatchObject({ moved: true, differences: [] });
        else expect(result).toBeInstanceOf(Failed);
        // One whose last commit was not answered has moved them all the same.
        state.moved = (await findHome(db))?.engine === target.name;
      }
      await reporting;
      expect(reports).toBeGreaterThan(0);
      expect(await findHome(db)).toEqual({ engine: target.name, copyingTo: null });
      for (let i = 0; i < 5; i++) await load.report();
      await expectRight(load);
      // Both servers have followed.
      expect(servers.map((server) => server.inForce().name)).toEqual([target.name, target.name]);
    },
  };
}
