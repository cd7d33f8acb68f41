import { insertCollector } from '../../packages/server/src/collectors/collectors.ts';
import { assignCollector } from '../../packages/server/src/devices/devices.ts';
import { bindDevice } from '../../packages/server/src/plants/bindings.ts';
import type { Db } from '../../packages/server/src/storage/database.ts';
import { createTelemetry } from '../../packages/server/src/telemetry/create-telemetry.ts';
import { createIngest } from '../../packages/server/src/ingest/ingest.ts';
import { recalculateMonth } from '../../packages/server/src/ingest/recalculate.ts';
import { findBoundDevice } from '../../packages/server/src/ingest/reporters.ts';
import type { Series } from '../../packages/server/src/series/port.ts';
import { createSqlSeries } from '../../packages/server/src/series/sql/sql-series.ts';
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
}

/** What tests of telemetry stand on: a database with plants, and the ways in and out. */
export function createReportingWorld(database: () => { db: Db }, clock: SettableClock = settableClock('2026-06-15T12:00:00Z')) {
  const world = createWorld(database, clock);
  let made: { series: Series; ingest: ReturnType<typeof createIngest>; telemetry: ReturnType<typeof createTelemetry> } | undefined;
  const parts = () => {
    if (made) return made;
    const { db } = database();
    const series = createSqlSeries(db);
    return (made = { series, ingest: createIngest({ db, clock, series }), telemetry: createTelemetry({ db, series }) });
  };
  return {
    ...world,
    parts,
    /** Reports readings of one device as its collector. */
    report: (to: Installation, readings: readonly { at: number; values: Record<string, number> }[]) =>
      parts().ingest(
        { collectorId: to.collectorId },
        readings.map((reading) => ({ sn: to.sn, ...reading })),
      ),
    async install(change: { timeZone?: string; ratedPowerW?: number | null; pricePerKwh?: number } = {}): Promise<Installation> {
      const { db } = database();
      const owner = await world.person();
      const plantId = await world.plant(owner.id, { timeZone: change.timeZone ?? 'UTC', pricePerKwh: change.pricePerKwh ?? null });
      const collector = await world.write(async (trx) => {
        const added = await insertCollector(trx, world.act(), { sn: world.uniqueSn('COL') });
        await bindDevice(trx, world.act(), added.id, plantId);
        return added;
      });
      const { id, sn } = await world.device(plantId, { ratedPowerW: change.ratedPowerW === undefined ? 10_000 : change.ratedPowerW });
      await world.write((trx) => assignCollector(trx, id, collector.id));
      const { series } = await db.selectFrom('device').select('series').where('id', '=', id).executeTakeFirstOrThrow();
      const { no } = await db.selectFrom('binding').select('no').where('deviceId', '=', id).executeTakeFirstOrThrow();
      return { plantId, deviceId: id, sn, series, binding: no, collectorId: collector.id, token: collector.token };
    },
    /** Does what the changes so far have asked for to be made anew. */
    runWork: () => createRecalculations(database().db, clock).runDue(),
    /** The stored roll-ups of a binding as text, to compare. */
    rollups: (binding: number) => rollupsOf(database().db, binding),
    /** The same after they were made anew from the samples. */
    async recalculated(binding: number) {
      await world.write(async (trx) => {
        await trx.deleteFrom('deviceDay').where('binding', '=', binding).execute();
        await trx.deleteFrom('deviceMonth').where('binding', '=', binding).execute();
        const device = (await findBoundDevice(trx, binding))!;
        for (let from: number | undefined = 0; from !== undefined;) from = await recalculateMonth(trx, parts().series, device, from);
      });
      return rollupsOf(database().db, binding);
    },
  };
}

async function rollupsOf(db: Db, binding: number): Promise<string[]> {
  const days = await db.selectFrom('deviceDay').selectAll().where('binding', '=', binding).orderBy('day').execute();
  const months = await db.selectFrom('deviceMonth').selectAll().where('binding', '=', binding).orderBy('month').execute();
  return [
    ...days.map(({ day, lastAt, state }) => `${day} ${lastAt} ${Buffer.from(state).toString('hex')}`),
    ...months.map(({ month, state }) => `${month} ${Buffer.from(state).toString('hex')}`),
  ];
}
