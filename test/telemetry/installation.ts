import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { encodeDay } from '../../packages/server/src/measurements/energy/codec/day-codec.ts';
import { encodeMonth } from '../../packages/server/src/measurements/energy/month-state.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { attempt } from '../../packages/server/src/measurements/ingest/attempt.ts';
import type { BoundDevice } from '../../packages/server/src/measurements/bindings/bound-device.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { recalculateMonth } from '../../packages/server/src/measurements/ingest/recalculation/recalculate-month.ts';
import { findBoundDevice } from '../../packages/server/src/measurements/bindings/reportable-devices.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { transactionsOf } from '../../packages/server/src/platform/storage/transactions/transact.ts';
import type { SeriesOf } from '../support/engines.ts';
import { createRecalculations } from '../support/recalculations.ts';
import { createWorld, settableClock, type SettableClock } from '../support/world.ts';

/** One device in one plant, reported by one collector. */
export interface Installation {
  readonly plantId: string;
  readonly deviceId: string;
  readonly sn: string;
  readonly series: number;
  readonly binding: number;
  readonly collectorId: string;
  readonly token: string;
  /** Its public id. */
  readonly tokenId: string;
}

/** What tests of telemetry stand on: a database with plants, and the ways in and out. */
export function createReportingWorld(
  database: () => { db: Db },
  clock: SettableClock = settableClock('2026-06-15T12:00:00Z'),
  seriesOf: SeriesOf = (db) => createSqlSeries(db),
) {
  const world = createWorld(database, clock);
  let made:
    | {
        series: Series;
        ingest: ReturnType<typeof createIngest>;
        telemetry: ReturnType<typeof createTelemetry>;
      }
    | undefined;
  const parts = () => {
    if (made) return made;
    const { db } = database();
    const series = seriesOf(db);
    return (made = {
      series,
      ingest: createIngest({ db, clock, series }),
      telemetry: createTelemetry(settledReads(db, series)),
    });
  };
  return {
    ...world,
    parts,
    /** Reports readings of one device as its collector. */
    report: (
      to: Installation,
      readings: readonly { at: number; values: Record<string, number> }[],
    ) =>
      parts().ingest(
        { collectorId: to.collectorId },
        readings.map((reading) => ({ sn: to.sn, ...reading })),
      ),
    async install(
      change: { timeZone?: string; ratedPowerW?: number | null; pricePerKwh?: number } = {},
    ): Promise<Installation> {
      const { db } = database();
      const owner = await world.person();
      const plantId = await world.plant(owner.id, {
        timeZone: change.timeZone ?? 'UTC',
        pricePerKwh: change.pricePerKwh ?? null,
      });
      const collector = await world.write(async (trx) => {
        const added = await insertCollector(trx, world.act(), { sn: world.uniqueSn('COL') });
        await bindDevice(trx, world.act(), added.id, plantId);
        return added;
      });
      const { id, sn } = await world.device(plantId, {
        ratedPowerW: change.ratedPowerW === undefined ? 10_000 : change.ratedPowerW,
      });
      await world.write((trx) => assignCollector(trx, id, collector.id));
      const { series } = await db
        .selectFrom('device')
        .select('series')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const { no } = await db
        .selectFrom('binding')
        .select('no')
        .where('deviceId', '=', id)
        .executeTakeFirstOrThrow();
      return {
        plantId,
        deviceId: id,
        sn,
        series,
        binding: no,
        collectorId: collector.id,
        token: collector.token,
        tokenId: collector.tokenId,
      };
    },
    /** Does what the changes so far have asked for to be made anew. */
    runWork: () => createRecalculations(database().db, clock, parts().series).runDue(),
    /** The stored roll-ups of a binding as text, to compare. */
    rollups: (binding: number) => rollupsOf(database().db, parts().series, binding),
    /** The same after they were made anew from the samples. */
    async recalculated(binding: number) {
      const { series } = parts();
      const { db } = database();
      const transact = transactionsOf(db);
      await attempt<[trx: Db], BoundDevice, void, void, void>(
        series,
        { db, first: (body) => transact(body), last: (body) => transact(body) },
        {
          begin: async (trx) => (await findBoundDevice(trx, binding))!,
          written: (device) => [device.seriesId],
          async change(own, trx, device) {
            const days = await own.series.days(trx, [binding], 0, 99_999_999);
            const months = await own.series.months(trx, [binding], 0, 999_999);
            await own.series.remove(trx, binding, {
              days: days.map(({ day }) => day),
              months: months.map(({ month }) => month),
            });
            for (let from: number | undefined = 0; from !== undefined;)
              from = await recalculateMonth(trx, own, device, from);
          },
          end: async () => {},
        },
      );
      return rollupsOf(database().db, series, binding);
    },
  };
}

async function rollupsOf(db: Db, series: Series, binding: number): Promise<string[]> {
  const days = await series.days(db, [binding], 0, 99_999_999);
  const months = await series.months(db, [binding], 0, 999_999);
  return [
    ...days.map(({ day, state }) => `${day} ${state.last.at} ${encodeDay(state).toString('hex')}`),
    ...months.map(({ month, state }) => `${month} ${encodeMonth(state).toString('hex')}`),
  ];
}
