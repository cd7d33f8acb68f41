import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { createThinning } from '../../packages/server/src/measurements/telemetry/thinning.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { describeSeriesEnginesOn } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld } from '../telemetry/installation.ts';

const DAY = Date.parse('2026-06-10T00:00:00Z');
const DAY_MS = 86_400_000;

/** The plain way: of more than 2,880 rows, the last one of each 30 s. */
function thin(ats: readonly number[], fromAt: number, toAt: number): number[] {
  if (ats.length <= 2_880) return [...ats];
  const slotMs = Math.max(30_000, Math.ceil((toAt - fromAt) / 2_880));
  const slotOf = (at: number): number => Math.floor((at - fromAt) / slotMs);
  return ats.filter((at, i) => i === ats.length - 1 || slotOf(ats[i + 1]!) !== slotOf(at));
}

test('rows that are thinned out one by one are those that are thinned out together', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2_870, max: 3_200 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 40 }),
      fc.constantFrom(0.5, 1, 2),
      (count, gaps, days) => {
        const toAt = DAY + days * DAY_MS;
        let at = DAY;
        const ats = Array.from({ length: count }, (_, i) => (at += gaps[i % gaps.length]! * 1000));
        const thinning = createThinning<{ at: number }>(DAY, toAt);
        let made = 0;
        for (const one of ats) thinning.add(one, () => (made++, { at: one }));
        expect(thinning.end().map((row) => row.at)).toEqual(thin(ats, DAY, toAt));
        expect(made).toBeLessThanOrEqual(count);
      },
    ),
    { numRuns: 50 },
  );
});

/** Notes how many samples are held at once. */
function holding(inner: Series): { series: Series; most: () => number } {
  let most = 0;
  const noting = (engine: Series): Series =>
    new Proxy(engine, {
      get(target, name: keyof Series) {
        const value = target[name];
        if (name === 'withRevisions')
          return (next: () => number) => noting(target.withRevisions(next));
        if (name !== 'range' && name !== 'ranges') return value;
        return async (...given: never[]) => {
          const found = await (value as (...all: never[]) => Promise<unknown>)(...given);
          const lists = found instanceof Map ? [...found.values()] : [found];
          most = Math.max(
            most,
            lists.reduce((sum, list) => sum + (list as unknown[]).length, 0),
          );
          return found;
        };
      },
    });
  return { series: noting(inner), most: () => most };
}

describeSeriesEnginesOn(
  /^(SQLite|PostgreSQL|memory beside SQLite)$/,
  'a dense day',
  (database, seriesOf) => {
    const clock = settableClock('2026-06-15T12:00:00Z');
    const world = createReportingWorld(database, clock, seriesOf);
    const COUNT = 12_000;
    const ats = Array.from({ length: COUNT }, (_, i) => DAY + i * 7_000);

    test('is read in pieces, with the same curves as if it was read at once', async () => {
      const [dense, sparse] = [await world.install(), await world.install()];
      for (let i = 0; i < COUNT; i += 2_000)
        await world.report(
          dense,
          ats.slice(i, i + 2_000).map((at, j) => ({
            at,
            values: { acPowerW: 100, energyTotalKwh: 5 + (i + j) / 1000 },
          })),
        );
      await world.report(sparse, [
        { at: DAY + 1000, values: { acPowerW: 7, energyTotalKwh: 1 } },
        { at: DAY + 3_600_000, values: { acPowerW: 8, energyTotalKwh: 3 } },
      ]);
      const { db } = database();
      const { series, most } = holding(world.parts().series);
      const telemetry = createTelemetry(settledReads(db, series));
      const part = ({ binding, series: seriesId }: typeof dense) => ({
        bindingNo: binding,
        seriesId,
        fromAt: DAY,
        toAt: DAY + DAY_MS,
      });
      const parts = [dense, sparse].map(part);
      const shown = thin(ats, DAY, DAY + DAY_MS);

      const [curve, other] = await telemetry.dayCurves(db, 20260610, parts, true);
      expect(curve!.map(({ at }) => at)).toEqual(shown);
      expect(curve!.at(-1)!.energies.production!.dayKwh).toBeCloseTo((COUNT - 1) / 1000, 3);
      for (const { at, energies } of curve!)
        expect(energies.production!.dayKwh).toBeCloseTo((at - DAY) / 7_000 / 1000, 3);
      expect(other!.map(({ at, values }) => [at - DAY, values.acPowerW])).toEqual([
        [1000, 7],
        [3_600_000, 8],
      ]);

      expect(
        (await telemetry.chartReadings(db, dense.series, [parts[0]!])).map(({ at }) => at),
      ).toEqual(shown);

      const visited: number[][] = [[], []];
      await telemetry.eachReading(db, parts, (i, { at }) => void visited[i]!.push(at));
      expect(visited).toEqual([ats, [DAY + 1000, DAY + 3_600_000]]);

      const pages: number[] = [];
      for await (const page of telemetry.readingPages(db, dense.series, DAY, DAY + DAY_MS))
        pages.push(...page.map(({ at }) => at));
      expect(pages).toEqual(ats);
      expect(most()).toBeLessThanOrEqual(5_000);
    });

    test('takes late readings of several devices, of which one at a time is read', async () => {
      const devices = [await world.install(), await world.install()];
      for (const device of devices)
        for (let i = 0; i < COUNT; i += 2_000)
          await world.report(
            device,
            ats.slice(i, i + 2_000).map((at) => ({ at, values: { acPowerW: 100 } })),
          );
      const { series, most } = holding(world.parts().series);
      const ingest = createIngest({ db: database().db, clock, series });
      const late = devices.flatMap(({ sn }) => [
        { sn, at: DAY - 3_600_000, values: { acPowerW: 1 } },
        { sn, at: DAY + 3_500, values: { acPowerW: 200 } },
      ]);
      expect(await ingest('operator', late)).toMatchObject({ accepted: 4, refused: [] });
      expect(most()).toBeLessThan(2 * COUNT);
      for (const { binding } of devices)
        expect(await world.rollups(binding)).toEqual(await world.recalculated(binding));
    });
  },
);
